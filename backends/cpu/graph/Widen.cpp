//===- Widen.cpp - numbers of 16 bits are computed with as f32 ------------===//
// SPDX-License-Identifier: MIT

#include "Fusion.h"
#include "Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Continuity.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/Graph/Halves.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Verify.h"

using namespace mlir;

namespace glow::cpu {

#define GEN_PASS_DEF_CPUWIDENHALVES
#include "glow/Cpu/Passes.h.inc"

namespace {

/// Whether the node sums products of numbers of bf16.
bool multipliesBF16(Operation *node, const NodeInfo &info) {
  return info.factors && llvm::all_of(node->getOperandTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return !tensor || !isa<FloatType>(tensor.getElementType()) ||
                  tensor.getElementType().isBF16();
         });
}

/// Replaces nodes on f16 and bf16 by nodes on f32. A value between two of them
/// is not rounded, unless a step function may follow it. Inputs, outputs, and
/// values of nodes without a form for f32 are converted. Products of bf16 that
/// no step function follows are marked. They read the operand of a conversion
/// to bf16, and round it themselves where they multiply bf16.
///
/// Pinned before the layout of images, so that all rewrites for f32 apply. The
/// pass ends because it visits each node once, in order.
struct CpuWidenHalves : impl::CpuWidenHalvesBase<CpuWidenHalves> {
  using CpuWidenHalvesBase::CpuWidenHalvesBase;

  void runOnOperation() override {
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      SmallVector<Operation *> nodes;
      for (Operation &op : function.block())
        if (!takesLengths(&op))
          nodes.push_back(&op);
      rounded = nodesBeforeSteps(function);
      for (Operation *node : nodes)
        visit(node);
      // From the last: a cast may be the only user of another one.
      for (Operation *cast : llvm::reverse(casts))
        if (cast->use_empty())
          cast->erase();
      casts.clear();
      widened.clear();
    }
  }

private:
  void visit(Operation *node) {
    if (auto cast = dyn_cast<Cast>(node)) {
      Value from = widened.lookup(cast.getIn());
      // The model's own conversion to f32 reads the value before it was
      // rounded, if no step follows.
      if (from && from.getType() == cast.getOut().getType()) {
        cast.getOut().replaceAllUsesWith(from);
        cast.erase();
      }
      return;
    }
    const NodeInfo *info = findNode(node->getName().getStringRef());
    if (info && llvm::any_of(node->getOperandTypes(), isHalf))
      widen(node, *info);
  }

  void widen(Operation *node, const NodeInfo &info) {
    OpBuilder builder(node);
    Operation *wide = builder.clone(*node);
    const bool rounds = multipliesBF16(node, info) && !rounded.contains(node);
    for (OpOperand &operand : wide->getOpOperands())
      if (Value whole = rounds ? beforeCast(operand.get()) : Value())
        operand.set(whole);
      else if (isHalf(operand.get().getType()))
        operand.set(inF32(builder, operand.get()));
    SmallVector<Type> types;
    // A node that supports only 16-bit floats keeps them; its operands are
    // converted back.
    if (failed(info.infer(wide, [](const Twine &) {}, types)))
      return wide->erase();
    for (auto [result, type] : llvm::zip(wide->getResults(), types))
      result.setType(type);
    if (rounds)
      wide->setAttr(halfFactors, builder.getUnitAttr());
    for (auto [old, now] : llvm::zip(node->getResults(), wide->getResults()))
      old.replaceAllUsesWith(
          backFrom(builder, now, old.getType(), rounded.contains(node)));
    node->erase();
  }

  /// The f32 value that a conversion rounded to `half`, or null.
  Value beforeCast(Value half) {
    auto cast = half ? half.getDefiningOp<Cast>() : Cast();
    if (!cast || !mlir::cast<ShapedType>(cast.getIn().getType())
                      .getElementType()
                      .isF32())
      return Value();
    if (!llvm::is_contained(casts, cast.getOperation()))
      casts.push_back(cast);
    return cast.getIn();
  }

  /// Converts a value. Conversions without users are erased at the end.
  Value convert(OpBuilder &builder, Value value, Type element) {
    Value cast = createCast(builder, value.getLoc(), value, element);
    casts.push_back(cast.getDefiningOp());
    return cast;
  }
  Value inF32(OpBuilder &builder, Value half) {
    Value &wide = widened[half];
    if (!wide) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(half);
      wide = convert(builder, half, builder.getF32Type());
    }
    return wide;
  }
  /// Converts a value to a 16-bit float. Users in f32 read it before or after
  /// rounding.
  Value backFrom(OpBuilder &builder, Value wide, Type type, bool isRounded) {
    if (wide.getType() == type)
      return wide;
    Value half =
        convert(builder, wide, cast<RankedTensorType>(type).getElementType());
    if (!isRounded)
      widened[half] = wide;
    return half;
  }

  llvm::DenseSet<Operation *> rounded;  ///< a step may follow their results
  llvm::DenseMap<Value, Value> widened; ///< 16-bit float to the same in f32
  SmallVector<Operation *> casts;
};

} // namespace
} // namespace glow::cpu

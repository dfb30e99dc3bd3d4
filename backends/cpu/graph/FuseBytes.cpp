//===- FuseBytes.cpp - formulas that read and write fewer bits ------------===//
// SPDX-License-Identifier: MIT
//
// Conversions of 8-bit integers and of 16-bit floats become part of the formula
// beside them. So inputs and outputs of a model with these kinds need no
// separate step.
//

#include "Fusion.h"
#include "glow/Base/Functions.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/FormulaLoops.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

using mlir::failure;

//===----------------------------------------------------------------------===//
// After sums of products
//===----------------------------------------------------------------------===//

namespace {

/// Replaces a node by a changed copy of a convolution.
void replaceBy(PatternRewriter &rewriter, Operation *node, CpuConvInteger conv,
               llvm::function_ref<void(CpuConvInteger)> change) {
  auto changed = cast<CpuConvInteger>(rewriter.clone(*conv));
  rewriter.modifyOpInPlace(changed, [&] { change(changed); });
  rewriter.replaceOp(node, changed);
}

/// Makes an addition of one integer a channel the bias of an integer
/// convolution.
struct FuseIntegerBias : OpRewritePattern<Add> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Add node,
                                PatternRewriter &rewriter) const override {
    for (auto [sums, other] : {std::pair(node.getLhs(), node.getRhs()),
                               std::pair(node.getRhs(), node.getLhs())}) {
      auto conv = sums.getDefiningOp<CpuConvInteger>();
      auto repeated = other.getDefiningOp<Broadcast>();
      if (!conv || conv.getBias() || !onlyUser(sums, node) || !repeated ||
          rankOf(repeated.getIn()) != 1 ||
          (repeated.getAxis() >= 0 && repeated.getAxis() != rankOf(sums) - 1))
        continue;
      replaceBy(rewriter, node, conv, [&](CpuConvInteger fused) {
        fused.getBiasMutable().assign(repeated.getIn());
      });
      return success();
    }
    return failure();
  }
};

/// Fuses the conversion of an integer convolution's sums into the convolution:
/// first to real numbers, for an epilogue, and then to the nearest bytes.
struct FuseConversion : OpRewritePattern<Cast> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast node,
                                PatternRewriter &rewriter) const override {
    auto conv = node.getIn().getDefiningOp<CpuConvInteger>();
    if (!conv || !onlyUser(node.getIn(), node))
      return failure();
    auto from = kindOf(conv.getKind()), to = kindOf(node.getKind());
    bool toReals = from == ElementKind::I32 && to == ElementKind::F32;
    bool toBytes = from == ElementKind::F32 &&
                   (to == ElementKind::I8 || to == ElementKind::U8);
    if (!toReals && !toBytes)
      return failure();
    replaceBy(rewriter, node, conv, [&](CpuConvInteger fused) {
      fused->setLoc(rewriter.getFusedLoc({conv.getLoc(), node.getLoc()}));
      fused.setKind(node.getKind());
      fused.getResult().setType(cast<RankedTensorType>(node.getType()));
    });
    return success();
  }
};

/// Moves a conversion before the reshape that splits rows into a batch.
struct ConvertBeforeReshape : OpRewritePattern<Cast> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast node,
                                PatternRewriter &rewriter) const override {
    auto reshape = node.getIn().getDefiningOp<Reshape>();
    if (!reshape || !onlyUser(node.getIn(), node) ||
        !reshape.getIn().getDefiningOp<CpuConvInteger>())
      return failure();
    Value converted =
        createCast(rewriter, node.getLoc(), reshape.getIn(), node.getKind());
    rewriter.replaceOp(node, createReshape(rewriter, reshape.getLoc(),
                                           converted, shapeOf(node)));
    return success();
  }
};

} // namespace

void cpu::addSums(RewritePatternSet &patterns) {
  patterns.add<FuseIntegerBias, FuseConversion, ConvertBeforeReshape>(
      patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Beside formulas
//===----------------------------------------------------------------------===//

namespace {

bool isByte(std::optional<ElementKind> kind) {
  return kind == ElementKind::I8 || kind == ElementKind::U8;
}
bool isNarrow(std::optional<ElementKind> kind) {
  return kind && *kind != ElementKind::F32 && ir::readsAsReal(*kind);
}

/// Replaces operands that were converted from a narrow kind to f32 by the
/// operands of the conversions. Narrow operands have one kind afterwards. False
/// if no operand changes.
bool readNarrow(MutableArrayRef<Value> operands,
                bool (*isTaken)(std::optional<ElementKind>)) {
  Type narrow;
  for (Value operand : operands)
    if (!kindOfElements(operand).isF32())
      narrow = kindOfElements(operand);
  bool changes = false;
  for (Value &operand : operands) {
    auto cast = operand.getDefiningOp<Cast>();
    if (!cast || !kindOfElements(operand).isF32())
      continue;
    Type kind = kindOfElements(cast.getIn());
    if (!isTaken(kindOf(kind)) || (narrow && kind != narrow))
      continue;
    narrow = kind;
    operand = cast.getIn();
    changes = true;
  }
  return changes;
}

/// Lets a formula read narrow elements directly.
struct FuseBytes : OpRewritePattern<CpuFusedLoops> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedLoops node,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands(node.getOperands());
    if (!ir::isPointwise(formulaOf(node)) || !readNarrow(operands, isNarrow))
      return failure();
    rewriter.replaceOp(
        node, makeFused(rewriter, node.getLoc(),
                        *withOrderedOperands(formulaOf(node), operands),
                        Ints(node.getShape()), node.getKind()));
    return success();
  }
};

struct FuseBytesBeside : OpRewritePattern<CpuConvInteger> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuConvInteger conv,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands(conv.getExtras());
    llvm::append_range(operands, conv.getBytes());
    if (!readNarrow(operands, isByte))
      return failure();
    FusedFormula epilogue =
        *withOrderedOperands(formulaOf(conv), operands, /*first=*/1);
    replaceBy(rewriter, conv, conv, [&](CpuConvInteger fused) {
      fused.getExtrasMutable().assign(epilogue.ins());
      fused.getBytesMutable().assign(epilogue.others());
      fused.setEpilogue(epilogue.formula.text());
    });
    return success();
  }
};

/// Lets a formula write narrow elements directly.
struct FuseBytesAfter : OpRewritePattern<Cast> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast node,
                                PatternRewriter &rewriter) const override {
    auto reals = node.getIn().getDefiningOp<CpuFusedLoops>();
    if (!reals || !onlyUser(node.getIn(), node) ||
        !kindOfElements(node.getIn()).isF32() ||
        !isNarrow(kindOf(node.getKind())) || !ir::isPointwise(formulaOf(reals)))
      return failure();
    rewriter.replaceOp(
        node, createCpuFusedLoops(
                  rewriter, node.getLoc(), SmallVector<Value>(reals.getIns()),
                  SmallVector<Value>(reals.getOthers()), Ints(reals.getShape()),
                  reals.getFormula().str(), node.getKind()));
    return success();
  }
};

} // namespace

void cpu::addBytes(RewritePatternSet &patterns) {
  patterns.add<FuseBytes, FuseBytesBeside, FuseBytesAfter>(
      patterns.getContext());
}

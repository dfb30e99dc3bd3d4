//===- MarkSparse.cpp - products of vectors with many zeros ---------------===//
// SPDX-License-Identifier: MIT

#include "Fusion.h"
#include "glow/Generated/CpuCalls.h"
#include "glow/IR/FormulaLoops.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

/// Whether the last call of a formula maps all negative numbers to 0, as Relu
/// and a clip at 0 do. The argument of the last call may be any negative
/// number.
bool rectifies(const Formula &formula) {
  if (formula.calls.empty())
    return false;
  Formula last{{formula.calls.back()}};
  size_t operands = 0;
  for (Formula::Argument &argument : last.calls[0].arguments)
    if (!std::holds_alternative<double>(argument))
      argument = Formula::Input{operands++};
  if (operands != 1 || !ir::isPointwise(last))
    return false;
  // The kernel of the record decides, by a trial run: there is no list of
  // functions that rectify.
  std::array<float, 3> from = {-0.5f, -2.0f, -1000.0f}, to = {1, 1, 1};
  TensorType type{ElementKind::F32, {int64_t(from.size())}};
  std::array ins = {TensorView{from.data(), &type}};
  Status status =
      kernels::run(kernels::CpuFusedLoopsCall{.out = {to.data(), &type},
                                              .ins = ins,
                                              .shape = type.shape,
                                              .formula = last.text(),
                                              .kind = type.kind});
  return status.ok() && to == std::array{0.0f, 0.0f, 0.0f};
}

/// The value behind nodes that only move elements.
Value movedFrom(Value value) {
  for (;;) {
    Operation *node = value.getDefiningOp();
    if (!isa_and_nonnull<Reshape, CpuUnpack, MaxPool>(node))
      return value;
    value = node->getOperand(0);
  }
}

bool hasManyZeros(Value value) {
  Operation *node = movedFrom(value).getDefiningOp();
  return TypeSwitch<Operation *, bool>(node)
      .Case<CpuFusedLoops, CpuConv, CpuConvTranspose, CpuMatMul>(
          [](auto node) { return rectifies(formulaOf(node)); })
      .Default(false);
}

struct MarkSparse : OpRewritePattern<CpuMatMul> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuMatMul product,
                                PatternRewriter &rewriter) const override {
    // Only a single row: several rows have few zeros in common.
    if (product.getSparse() || shapeOf(product)[0] != 1 ||
        !hasManyZeros(product.getLhs()))
      return failure();
    rewriter.modifyOpInPlace(product, [&] { product.setSparse(true); });
    return success();
  }
};

} // namespace

void addSparse(RewritePatternSet &patterns) {
  patterns.add<MarkSparse>(patterns.getContext());
}

} // namespace glow::cpu

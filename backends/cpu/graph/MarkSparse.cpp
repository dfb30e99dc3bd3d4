//===- MarkSparse.cpp - products of vectors with many zeros ---------------===//

#include "Fusion.h"
#include "glow/Generated/CpuCalls.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

/// Whether it is 0 for what is less than 0, as Relu is and what clips there:
/// of the last call alone, since what it is given may be less by any amount.
bool rectifies(const Formula &formula) {
  if (formula.calls.empty())
    return false;
  Formula last{{formula.calls.back()}};
  size_t operands = 0;
  for (Formula::Argument &argument : last.calls[0].arguments)
    if (!std::holds_alternative<double>(argument))
      argument = Formula::Input{operands++};
  if (operands != 1)
    return false;
  // The kernel of the record decides, by a trial run: there is no list of
  // functions that rectify.
  std::array<float, 3> from = {-0.5f, -2.0f, -1000.0f}, to = {1, 1, 1};
  TensorType type{ElementKind::F32, {int64_t(from.size())}};
  std::array ins = {TensorView{from.data(), &type}};
  Status status =
      kernels::run(kernels::CpuFusedElementwiseCall{.out = {to.data(), &type},
                                                    .ins = ins,
                                                    .shape = type.shape,
                                                    .formula = last.text()});
  return status.ok() && to == std::array{0.0f, 0.0f, 0.0f};
}

/// Nodes after which elements are some of those before.
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
      .Case<CpuFusedElementwise, CpuConv, CpuConvTranspose, CpuMatMul>(
          [](auto node) { return rectifies(formulaOf(node)); })
      .Default(false);
}

struct MarkSparse : OpRewritePattern<CpuMatMul> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuMatMul product,
                                PatternRewriter &rewriter) const override {
    // Two rows have few zeros in common.
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

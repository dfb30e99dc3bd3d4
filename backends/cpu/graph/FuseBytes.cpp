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
  return isByte(kind) || kind == ElementKind::F16 || kind == ElementKind::BF16;
}

/// The narrow tensor that an operand of f32 was converted from; null if there
/// is none.
Value narrowBehind(Value operand, bool (*isTaken)(std::optional<ElementKind>)) {
  auto cast = operand.getDefiningOp<Cast>();
  auto kind = cast ? kindOf(kindOfElements(cast.getIn())) : std::nullopt;
  return isTaken(kind) && kindOfElements(operand).isF32() ? cast.getIn()
                                                          : Value();
}

/// The operands of a formula, divided into f32 and narrow ones. Narrow operands
/// come last and have one kind. `first` operands of the formula precede all of
/// these.
struct DividedOperands {
  DividedOperands(OperandRange operands, ValueRange bytesBefore, size_t first,
                  const Formula &formula,
                  bool (*isTaken)(std::optional<ElementKind>))
      : bytes(bytesBefore), formula(formula) {
    std::vector<size_t> places(first);
    std::iota(places.begin(), places.end(), 0);
    SmallVector<std::pair<size_t, Value>> found;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      Value from = narrowBehind(operand, isTaken);
      Value known = !bytes.empty()   ? bytes[0]
                    : !found.empty() ? found[0].second
                                     : from;
      if (from && kindOfElements(from) == kindOfElements(known))
        found.push_back({i, from});
      else
        reals.push_back(operand);
    }
    changed = !found.empty();
    size_t nextReal = first, nextByte = first + reals.size() + bytes.size();
    size_t taken = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      bool isByte = taken < found.size() && found[taken].first == i;
      taken += isByte;
      places.push_back(isByte ? nextByte++ : nextReal++);
    }
    for (size_t i = 0; i < bytes.size(); ++i)
      places.push_back(first + reals.size() + i);
    for (auto &[place, value] : found)
      bytes.push_back(value);
    for (Formula::Call &call : this->formula.calls)
      for (Formula::Argument &argument : call.arguments)
        if (auto *input = std::get_if<Formula::Input>(&argument))
          input->index = places[input->index];
  }

  SmallVector<Value> reals, bytes;
  Formula formula;
  bool changed;
};

const Formula &formulaOf(CpuFusedBytes node) {
  return node.getFormulaAttr().value();
}
using cpu::formulaOf;

OperandRange bytesOf(CpuFusedBytes node) { return node.getBytes(); }
ValueRange bytesOf(CpuFusedElementwise) { return {}; }
Type kindOfResult(CpuFusedBytes node) { return node.getKind(); }
Type kindOfResult(CpuFusedElementwise node) { return kindOfElements(node); }

/// Lets a formula read narrow elements directly.
template <typename Node> struct FuseBytes : OpRewritePattern<Node> {
  using OpRewritePattern<Node>::OpRewritePattern;
  LogicalResult matchAndRewrite(Node node,
                                PatternRewriter &rewriter) const override {
    DividedOperands divided(node.getIns(), bytesOf(node), 0, formulaOf(node),
                            isNarrow);
    if (!divided.changed)
      return failure();
    rewriter.replaceOp(
        node, createCpuFusedBytes(rewriter, node.getLoc(), divided.reals,
                                  divided.bytes, Ints(node.getShape()),
                                  divided.formula.text(), kindOfResult(node)));
    return success();
  }
};

struct FuseBytesBeside : OpRewritePattern<CpuConvInteger> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuConvInteger conv,
                                PatternRewriter &rewriter) const override {
    DividedOperands divided(conv.getExtras(), conv.getBytes(), 1,
                            formulaOf(conv), isByte);
    if (!divided.changed)
      return failure();
    replaceBy(rewriter, conv, conv, [&](CpuConvInteger fused) {
      fused.getExtrasMutable().assign(divided.reals);
      fused.getBytesMutable().assign(divided.bytes);
      fused.setEpilogue(divided.formula.text());
    });
    return success();
  }
};

/// Lets a formula write narrow elements directly.
template <typename Node> struct FuseBytesAfter : OpRewritePattern<Cast> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast node,
                                PatternRewriter &rewriter) const override {
    auto reals = node.getIn().getDefiningOp<Node>();
    if (!reals || !onlyUser(node.getIn(), node) ||
        !kindOfElements(node.getIn()).isF32() ||
        !isNarrow(kindOf(node.getKind())))
      return failure();
    rewriter.replaceOp(
        node, createCpuFusedBytes(
                  rewriter, node.getLoc(), SmallVector<Value>(reals.getIns()),
                  SmallVector<Value>(bytesOf(reals)), Ints(reals.getShape()),
                  reals.getFormula().str(), node.getKind()));
    return success();
  }
};

} // namespace

void cpu::addBytes(RewritePatternSet &patterns) {
  patterns.add<FuseBytes<CpuFusedElementwise>, FuseBytes<CpuFusedBytes>,
               FuseBytesBeside, FuseBytesAfter<CpuFusedElementwise>,
               FuseBytesAfter<CpuFusedBytes>>(patterns.getContext());
}

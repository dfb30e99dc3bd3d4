//===- MoveIntegers.cpp - integers that are moved as integers -------------===//
// SPDX-License-Identifier: MIT
//
// Index notation describes the accesses of a node. A node that only moves
// elements works on real numbers and on their quantised integers alike.
//
//===----------------------------------------------------------------------===//

#include "MoveIntegers.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Verify.h"

using namespace mlir;

namespace glow {

namespace {

/// Whether a parameter is one number for the whole tensor, so that a tensor of
/// another shape may have it too.
bool isOne(Value parameter) {
  return elementsOf(parameter) == 1 && rankOf(parameter) <= 1;
}

/// The Dequantize with one scale and one zero that defines a value, or null.
Dequantize dequantizeOf(Value value) {
  auto node = value.getDefiningOp<Dequantize>();
  return node && isOne(node.getScale()) && isOne(node.getZero()) ? node
                                                                 : Dequantize();
}

bool isSame(Value a, Value b) {
  return a == b ||
         (kindOfElements(a) == kindOfElements(b) && numberOf(a) == numberOf(b));
}
bool areAlike(Dequantize a, Dequantize b) {
  return kindOfElements(a.getIn()) == kindOfElements(b.getIn()) &&
         isSame(a.getScale(), b.getScale()) && isSame(a.getZero(), b.getZero());
}

/// The operands whose elements are moved; other operands hold indices. Empty
/// for a node that also computes.
SmallVector<OpOperand *> movedOperands(Operation *node,
                                       const NodeEvaluator &evaluator) {
  SmallVector<OpOperand *> moved;
  if (!node || node->getNumResults() == 0 || hasQuantized(node) ||
      !evaluator.moves(node))
    return moved;
  for (OpOperand &operand : node->getOpOperands())
    if (kindOfElements(operand.get()) == kindOfElements(node->getResult(0)))
      moved.push_back(&operand);
  return moved;
}

/// The most elements that values may have. It is a cost, which decides nothing
/// about the sizes of a run.
template <typename Range> int64_t elementsOfAll(Range &&values) {
  int64_t count = 0;
  for (Value value : values)
    count += elementsOf(value).extent();
  return count;
}

/// Whether the node depends on constants only, so that it will be folded.
bool isKnownNode(Operation *node) {
  return llvm::all_of(node->getOperands(), [](Value operand) {
    auto dequantize = operand.getDefiningOp<Dequantize>();
    return isConstant(dequantize ? dequantize.getIn() : operand);
  });
}

/// A copy of the node that moves the elements of `by`, with results of their
/// kind.
Operation *withMoved(PatternRewriter &rewriter, Operation *node,
                     ArrayRef<OpOperand *> moved, ArrayRef<Value> by) {
  SmallVector<Value> operands(node->getOperands());
  for (auto [operand, value] : llvm::zip(moved, by))
    operands[operand->getOperandNumber()] = value;
  SmallVector<Type> types;
  for (Value result : node->getResults())
    types.push_back(rankedTensorOf(shapeOf(result), kindOfElements(by[0])));
  OperationState state(node->getLoc(), node->getName(), operands, types,
                       node->getAttrs());
  return rewriter.create(state);
}

class MovePattern : public RewritePattern {
public:
  MovePattern(StringRef name, MLIRContext *context,
              const NodeEvaluator &evaluator)
      : RewritePattern(name, /*benefit=*/1, context), evaluator(evaluator) {}
  MovePattern(MLIRContext *context, const NodeEvaluator &evaluator)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        evaluator(evaluator) {}

protected:
  const NodeEvaluator &evaluator;
};

/// Rewrites node(Dequantize(q), ...) to Dequantize(node(q, ...)), if all have
/// one scale and one zero. A node that repeats elements increases the number of
/// elements to dequantize. So the integers of the results may take no more
/// memory than the real numbers of the operands.
struct DequantizeBehindMove : MovePattern {
  using MovePattern::MovePattern;
  LogicalResult matchAndRewrite(Operation *node,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpOperand *> moved = movedOperands(node, evaluator);
    if (moved.empty() || takesLengths(node))
      return failure();
    Dequantize first = dequantizeOf(moved[0]->get());
    SmallVector<Value> integers, reals;
    for (OpOperand *operand : moved) {
      Dequantize dequantize = dequantizeOf(operand->get());
      if (!dequantize || !areAlike(first, dequantize))
        return failure();
      integers.push_back(dequantize.getIn());
      reals.push_back(operand->get());
    }
    const int64_t bits = expr::bitsOf(kindOfElements(integers[0])),
                  realBits = expr::bitsOf(kindOfElements(reals[0]));
    if (isKnownNode(node) || elementsOfAll(node->getResults()) * bits >
                                 elementsOfAll(reals) * realBits)
      return failure();
    for (Value result : node->getResults())
      if (rankOf(result) <
          std::max(rankOf(first.getScale()), rankOf(first.getZero())))
        return failure();
    Operation *made = withMoved(rewriter, node, moved, integers);
    SmallVector<Value> results;
    for (Value result : made->getResults())
      results.push_back(createDequantize(rewriter, first.getLoc(), result,
                                         first.getScale(), first.getZero(),
                                         -1));
    rewriter.replaceOp(node, results);
    return success();
  }
};

/// Rewrites Quantize(node(x, ...)) to node(Quantize(x), ...), which moves
/// bytes. Each Quantize then meets the producer of its numbers, perhaps a
/// Dequantize with another scale. If the node takes a part, at most twice as
/// many elements as before are quantised: bytes are a quarter as wide.
struct QuantizeBeforeMove : MovePattern {
  QuantizeBeforeMove(MLIRContext *context, const NodeEvaluator &evaluator)
      : MovePattern(Quantize::getOperationName(), context, evaluator) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto quantize = cast<Quantize>(op);
    Operation *node = quantize.getIn().getDefiningOp();
    SmallVector<OpOperand *> moved = movedOperands(node, evaluator);
    if (moved.empty() || node->getNumResults() != 1 ||
        !quantize.getIn().hasOneUse() || !isOne(quantize.getScale()) ||
        !isOne(quantize.getZero()) || isKnownNode(node))
      return failure();
    SmallVector<Value> reals, integers;
    int64_t rank =
        std::max(rankOf(quantize.getScale()), rankOf(quantize.getZero()));
    for (OpOperand *operand : moved) {
      reals.push_back(operand->get());
      if (rankOf(operand->get()) < rank)
        return failure();
    }
    if (elementsOfAll(reals) > 2 * elementsOf(quantize.getIn()).extent())
      return failure();
    for (Value real : reals)
      integers.push_back(createQuantize(rewriter, quantize.getLoc(), real,
                                        quantize.getScale(), quantize.getZero(),
                                        -1));
    rewriter.replaceOp(quantize, withMoved(rewriter, node, moved, integers));
    return success();
  }
};

} // namespace

void addIntegerMoves(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  if (const NodeEvaluator *evaluator = NodeEvaluator::of(context))
    patterns.add<DequantizeBehindMove, QuantizeBeforeMove>(context, *evaluator);
}

} // namespace glow

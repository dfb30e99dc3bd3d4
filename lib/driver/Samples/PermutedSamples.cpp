//===- PermutedSamples.cpp - every node in other orders of axes -----------===//
// SPDX-License-Identifier: MIT
//
// Tests `permuted` of a record: the node on transposed operands, transposed
// back, must compute the same result as the node. Every sample runs in every
// order of axes that the node accepts.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace glow;

/// Builds the node in another order of axes, transposed back; builds nothing
/// when the node does not accept the order.
static void permuteNode(OpBuilder &builder, Operation *node, const Ints &order,
                        SmallVectorImpl<Value> &results) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  OperationState state(node->getLoc(), node->getName());
  state.attributes = NamedAttrList(node->getAttrDictionary());
  Ints result;
  if (!info->permute(node, order, state.attributes, result))
    return;
  for (Value operand : node->getOperands())
    state.operands.push_back(
        createTranspose(builder, node->getLoc(), operand, order));
  for (Value old : node->getResults())
    state.types.push_back(rankedTensorOf(
        expr::pick(shapeOf(old), Sizes(result)), kindOfElements(old)));
  Operation *made = builder.create(state);
  for (Value value : made->getResults())
    results.push_back(
        createTranspose(builder, node->getLoc(), value, expr::inverse(result)));
  node->erase();
}

static std::string testOrder(MLIRContext &context, const SampleInfo &sample,
                             const Ints &order) {
  auto turned = [&](OpBuilder &builder, Operation *node,
                    SmallVectorImpl<Value> &list) {
    permuteNode(builder, node, order, list);
  };
  std::vector<OperandText> operands = operandsOf(context, sample);
  SampleModule left = buildSample(context, sample, operands);
  SampleModule right = buildSample(context, sample, operands, turned);
  if (!right.built)
    return right.said;
  if (mlir::failed(verify(*right.module)))
    return "does not verify";
  std::vector<glow::Tensor> expected, actual;
  std::string why = execute(left, false, expected);
  if (why.empty())
    why = execute(right, false, actual);
  return why.empty() ? compare(sample.node, actual, expected) : why;
}

/// Whether the order tests the attributes: an order that is its own inverse
/// does not distinguish the two directions.
static bool tellsApart(const Ints &order) {
  return order != expr::inverse(order);
}

void glow::addPermutedCases(CaseMaker &maker) {
  llvm::StringMap<bool> reported;
  for (const SampleInfo &sample : allSamples()) {
    if (!maker.isChosen(sample.node) || *sample.refuses ||
        sample.operands.empty() || !findNode(sample.node)->permute)
      continue;
    StringRef first = sample.operands.front().text;
    Ints order =
        expr::range(0, readOperand(&maker.context(), first, "").type.getRank());
    bool &apart = reported[sample.node];
    do {
      apart |= tellsApart(order);
      maker.add(CaseKind::Order, sample.node,
                " sample '" + Twine(sample.label) + "' in order " +
                    valueText(order),
                placeOf(sample.node), [&sample, order](MLIRContext &context) {
                  return CaseOutcome{testOrder(context, sample, order)};
                });
    } while (std::next_permutation(order.begin(), order.end()));
  }
  for (const auto &[node, apart] : reported)
    if (!apart && findNode(node)->kernel != NodeKernel::Formula)
      maker.add(CaseKind::Order, node, " in other orders", placeOf(node),
                [](MLIRContext &) {
                  return CaseOutcome{"follows orders of axes, but has no "
                                     "sample of three axes"};
                });
}

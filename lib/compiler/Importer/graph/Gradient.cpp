//===- Gradient.cpp - gradients around a node -----------------------------===//
// SPDX-License-Identifier: MIT
//
// The operator differentiates nodes that were imported. Its attributes name
// values of other nodes, so these values count as read. If its inputs differ
// from the named values, the nodes between are copied for the inputs. A part of
// the model that ran in an earlier program, or on the host, cannot be
// differentiated.
//
//===----------------------------------------------------------------------===//

#include "ModuleStorage.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/Nodes.h"
#include "mlir/IR/IRMapping.h"
#include "rows/ImportRegistry.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>

using namespace glow;
using namespace mlir;

using Values = llvm::SmallVector<Value>;
using Nodes = llvm::SmallVector<Operation *>;

/// The nodes that compute `target` from `leaves`, in order. Besides leaves, the
/// target may depend on constants, but on no other input of a run.
static FailureOr<Nodes> nodesBetween(ImportContext &context,
                                     const Values &leaves, Value target) {
  llvm::DenseSet<Value> reached(leaves.begin(), leaves.end());
  llvm::DenseSet<Value> needed{target};
  Nodes nodes;
  for (Operation &node :
       llvm::reverse(*context.builder().getInsertionBlock())) {
    if (llvm::none_of(node.getResults(), [&](Value result) {
          return needed.contains(result) && !reached.contains(result);
        }))
      continue;
    auto read = llvm::dyn_cast<ReadOp>(node);
    if (read && !context.isConstant(read))
      return context.fail("its 'y' depends on '" + read.getStorage() +
                          "' too, but 'xs' and 'zs' should list all inputs "
                          "and results of earlier programs that it reads");
    needed.insert_range(node.getOperands());
    nodes.push_back(&node);
  }
  // Only nodes that depend on a leaf are kept: nodes on constants alone need no
  // copy.
  Nodes between;
  for (Operation *node : llvm::reverse(nodes)) {
    if (llvm::none_of(node->getOperands(),
                      [&](Value value) { return reached.contains(value); }))
      continue;
    reached.insert_range(node->getResults());
    between.push_back(node);
  }
  return between;
}

static LogicalResult checkLeaves(ImportContext &context, const Values &leaves,
                                 const Values &inputs) {
  if (leaves.size() != inputs.size())
    return context.fail("it has " + Twine(inputs.size()) +
                        " inputs, but 'xs' and 'zs' list " +
                        Twine(leaves.size()) + " values");
  if (llvm::DenseSet<Value>(leaves.begin(), leaves.end()).size() !=
      leaves.size())
    return context.fail("'xs' and 'zs' list one value twice");
  for (auto [index, leaf, input] : llvm::enumerate(leaves, inputs))
    if (!input || input.getType() != leaf.getType())
      return context.fail("input " + Twine(index) + " is " +
                          (input ? typeText(input.getType()) : "missing") +
                          ", but stands for a value that is " +
                          typeText(leaf.getType()));
  return success();
}

/// Copies the nodes with the inputs in place of the leaves. Each input becomes
/// a value of its own, as two leaves may have the same input.
static FailureOr<IRMapping> repeat(ImportContext &context, const Values &leaves,
                                   const Values &inputs, Nodes &nodes) {
  IRMapping copies;
  for (auto [leaf, input] : llvm::zip_equal(leaves, inputs)) {
    Reshape own = createReshape(context.builder(), context.location(), input,
                                shapeOf(input));
    if (!own)
      return failure();
    copies.map(leaf, own.getResult());
  }
  for (Operation *&node : nodes)
    node = context.builder().clone(*node, copies);
  return copies;
}

static LogicalResult importGradient(ImportContext &context) {
  FailureOr<Values> xs = context.valuesNamed("xs");
  FailureOr<Values> zs = context.valuesNamed("zs");
  FailureOr<Values> y = context.valuesNamed("y");
  if (failed(xs) || failed(zs) || failed(y))
    return failure();
  if (y->size() != 1 || context.outputs() > xs->size())
    return context.fail("'y' names " + Twine(y->size()) +
                        " values and should name 1, 'xs' names " +
                        Twine(xs->size()) + " for " + Twine(context.outputs()) +
                        " outputs");
  Values leaves = *xs, inputs = context.inputsFrom(0);
  leaves.append(*zs);
  if (failed(checkLeaves(context, leaves, inputs)))
    return failure();
  FailureOr<Nodes> nodes = nodesBetween(context, leaves, y->front());
  if (failed(nodes))
    return failure();
  FailureOr<IRMapping> copies = IRMapping();
  if (inputs != leaves)
    copies = repeat(context, leaves, inputs, *nodes);
  if (failed(copies))
    return failure();
  OpBuilder &builder = context.builder();
  Value target = copies->lookupOrDefault(y->front());
  // The gradient of each element of the target is 1, as if the target were
  // summed.
  Value one = splatLike(builder, context.location(), 1, target);
  GradientSums sums;
  if (!one || failed(sums.add(builder, context.location(), target, one)) ||
      failed(sums.flowBack(builder, *nodes)))
    return failure();
  for (unsigned i = 0; i < context.outputs(); ++i) {
    // A value on which the target does not depend has the gradient 0.
    Value gradient = sums.of(copies->lookupOrDefault((*xs)[i]));
    context.setOutput(
        i, gradient ? gradient
                    : splatLike(builder, context.location(), 0, (*xs)[i]));
  }
  return success();
}

std::span<const ImportEntry> glow::gradientImports() {
  static constexpr const char *inputs[] = {"Inputs..."};
  static constexpr const char *attributes[] = {"xs", "y", "zs"};
  constexpr unsigned many = std::numeric_limits<unsigned>::max();
  static constexpr ImportEntry entries[] = {
      {"ai.onnx.preview.training", "Gradient", 1, importGradient, inputs,
       attributes, 1, many, many}};
  return entries;
}

//===- Adjoint.cpp - gradients of index notation, as index notation -------===//
// SPDX-License-Identifier: MIT
//
// A gradient that follows from the reads of one operand alone is a node of its
// own, so that it can be computed without the gradients of other operands.
// Where statements must be replayed, one node does so for all operands.
//
//===----------------------------------------------------------------------===//

#include "Model/gradients/Adjoint.h"
#include "Model/gradients/Gradient.h"
#include "Model/gradients/Reverse.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow::gen;
using namespace llvm;

std::string glow::gen::gradientTensor(const NodeModel &node,
                                      const TensorSignature &tensor) {
  return (node.forward ? "dd_" : "d_") + tensor.name;
}

static std::vector<Adjoint> ofEach(const Model &model, const NodeModel &node,
                                   ArrayRef<const TensorSignature *> operands) {
  std::vector<Adjoint> each;
  for (const TensorSignature *operand : operands) {
    each.push_back(reverseOf(model, node, operand));
    each.back().name =
        node.className +
        convertToCamelFromSnakeCase(operand->name, /*capitalizeFirst=*/true) +
        "Gradient";
    // Set for an operand without a gradient, too: the reason belongs to it.
    each.back().gives = {operand};
  }
  return each;
}

static std::vector<Adjoint> derive(const Model &model, const NodeModel &node) {
  std::vector<const TensorSignature *> operands;
  for (const TensorSignature &input : node.inputs)
    if (isReal(node, input))
      operands.push_back(&input);
  std::vector<Adjoint> each = ofEach(model, node, operands);
  if (none_of(each, [](const Adjoint &one) {
        return !one.why.empty() || one.needsOthers;
      }))
    return each;
  Adjoint all = reverseOf(model, node, operands);
  all.name = node.className + "Gradient";
  if (!all.why.empty())
    return each;
  return {all};
}

const std::vector<Adjoint> &glow::gen::adjointsOf(const Model &model,
                                                  const NodeModel &node) {
  // The result is cached: checks and products ask for it many times.
  static DenseMap<const NodeModel *, std::unique_ptr<std::vector<Adjoint>>> all;
  std::unique_ptr<std::vector<Adjoint>> &found = all[&node];
  if (!found)
    found = std::make_unique<std::vector<Adjoint>>(derive(model, node));
  return *found;
}

Adjoint glow::gen::adjointOf(const Model &model, const NodeModel &node,
                             const TensorSignature &operand) {
  for (const Adjoint &adjoint : adjointsOf(model, node))
    if (is_contained(adjoint.gives, &operand))
      return adjoint;
  return {};
}

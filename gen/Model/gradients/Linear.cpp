//===- Linear.cpp - second gradients by the node itself -------------------===//
// SPDX-License-Identifier: MIT

#include "Model/gradients/Linear.h"
#include "Expr/Derivative.h"
#include "Model/gradients/Adjoint.h"
#include "Model/node/Compute.h"
#include "Model/node/Reads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Whether the value is a sum of products, each of which has one element of the
/// operand.
static bool isLinear(const Model &model, const NodeModel &node,
                     const Statement &statement,
                     const TensorSignature &operand) {
  Reads reads(node);
  ExprPtr value = reads.replace(statement.value), withNone = value;
  std::vector<std::string> names;
  for (auto [number, element] : enumerate(reads.all))
    if (tensorOf(node, element) == &operand)
      names.push_back(Reads::nameOf(number));
  for (const std::string &name : names) {
    ExprPtr factor = derivativeOf(value, name, model.functions, node.record);
    if (any_of(names, [&](StringRef other) { return mentions(factor, other); }))
      return false;
    withNone = substitute(withNone, name, makeInteger(0));
  }
  return textOf(simplify(withNone)) == "0";
}

/// Whether absence of an optional operand removes the statement, which does not
/// read `operand`, while every statement that reads `operand` stays. Adds the
/// optional operand to `absent`.
static bool mayBeLeftOut(const NodeModel &node, const Statement &statement,
                         const TensorSignature &operand,
                         std::vector<const TensorSignature *> &absent) {
  for (const TensorSignature *optional : optionalReads(node, statement))
    if (none_of(node.computeTree(), [&](const Statement &other) {
          return readsTensor(node, other.value, operand) &&
                 readsTensor(node, other.value, *optional);
        })) {
      absent.push_back(optional);
      return true;
    }
  return false;
}

static bool isLinear(const Model &model, const NodeModel &node,
                     LinearPart &part) {
  auto isList = [](const TensorSignature &tensor) { return tensor.variadic; };
  if (!node.scratch.empty() || node.inoutOperand() ||
      any_of(node.inputs, isList) || any_of(node.outputs, isList))
    return false;
  return all_of(node.computeTree(), [&](const Statement &statement) {
    if (statement.scan || (statement.op != "=" && statement.op != "+=") ||
        (statement.otherwise && textOf(statement.otherwise) != "0"))
      return false;
    return readsTensor(node, statement.value, *part.operand)
               ? isLinear(model, node, statement, *part.operand)
               : mayBeLeftOut(node, statement, *part.operand, part.absent);
  });
}

LinearPart glow::gen::linearPartOf(const Model &model,
                                   const NodeModel &gradient) {
  const NodeModel *node =
      gradient.forward ? model.findNode(gradient.forward->getName()) : nullptr;
  if (!node || node->compute.empty())
    return {};
  for (const Adjoint &adjoint : adjointsOf(model, *node)) {
    if (adjoint.name != gradient.className || adjoint.gives.size() != 1)
      continue;
    LinearPart part{node, adjoint.gives.front(), {}};
    if (isLinear(model, *node, part))
      return part;
  }
  return {};
}

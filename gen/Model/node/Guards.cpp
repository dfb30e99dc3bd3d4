//===- Guards.cpp - guards of derived gradients ---------------------------===//
// SPDX-License-Identifier: MIT
//
// A statement does not count where an element that it reads leads outside. A
// term of its gradient may read fewer elements: `d_a[i] += d_out[i]` of
// `out[i] = a[i] + b[i + 1]`. Elements with the same subscripts and sizes are
// present together. Any other element is read by a factor of 1.
//
//===----------------------------------------------------------------------===//

#include "Model/node/Guards.h"
#include "Model/node/Compute.h"
#include "Model/node/Present.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

/// The conditions under which an element is inside: the subscript and the size
/// of each dimension that may lead outside.
static std::vector<std::string> conditionsOf(const NodeModel &node,
                                             const Statement &statement,
                                             const ExprPtr &element) {
  std::vector<std::string> conditions;
  const TensorSignature &tensor = *tensorOf(node, element);
  for (size_t place = 0; place + 1 < element->children.size(); ++place)
    if (mayLeadOutside(node, statement, element, place))
      conditions.push_back(
          textOf(element->children[place + 1]) + " < " +
          sizeAt(tensor, element, place)
              .value_or(tensor.name + " " + std::to_string(place)));
  return conditions;
}

/// The elements on which the statement depends, and whose conditions its
/// gradient does not imply.
static std::vector<ExprPtr> lostGuards(const NodeModel &node,
                                       const Statement &statement,
                                       const ExprPtr &read,
                                       const ExprPtr &term) {
  StringSet<> kept, seen;
  auto keep = [&](const ExprPtr &element) {
    for (const std::string &condition : conditionsOf(node, statement, element))
      kept.insert(condition);
  };
  keep(read);
  // The gradient of the target is of the same sizes.
  keep(statement.targets[0]);
  forEachElement(node, term, keep);
  std::vector<ExprPtr> lost;
  auto lose = [&](const ExprPtr &element) {
    if (seen.insert(textOf(element)).second)
      lost.push_back(element);
  };
  forEachGuard(node, statement, statement.value, [&](const ExprPtr &guard) {
    if (any_of(conditionsOf(node, statement, guard),
               [&](const std::string &one) { return !kept.contains(one); }))
      lose(guard);
  });
  // A statement is left out where an operand that it reads is absent.
  for (const TensorSignature *optional : optionalReads(node, statement))
    if (optional != tensorOf(node, read) &&
        !readsWithoutAsking(node, term, *optional))
      forEachElement(node, statement.value, [&](const ExprPtr &element) {
        if (tensorOf(node, element) == optional)
          lose(element);
      });
  return lost;
}

ExprPtr glow::gen::whereThere(const NodeModel &node, const Statement &statement,
                              const ExprPtr &read, ExprPtr term) {
  for (const ExprPtr &lost : lostGuards(node, statement, read, term)) {
    // The factor is 1 for NaN as well. A choice between equal values would be
    // folded, and would not read its condition.
    ExprPtr isOther = makeCall(
        "if", {makeBinary("!=", lost, lost), makeInteger(1), makeInteger(0)});
    ExprPtr one =
        makeCall("if", {makeBinary("==", lost, lost), makeInteger(1), isOther});
    term = textOf(term) == "1" ? one : makeBinary("*", term, one);
  }
  return term;
}

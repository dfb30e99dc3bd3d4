//===- Compute.cpp - refusals that concern index notation -----------------===//
// SPDX-License-Identifier: MIT

#include "Model/node/Compute.h"
#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Refuses an element whose number of subscripts differs from its tensor's
/// rank. Lists of sizes and of indices may have any length and are not checked.
static void checkSubscripts(const NodeModel &node, const ExprPtr &expr) {
  if (const TensorSignature *tensor = tensorOf(node, expr)) {
    auto subscripts = ArrayRef<ExprPtr>(expr->children).drop_front();
    bool lists = any_of(subscripts, [](const ExprPtr &subscript) {
      return subscript->kind == Expr::Kind::Spread;
    });
    lists |= any_of(tensor->dims, [](const Dimension &dim) {
      return dim.form == Dimension::Form::Rest;
    });
    if (!lists && subscripts.size() != tensor->dims.size())
      fatalAt(expr->at, node.record,
              "'" + tensor->name + "' has " +
                  counted(tensor->dims.size(), "size") +
                  " in its signature, but " +
                  counted(subscripts.size(), "subscript"));
  }
  for (const ExprPtr &child : expr->children)
    checkSubscripts(node, child);
}

/// A place, and an element of another kind than that in which a statement
/// computes, is read as an integer.
static void checkIsInteger(const NodeModel &node, const ExprPtr &element,
                           const Twine &why) {
  const TensorSignature &tensor = *tensorOf(node, element);
  const RecordKeeper &records = node.record.getRecords();
  auto integers = textsField<"Kinds.names">(*records.getDef("IntegersAndBool"));
  for (const std::string &kind : node.kindsOf(tensor))
    if (!is_contained(integers, kind))
      fatalAt(element->at, node.record,
              "'" + textOf(element) + "' may be of kind " + kind + ", but " +
                  why);
}

static void checkElementKinds(const NodeModel &node, const ExprPtr &expr) {
  forEachElement(node, expr, [&](const ExprPtr &element) {
    for (const ExprPtr &subscript : drop_begin(element->children))
      forEachElement(node, subscript, [&](const ExprPtr &place) {
        checkIsInteger(node, place, "a place is an integer");
      });
    const TensorSignature &tensor = *tensorOf(node, element);
    StringRef computed = computedKind(node);
    if (isUpper(tensor.kind[0]) && tensor.kind != computed)
      checkIsInteger(node, element,
                     "statements compute in " + computed +
                         " alone, and read others as integers");
  });
}

static void checkBound(const NodeModel &node, const ExprPtr &bound) {
  checkSubscripts(node, bound);
  forEachElement(node, bound, [&](const ExprPtr &element) {
    checkIsInteger(node, element, "a bound is an integer");
    if (tensorOf(node, element)->variadic)
      fatalAt(element->at, node.record,
              "a bound is of one tensor, and '" + textOf(element) +
                  "' of a list of them");
  });
}

void glow::gen::checkCompute(const Model &model) {
  for (const NodeModel *node : model.ownNodes())
    for (const Statement &statement : node->computeTree()) {
      const ExprPtr &target = statement.targets[0];
      const TensorSignature *tensor = tensorOf(*node, target);
      if (!tensor || !node->findWritten(tensor->name))
        fatalAt(target->at, node->record,
                "index notation assigns to elements of a result, as '" +
                    node->outputs.front().name + "[...]'");
      checkSubscripts(*node, target);
      checkSubscripts(*node, statement.value);
      for (const ExprPtr &bound : boundsOf(statement))
        checkBound(*node, bound);
      checkElementKinds(*node, target);
      checkElementKinds(*node, statement.value);
    }
}

//===- LoopKinds.cpp - element kinds of generated loops -------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/loops/LoopsEmitter.h"
#include "Expr/Fields.h"
#include "glow/Base/ComputedIn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Whether all called functions have code for a kind.
static bool hasFunctions(const Model &model, const ExprPtr &expr,
                         StringRef kind) {
  if (!expr)
    return true;
  if (expr->kind == Expr::Kind::Call)
    if (const ScalarType *function = model.functions.findScalar(expr->text))
      if (function->name != "if" &&
          !is_contained(textsField<"ScalarFunction.kinds">(*function->record),
                        kind))
        return false;
  return all_of(expr->children, [&](const ExprPtr &child) {
    return hasFunctions(model, child, kind);
  });
}

/// The approximate number of instructions of a formula.
static unsigned operationsOf(const Model &model, const NodeModel &node,
                             const ExprPtr &expr) {
  unsigned sum = 0;
  for (const ExprPtr &child : expr->children)
    sum += operationsOf(model, node, child);
  if (expr->kind == Expr::Kind::Call)
    return sum + model.functions.scalarOf(expr, node.record).operations;
  return sum + (expr->children.empty() ? 0 : 1);
}

/// The end of a Pointwise node's row.
std::string LoopsEmitter::formulaRow() {
  std::string kinds;
  for (const auto *list : {&node.outputs, &node.inputs})
    for (const TensorSignature &tensor : *list) {
      bool isOpen = isUpper(tensor.kind[0]) || node.findAttribute(tensor.kind);
      kinds += quoted(isOpen ? "" : tensor.kind) + ", ";
    }
  os << formatv("const char *const {0}Signature[] = {{{1}};\n\n",
                node.className, kinds);
  return formatv("{0}Signature, {1}, {2}, {3}", node.className,
                 bitField<"Node.commutes">(node.record) ? "true" : "false",
                 operationsOf(model, node, node.formulaTree()),
                 intField<"Node.ulps">(node.record));
}

/// Whether the node only moves elements, which is the same for all kinds.
bool LoopsEmitter::movesElements() const {
  return !node.isPointwise() &&
         all_of(node.computeTree(), [&](const Statement &statement) {
           const TensorSignature *from = tensorOf(statement.value);
           const TensorSignature *to = tensorOf(statement.targets[0]);
           return statement.op == "=" && !statement.otherwise && from && to &&
                  from->kind == to->kind;
         });
}

std::string LoopsEmitter::row() {
  std::vector<ExprPtr> values;
  if (node.isPointwise())
    values.push_back(node.formulaTree());
  for (const Statement &statement : node.computeTree())
    values.insert(values.end(), {statement.value, statement.otherwise});
  const TensorSignature &open = openTensor();
  StringRef given = textField<"Node.computes">(node.record);
  std::string kinds;
  bool whole = true, moves = movesElements();
  for (const std::string &kind : node.kindsOf(open)) {
    StringRef computed =
        given.empty() ? StringRef(glow::computedIn(kind)) : given;
    bool has = moves || all_of(values, [&](const ExprPtr &value) {
                 return hasFunctions(model, value, computed);
               });
    whole &= has;
    if (has)
      kinds += quoted(kind) + ", ";
  }
  if (!kinds.empty())
    os << formatv("const char *const {0}Kinds[] = {{{1}};\n\n", node.className,
                  kinds);
  int operand = -1;
  for (auto [i, input] : enumerate(node.inputs))
    if (&input == &open)
      operand = int(i);
  return formatv("    {{{0}, {1}Loops, {2}, {3}, {4}, {5}, {6}, {7}},\n",
                 quoted(node.mnemonic), node.className,
                 node.isPointwise() ? node.className + "Formula" : "nullptr",
                 operand, kinds.empty() ? "{}" : node.className + "Kinds",
                 whole ? "true" : "false", moves ? "true" : "false",
                 node.isPointwise() ? formulaRow() : "{}, false, 0, 0");
}

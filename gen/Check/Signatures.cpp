//===- Signatures.cpp - refusals that concern signatures ------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// A name binds in the first operand that has it. Where that operand is absent,
/// the name has no value, so that no tensor that is always there may use it.
class BindingCheck {
public:
  explicit BindingCheck(const NodeModel &node) : node(node) {}

  void run() {
    for (const Attribute &attribute : node.attributes)
      bound.insert(attribute.name);
    for (const TensorSignature &input : node.inputs) {
      if (!input.optional)
        checkReads(input);
      for (const Dimension &dim : input.dims)
        if (dim.value && dim.value->kind == Expr::Kind::Name)
          bind(dim.value->text, input);
    }
    for (const TensorSignature &output : node.outputs)
      checkReads(output);
  }

private:
  void bind(StringRef name, const TensorSignature &input) {
    if (bound.insert(name).second && input.optional)
      maybe[name] = &input;
  }

  void checkReads(const TensorSignature &tensor) const {
    for (const Dimension &dim : tensor.dims)
      for (const ExprPtr &expr : {dim.value, dim.within, dim.count})
        if (expr)
          checkReads(expr, tensor);
  }

  void checkReads(const ExprPtr &expr, const TensorSignature &tensor) const {
    for (const auto &entry : maybe)
      if (mentions(expr, entry.first()) &&
          !isItsGradient(tensor, *entry.second))
        fatalAt(expr->at, node.record,
                "size '" + entry.first() + "' of '" + tensor.name +
                    "' has no value where '" + entry.second->name +
                    "', which binds it, is absent");
  }

  /// Whether the tensor is the gradient of `operand`. The gradient of an absent
  /// operand is empty, and nothing reads its sizes.
  bool isItsGradient(const TensorSignature &tensor,
                     const TensorSignature &operand) const {
    return node.forward &&
           StringRef(tensor.name).ends_with("d_" + operand.name);
  }

  const NodeModel &node;
  StringSet<> bound;
  StringMap<const TensorSignature *> maybe;
};

} // namespace

/// A result is what the operands make it: it is there, and its sizes are all
/// said.
static void checkResult(const NodeModel &node, const TensorSignature &output) {
  auto refuse = [&](const char *at, const Twine &message) {
    fatalAt(at, node.record,
            "result '" + output.name + "' of '" + node.className + "' " +
                message);
  };
  if (output.optional)
    refuse(output.at, "takes no '?': it is never absent");
  for (const Dimension &dim : output.dims) {
    if (dim.form == Dimension::Form::Any)
      refuse(output.at, "does not say what its sizes are");
    if (dim.ranks || dim.count)
      refuse(dim.value->at, "has as many sizes as '*" + textOf(dim.value) +
                                "', which takes no ':' here");
  }
  bool isVariable = isUpper(output.kind[0]);
  if (isVariable && !is_contained(node.kindVariables(), output.kind))
    refuse(output.at, "is of kind " + output.kind + ", which no operand has");
}

void glow::gen::checkSignatures(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    for (const TensorSignature &input : node->inputs)
      if (input.optional && input.variadic)
        fatalAt(input.at, node->record,
                "operand '" + input.name + "' of '" + node->className +
                    "' takes no '?': a list may be empty");
    BindingCheck(*node).run();
    const TensorSignature *list = nullptr;
    for (const TensorSignature &output : node->outputs) {
      checkResult(*node, output);
      if (output.variadic && list)
        fatalAt(output.at, node->record,
                "'" + node->className + "' has lists of results '" +
                    list->name + "' and '" + output.name +
                    "', and should have one at most: nothing says where the "
                    "first would end");
      if (output.variadic)
        list = &output;
    }
  }
}

//===- GraphLists.cpp - nodes of lists of tensors, and of graphs inside ---===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Graph.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// fold(Add, xs): applies the node to all tensors of a list, from the left.
TypedCode GraphEmitter::fold(const ExprPtr &expr) {
  const NodeModel *node = expr->children.size() == 2
                              ? model.findNode(expr->children[0]->text)
                              : nullptr;
  if (!node || node->inputs.size() != 2 || !node->attributes.empty())
    fail(expr, "'fold' takes a node of two operands and a list of tensors");
  TypedCode list = emit(expr->children[1]);
  if (list.type != Type::Tensors)
    fail(expr->children[1], "'fold' needs a list of tensors");
  built.insert(node->className);
  std::string name = fresh();
  os() << formatv(
      "  ::mlir::Value {0} = ::glow::foldBroadcast(builder, location, "
      "{1}, [&](::mlir::Value a, ::mlir::Value b) -> ::mlir::Value {{\n"
      "    auto made = create{2}(builder, location, a, b);\n"
      "    return made ? made.getResult() : ::mlir::Value();\n  });\n"
      "  if (!{0})\n    return ::llvm::failure();\n",
      name, list.code, node->className);
  return {Type::Tensor, name};
}

/// every(xs, first, step): the elements at first, first + step, ...
TypedCode GraphEmitter::every(const ExprPtr &expr) {
  if (expr->children.size() != 3)
    fail(expr, "'every' takes a list of tensors, the first and the step");
  TypedCode list = emit(expr->children[0]);
  if (list.type != Type::Tensors)
    fail(expr->children[0], "'every' needs a list of tensors");
  ValueEmitter values(model.functions, scope, record);
  std::string from =
      values.emitAs(flatten(expr->children[1]), Type::Int, "the first");
  std::string step =
      values.emitAs(flatten(expr->children[2]), Type::Int, "the step");
  std::string name = fresh();
  os() << formatv("  ::llvm::SmallVector<::mlir::Value> {0} = "
                  "::glow::everyOf({1}, {2}, {3});\n",
                  name, list.code, from, step);
  return {Type::Tensors, name};
}

/// Emits [x for x in xs], up to the end of the shortest list.
TypedCode GraphEmitter::each(const ExprPtr &expr) {
  Scope outside = scope;
  std::string opening =
      openLoop(expr->labels, ArrayRef(expr->children).drop_front());
  raw_ostream *before = stream;
  std::string code;
  raw_string_ostream body(code);
  stream = &body;
  TypedCode element = emit(expr->children[0]);
  stream = before;
  std::optional<Type> list = listType(element.type);
  if (!list)
    fail(expr->children[0], "an element of type " + nameOf(element.type) +
                                " does not go into a list");
  std::string name = fresh();
  os() << formatv("  {0} {1};\n{2}{3}  {1}.push_back({4});\n  }\n",
                  cxxType(*list), name, opening, code, element.code);
  scope = std::move(outside);
  return {*list, name};
}

/// apply(body, x): the result of the attribute's graph on a tensor.
TypedCode GraphEmitter::apply(const ExprPtr &expr) {
  const Scope::Entry *graph =
      expr->children.size() == 2 && expr->children[0]->kind == Expr::Kind::Name
          ? scope.find(expr->children[0]->text)
          : nullptr;
  if (!graph || graph->type != Type::Text || purpose != Purpose::Import)
    fail(expr, "'apply' takes an attribute that is a graph, and a tensor");
  std::string value = tensor(expr->children[1]), name = fresh();
  os() << formatv(
      "  ::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>> {0} =\n"
      "      import.inlineGraph({1}, ::mlir::ValueRange({2}));\n"
      "  if (failed({0}))\n    return ::llvm::failure();\n"
      "  if ({0}->size() != 1)\n    return import.fail(\"graph '\" + "
      "{1} + \"' must have 1 output\");\n",
      name, graph->spelling, value);
  return {Type::Tensor, name + "->front()"};
}

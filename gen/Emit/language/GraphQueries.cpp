//===- GraphQueries.cpp - queries of tensors in rules and imports ---------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Graph.h"
#include "Expr/Builtin.h"
#include "Expr/Parser.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

const ExprPtr &GraphEmitter::onlyArgument(const ExprPtr &call) const {
  if (call->children.size() != 1)
    fail(call, "'" + call->text + "' takes 1 argument, not " +
                   Twine(call->children.size()));
  return call->children[0];
}

/// present(x), of an operand or of an attribute that may be absent.
TypedCode GraphEmitter::isPresent(const ExprPtr &call) const {
  const ExprPtr &name = onlyArgument(call);
  bool isName = name->kind == Expr::Kind::Name;
  if (isName)
    if (const Scope::Entry *flag = scope.find("present." + name->text))
      return {Type::Bool, flag->spelling};
  const Scope::Entry *entry = isName ? scope.find(name->text) : nullptr;
  if (!entry || entry->type != Type::Tensor)
    fail(call, "'present' takes the name of an operand or of an attribute "
               "that may be absent");
  return {Type::Bool, "bool(" + entry->spelling + ")"};
}

TypedCode GraphEmitter::countOf(const ExprPtr &call) {
  TypedCode value = emit(onlyArgument(call));
  if (value.type != Type::Tensors)
    fail(call, "'count' takes a variadic operand");
  return {Type::Int, "int64_t(" + value.code + ".size())"};
}

std::string GraphEmitter::kindCode(StringRef kind) {
  return "::glow::kindNamed(builder.getContext(), " + quoted(kind) + ")";
}

TypedCode GraphEmitter::elementKind(const ExprPtr &call) const {
  const ExprPtr &name = onlyArgument(call);
  if (name->kind != Expr::Kind::Text)
    fail(call, "'elementKind' takes a text such as \"i64\"");
  return {Type::Kind, kindCode(name->text)};
}

TypedCode GraphEmitter::onnxKind(const ExprPtr &call) {
  ValueEmitter values(model.functions, scope, record);
  std::string code =
      values.emitAs(flatten(onlyArgument(call)), Type::Int, "the number");
  std::string name = fresh();
  os() << formatv("  ::mlir::Type {0} = ::glow::onnxElementKind(import, {1});\n"
                  "  if (!{0})\n    return ::llvm::failure();\n",
                  name, code);
  return {Type::Kind, name};
}

/// Axes that the model lists for a tensor; an axis out of range is refused.
TypedCode GraphEmitter::axesOf(const ExprPtr &call) {
  if (call->children.size() != 2)
    fail(call, "'axesOf' takes axes and a rank");
  ValueEmitter values(model.functions, scope, record);
  std::string axes =
      values.emitAs(flatten(call->children[0]), Type::Ints, "the axes");
  std::string rank =
      values.emitAs(flatten(call->children[1]), Type::Int, "the rank");
  std::string name = fresh();
  os() << formatv("  ::mlir::FailureOr<::glow::Sizes> {0} = import.axesOf({1}, "
                  "{2});\n  if (failed({0}))\n    return ::llvm::failure();\n",
                  name, axes, rank);
  return {Type::Ints, "(*" + name + ")"};
}

/// The number in a tensor as a size: of a constant, or of a run.
TypedCode GraphEmitter::computedLength(const ExprPtr &call) {
  if (call->children.size() != 2)
    fail(call, "'computedLength' takes a tensor and the greatest size");
  std::string count = tensor(call->children[0]), name = fresh();
  ValueEmitter values(model.functions, scope, record);
  std::string most =
      values.emitAs(flatten(call->children[1]), Type::Int, "the greatest size");
  os() << formatv("  ::mlir::FailureOr<::glow::Size> {0} = "
                  "import.computedLength({1}, {2});\n"
                  "  if (failed({0}))\n    return ::llvm::failure();\n",
                  name, count, most);
  return {Type::Int, "(*" + name + ")"};
}

/// The greatest size that the user gives for an axis of the first output.
TypedCode GraphEmitter::mostOf(const ExprPtr &call) {
  ValueEmitter values(model.functions, scope, record);
  std::string axis =
      values.emitAs(flatten(onlyArgument(call)), Type::Int, "the axis");
  return {Type::Int, "import.mostOf(" + axis + ")"};
}

/// The elements of a constant input; an absent input has none.
std::string GraphEmitter::constantList(const ExprPtr &input, Type list) {
  std::string value = tensor(input), name = fresh();
  os() << formatv("  ::mlir::FailureOr<::glow::{1}> {0} = ::glow::{1}();\n"
                  "  if ({2})\n    {0} = import.constant{1}({2}, {3});\n"
                  "  if (failed({0}))\n    return ::llvm::failure();\n",
                  name, list == Type::Ints ? "Sizes" : "Reals", value,
                  quoted(textOf(input)));
  return name;
}

TypedCode GraphEmitter::constants(const ExprPtr &call, Type list) {
  return {list, "(*" + constantList(onlyArgument(call), list) + ")"};
}

/// The only element of a constant input; 0 for an absent input.
TypedCode GraphEmitter::constant(const ExprPtr &call, Type list) {
  const ExprPtr &input = onlyArgument(call);
  std::string name = constantList(input, list);
  os() << formatv("  if ({1} && {0}->empty())\n    return import.fail({2});\n",
                  name, tensor(input),
                  quoted("input '" + textOf(input) + "' has no element"));
  return {*elementType(list), "::glow::expr::at(*" + name + ", 0)"};
}

/// largestAlong(x, sizes, axes): of a tensor that is seen as one of `sizes`.
TypedCode GraphEmitter::largestAlong(const ExprPtr &call) {
  if (call->children.size() != 3)
    fail(call, "'largestAlong' takes a tensor, sizes and axes");
  std::string value = tensor(call->children[0]);
  ValueEmitter values(model.functions, scope, record);
  std::string sizes =
      values.emitAs(flatten(call->children[1]), Type::Ints, "the sizes");
  std::string axes =
      values.emitAs(flatten(call->children[2]), Type::Ints, "the axes");
  return {Type::Reals,
          "::glow::largestAlong(" + value + ", " + sizes + ", " + axes + ")"};
}

std::optional<TypedCode> GraphEmitter::importQuery(const ExprPtr &call) {
  switch (*builtinOf(call)) {
  case Builtin::OnnxKind:
    return onnxKind(call);
  case Builtin::AxesOf:
    return axesOf(call);
  case Builtin::ComputedLength:
    return computedLength(call);
  case Builtin::IsOfRun:
    return TypedCode{Type::Bool,
                     "import.isOfRun(" + tensor(onlyArgument(call)) + ")"};
  case Builtin::MostOf:
    return mostOf(call);
  case Builtin::IntList:
    return constants(call, Type::Ints);
  case Builtin::RealList:
    return constants(call, Type::Reals);
  case Builtin::IntOf:
    return constant(call, Type::Ints);
  case Builtin::RealOf:
    return constant(call, Type::Reals);
  default:
    return std::nullopt;
  }
}

std::optional<TypedCode> GraphEmitter::query(const ExprPtr &call) {
  std::optional<Builtin> asked = builtinOf(call);
  if (!asked)
    return std::nullopt;
  auto ask = [&](Type type, StringRef function) {
    return TypedCode{type,
                     (function + "(" + tensor(onlyArgument(call)) + ")").str()};
  };
  bool imports = purpose == Purpose::Import;
  switch (*asked) {
  case Builtin::Present:
    return isPresent(call);
  case Builtin::Shape:
    return ask(Type::Ints, "::glow::shapeOf");
  case Builtin::Rank:
    return ask(Type::Int, "::glow::rankOf");
  case Builtin::Elements:
    return ask(Type::Int, "::glow::elementsOf");
  case Builtin::Kind:
    return ask(Type::Kind, "::glow::kindOfElements");
  case Builtin::IsConstant:
    return ask(Type::Bool,
               imports ? "import.isConstant" : "::glow::isConstant");
  case Builtin::NumberOf:
    return ask(Type::Real, "::glow::numberOf");
  case Builtin::ProgressionOf:
    return ask(Type::Ints, "::glow::progressionOf");
  case Builtin::LargestAlong:
    return largestAlong(call);
  case Builtin::RealList:
    return imports ? importQuery(call) : ask(Type::Reals, "::glow::realsOf");
  case Builtin::Count:
    return countOf(call);
  case Builtin::ElementKind:
    return elementKind(call);
  default:
    return imports ? importQuery(call) : std::nullopt;
  }
}

//===- Value.cpp - compile-time values: types checked, spelled in C++ -----===//
// SPDX-License-Identifier: MIT

#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "Expr/Parser.h"
#include "Expr/Statements.h"
#include "Expr/Type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

void ValueEmitter::fail(const ExprPtr &at, const Twine &message) const {
  fatalAt(at->at, record, message);
}

TypedCode ValueEmitter::emit(const ExprPtr &expr) const {
  switch (expr->kind) {
  case Expr::Kind::Integer:
    // As an int64_t, whatever its size: C++ would choose int for a small one,
    // and another overload.
    return {Type::Int, "int64_t(" + expr->text + ")"};
  case Expr::Kind::Real:
    return {Type::Real, "double(" + expr->text + ")"};
  case Expr::Kind::Text:
    return {Type::Text, "std::string(" + quoted(expr->text) + ")"};
  case Expr::Kind::Name:
    return emitName(expr);
  case Expr::Kind::Call:
    return expr->text == "if" ? emitIf(expr) : emitCall(expr);
  case Expr::Kind::Binary:
    return emitBinary(expr);
  case Expr::Kind::Unary:
    return emitUnary(expr);
  case Expr::Kind::Subscript:
    return emitSubscript(expr);
  case Expr::Kind::List:
    return emitList(expr);
  case Expr::Kind::Each:
    return emitEach(expr);
  case Expr::Kind::Spread:
    fail(expr, "a list is spread only inside brackets");
  }
  return {};
}

std::string ValueEmitter::emitAs(const ExprPtr &expr, Type wanted,
                                 StringRef what) const {
  // `[]` is an empty list of either type.
  if (expr->kind == Expr::Kind::List && expr->children.empty() &&
      wanted == Type::Reals)
    return "::glow::Reals{}";
  TypedCode value = emit(expr);
  // An integer serves where a real number is wanted, and nothing else as
  // something else.
  bool fits =
      value.type == wanted || (value.type == Type::Int && wanted == Type::Real);
  if (!fits)
    fail(expr, what + " is of type " + nameOf(value.type) + ", but must be " +
                   nameOf(wanted));
  return value.type == wanted ? value.code : "double(" + value.code + ")";
}

TypedCode ValueEmitter::emitName(const ExprPtr &expr) const {
  if (expr->text == "true" || expr->text == "false")
    return {Type::Bool, expr->text};
  if (expr->text == "infinity")
    return {Type::Real, "std::numeric_limits<double>::infinity()"};
  const Scope::Entry *entry = scope.find(expr->text);
  if (!entry)
    fail(expr, unknownName(expr->text, scope));
  return {entry->type, entry->spelling};
}

TypedCode ValueEmitter::emitIf(const ExprPtr &expr) const {
  if (expr->children.size() != 3)
    fail(expr, "'if' takes a condition and two values");
  std::string condition =
      emitAs(expr->children[0], Type::Bool, "the condition of 'if'");
  TypedCode yes = emit(expr->children[1]), no = emit(expr->children[2]);
  Type type = yes.type;
  if (yes.type != no.type) {
    if (!isNumber(yes.type) || !isNumber(no.type))
      fail(expr, "the values of 'if' are of types " + nameOf(yes.type) +
                     " and " + nameOf(no.type));
    type = Type::Real;
  }
  if (onTrees)
    return {type, "::glow::expr::select(" + condition + ", " + yes.code + ", " +
                      no.code + ")"};
  // The branches are of one C++ type: numbers convert to sizes and back.
  auto converted = [&](const TypedCode &value) {
    const bool mayVary = type == Type::Int || type == Type::Ints;
    return form == ValueForm::Sizes && mayVary
               ? (cxxType(type) + "(" + value.code + ")").str()
               : value.code;
  };
  return {type, "(" + condition + " ? " + converted(yes) + " : " +
                    converted(no) + ")"};
}

/// `int` and `real` are words of C++ or could be.
static std::string spellingOf(StringRef function) {
  return function == "int"    ? "integerOf"
         : function == "real" ? "realOf"
                              : function.str();
}

/// The number of tensors of a variadic operand in scope; nothing for other
/// calls.
static std::optional<TypedCode> countIn(const Scope &scope,
                                        const ExprPtr &call) {
  if (call->text != "count" || call->children.size() != 1)
    return std::nullopt;
  const Scope::Entry *entry = scope.find(call->children[0]->text);
  if (!entry || entry->type != Type::Tensors)
    return std::nullopt;
  return TypedCode{Type::Int, "int64_t(" + entry->spelling + ".size())"};
}

TypedCode ValueEmitter::emitCall(const ExprPtr &expr) const {
  if (std::optional<TypedCode> count = countIn(scope, expr))
    return *count;
  if (const LetFunction *function = functions.findLet(expr->text))
    return emitLet(*function, expr);
  const FunctionType *function = functions.find(expr->text);
  if (!function)
    fail(expr, "unknown function '" + expr->text + "'");
  if (expr->children.size() != function->parameters.size())
    fail(expr, "'" + expr->text + "' takes " +
                   counted(function->parameters.size(), "argument") + ", not " +
                   Twine(expr->children.size()));
  bool real = false;
  std::vector<std::string> arguments;
  for (auto [i, child] : llvm::enumerate(expr->children)) {
    StringRef wanted = function->parameters[i];
    if (wanted != "number") {
      arguments.push_back(emitAs(child, *typeNamed(wanted),
                                 "argument " + std::to_string(i + 1) + " of '" +
                                     expr->text + "'"));
      continue;
    }
    TypedCode value = emit(child);
    if (!isNumber(value.type))
      fail(child, "argument " + Twine(i + 1) + " of '" + expr->text +
                      "' is of type " + nameOf(value.type) +
                      ", but must be a number");
    real |= value.type == Type::Real;
    arguments.push_back(value.code);
  }
  // All numbers of a call are of one type.
  if (real)
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (function->parameters[i] == "number")
        argument = "double(" + argument + ")";
  Type result = function->result == "number" ? (real ? Type::Real : Type::Int)
                                             : *typeNamed(function->result);
  std::string code = "::glow::expr::" + spellingOf(expr->text) + "(" +
                     join(arguments, ", ") + ")";
  // A function of numbers alone gives numbers.
  if (result == Type::Ints && form == ValueForm::Sizes)
    code = (cxxType(result, form) + "(" + code + ")").str();
  return {result, code};
}

/// A call of a function that a Let record writes.
TypedCode ValueEmitter::emitLet(const LetFunction &function,
                                const ExprPtr &call) const {
  if (!function.onValues())
    fail(call, "'" + function.name +
                   (function.onGraph() ? "' builds nodes or looks at tensors"
                                       : "' works on single elements") +
                   ", which cannot be done here");
  std::string code;
  for (auto [parameter, argument] :
       zip_equal(function.parameters, argumentsOf(function, call, record)))
    code += (code.empty() ? "" : ", ") +
            emitAs(argument, parameter.type,
                   "'" + parameter.name + "' of '" + function.name + "'");
  return {function.result, "::glow::expr::" + function.name + "(" + code + ")"};
}

/// [x + y for x, y in xs, ys], as far as the shorter list goes.
TypedCode ValueEmitter::emitEach(const ExprPtr &expr) const {
  Scope inside = scope;
  std::string lists, parameters;
  for (auto [name, list] :
       zip_equal(expr->labels, drop_begin(expr->children))) {
    TypedCode value = emit(list);
    std::optional<Type> element = elementType(value.type);
    if (!element || isTensor(*element))
      fail(list, "'for' goes through a list, not through a value of type " +
                     nameOf(value.type));
    lists += ", " + value.code;
    std::string variable = local(name);
    parameters += (parameters.empty() ? "" : ", ") +
                  (cxxType(*element, form) + " " + variable).str();
    inside.define(name, *element, variable);
  }
  TypedCode element =
      ValueEmitter(functions, inside, record, form).emit(expr->children[0]);
  std::optional<Type> list = listType(element.type);
  if (!list)
    fail(expr->children[0], "an element of type " + nameOf(element.type) +
                                " does not go into a list");
  return {*list,
          ("::glow::expr::each<" + cxxType(*list, form) + ">([&](" +
           parameters + ") { return " + element.code + "; }" + lists + ")")
              .str()};
}

void ValueEmitter::checkWords(const ExprPtr &expr, const Record *kind) const {
  if (!kind || !kind->isSubClassOf("Choice"))
    return;
  if (isCallOf(expr, Builtin::If))
    for (const ExprPtr &branch : drop_begin(expr->children))
      checkWords(branch, kind);
  std::vector<StringRef> words = textsField<"Choice.words">(*kind);
  if (expr->kind == Expr::Kind::Text && !is_contained(words, expr->text))
    fail(expr, "'" + expr->text + "' is no word of '" + kind->getName() +
                   "', which has " + join(words, ", "));
}

/// The kind of the attribute that a name stands for, if it does.
static const Record *attributeKind(const Scope &scope, const ExprPtr &expr) {
  const Scope::Entry *entry =
      expr->kind == Expr::Kind::Name ? scope.find(expr->text) : nullptr;
  return entry ? entry->kind : nullptr;
}

/// For an operator with a boolean result: whether it takes these operands.
/// Nothing for other operators.
static std::optional<bool> comparesTo(StringRef op, const TypedCode &lhs,
                                      const TypedCode &rhs) {
  bool numbers = isNumber(lhs.type) && isNumber(rhs.type);
  if (op == "&&" || op == "||")
    return lhs.type == Type::Bool && rhs.type == Type::Bool;
  if (op == "==" || op == "!=")
    return lhs.type == rhs.type || numbers;
  if (op == "<" || op == ">" || op == "<=" || op == ">=")
    return numbers;
  return std::nullopt;
}

/// Element by element on lists, a number serving as a list of itself; `/` and
/// `%` of integers round towards minus infinity. Nothing for other operands.
static std::optional<TypedCode> arithmetic(StringRef op, const TypedCode &lhs,
                                           const TypedCode &rhs) {
  static const StringMap<StringRef> names = {{"+", "add"},
                                             {"-", "subtract"},
                                             {"*", "multiply"},
                                             {"/", "divide"},
                                             {"%", "modulo"}};
  auto integral = [](Type t) { return t == Type::Int || t == Type::Ints; };
  if (integral(lhs.type) && integral(rhs.type))
    return TypedCode{lhs.type == Type::Int ? rhs.type : Type::Ints,
                     "::glow::expr::" + names.lookup(op).str() + "(" +
                         lhs.code + ", " + rhs.code + ")"};
  if (!isNumber(lhs.type) || !isNumber(rhs.type) || op == "%")
    return std::nullopt;
  // Reals divide and multiply as C++ does; lists of them have no arithmetic.
  return TypedCode{Type::Real, "(double(" + lhs.code + ") " + op.str() +
                                   " double(" + rhs.code + "))"};
}

TypedCode ValueEmitter::emitBinary(const ExprPtr &expr) const {
  StringRef op = expr->text;
  TypedCode lhs = emit(expr->children[0]), rhs = emit(expr->children[1]);
  std::optional<bool> compares = comparesTo(op, lhs, rhs);
  std::optional<TypedCode> value =
      compares ? std::nullopt : arithmetic(op, lhs, rhs);
  if (!compares.value_or(value.has_value()))
    fail(expr, "'" + op + "' does not take " + nameOf(lhs.type) + " and " +
                   nameOf(rhs.type));
  if (value)
    return *value;
  for (size_t side : {0, 1})
    checkWords(expr->children[side],
               attributeKind(scope, expr->children[1 - side]));
  if (onTrees && (op == "==" || op == "!="))
    return {Type::Bool,
            (op == "==" ? "::glow::expr::equal("
                        : "::glow::expr::negation(::glow::expr::equal(") +
                lhs.code + ", " + rhs.code + (op == "==" ? ")" : "))")};
  return {Type::Bool, "(" + lhs.code + " " + op.str() + " " + rhs.code + ")"};
}

TypedCode ValueEmitter::emitUnary(const ExprPtr &expr) const {
  TypedCode value = emit(expr->children[0]);
  if (expr->text == "!") {
    if (value.type != Type::Bool)
      fail(expr, "'!' does not take " + nameOf(value.type));
    return {Type::Bool, onTrees ? "::glow::expr::negation(" + value.code + ")"
                                : "!" + value.code};
  }
  if (value.type == Type::Ints)
    return {Type::Ints,
            "::glow::expr::multiply(" + value.code + ", int64_t(-1))"};
  if (!isNumber(value.type))
    fail(expr, "'-' does not take " + nameOf(value.type));
  // The least number has no opposite; no literal is the least number.
  const bool isLiteral = expr->children[0]->kind == Expr::Kind::Integer;
  if (value.type == Type::Int && !onTrees && !isLiteral)
    return {Type::Int,
            "::glow::expr::subtract(int64_t(0), " + value.code + ")"};
  return {value.type, "(-" + value.code + ")"};
}

TypedCode ValueEmitter::emitSubscript(const ExprPtr &expr) const {
  TypedCode list = emit(expr->children[0]);
  if (list.type != Type::Ints && list.type != Type::Reals)
    fail(expr, "'" + textOf(expr->children[0]) + "' is of type " +
                   nameOf(list.type) + " and has no elements");
  if (expr->children.size() != 2)
    fail(expr, "a list takes one index");
  std::string index = emitAs(expr->children[1], Type::Int, "an index");
  return {list.type == Type::Ints ? Type::Int : Type::Real,
          "::glow::expr::at(" + list.code + ", " + index + ")"};
}

TypedCode ValueEmitter::emitList(const ExprPtr &expr) const {
  bool real = false;
  std::string code;
  std::vector<TypedCode> elements;
  for (const ExprPtr &child : expr->children) {
    bool spread = child->kind == Expr::Kind::Spread;
    TypedCode value = emit(spread ? child->children[0] : child);
    bool fits = spread ? value.type == Type::Ints || value.type == Type::Reals
                       : isNumber(value.type);
    if (!fits)
      fail(child, "an element of type " + nameOf(value.type) +
                      " does not go into a list");
    real |= value.type == Type::Real || value.type == Type::Reals;
    elements.push_back(value);
  }
  for (auto [child, value] : llvm::zip(expr->children, elements)) {
    if (!code.empty())
      code += ", ";
    code += child->kind == Expr::Kind::Spread ? value.code
            : real                            ? "double(" + value.code + ")"
                                              : value.code;
  }
  return {real ? Type::Reals : Type::Ints,
          (real                       ? "::glow::expr::reals("
           : form == ValueForm::Sizes ? "::glow::expr::sizes("
                                      : "::glow::expr::ints(") +
              code + ")"};
}

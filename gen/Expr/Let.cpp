//===- Let.cpp - functions of the language, written in the language -------===//
// SPDX-License-Identifier: MIT
//
// Arguments go to parameters as those of nodes do: by place, then by name, then
// what the parameter is initially.
//
//===----------------------------------------------------------------------===//

#include "Expr/Let.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Expr/Statements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::vector<LetFunction::Parameter> parametersOf(const Record &record) {
  std::vector<LetFunction::Parameter> result;
  const DagInit *dag = dagField<"Let.parameters">(record);
  for (auto [kind, name] : zip(dag->getArgs(), dag->getArgNames())) {
    auto *def = dyn_cast<DefInit>(kind);
    const Record *of = def ? def->getDef() : nullptr;
    if (!name || !of ||
        !(of->isSubClassOf("AttributeKind") || of->isSubClassOf("TensorKind")))
      fatalAt(nullptr, record,
              "a parameter of a function is written 'Ints:$name'");
    result.push_back(
        {name->getValue().str(),
         *typeNamed(
             textField<"AttributeKind.language", "TensorKind.language">(*of)),
         textField<"AttributeKind.initially", "TensorKind.initially">(*of)
             .str(),
         of});
  }
  return result;
}

/// A body is an expression, or statements.
static std::vector<Statement> bodyOf(const Record &record) {
  StringRef text = textField<"Let.body">(record);
  Parser whole(text, record);
  if (whole.atEnd())
    whole.fail("a function says nothing");
  // The body is parsed as an expression first. When text follows the
  // expression, as in `x = ...`, the body is parsed again, as statements.
  ExprPtr value = whole.expression();
  if (!whole.atEnd())
    return Parser(text, record).statements();
  Statement statement;
  statement.targets = {makeName("result")};
  statement.op = "=";
  statement.value = value;
  statement.at = value->at;
  return {statement};
}

/// Without names, the last statement gives the result.
static std::vector<std::string> resultsOf(const LetFunction &function) {
  std::vector<std::string> names;
  for (StringRef name : textsField<"Let.results">(*function.record))
    names.push_back(name.str());
  if (!names.empty())
    return names;
  const Statement &last = function.body.back();
  if (last.targets.empty())
    fatalAt(last.at, *function.record,
            "the last statement of '" + function.name + "' gives no result");
  for (const ExprPtr &target : last.targets)
    names.push_back(target->text);
  return names;
}

LetFunction glow::gen::readLet(const Record &record) {
  LetFunction function;
  function.name = record.getName().str();
  function.record = &record;
  function.parameters = parametersOf(record);
  function.body = bodyOf(record);
  function.results = resultsOf(function);
  return function;
}

static void checkNamesIn(const ExprPtr &expr, Scope names,
                         const Record &record) {
  bool isOwn = expr->kind != Expr::Kind::Name || names.find(expr->text);
  if (!isOwn)
    fatalAt(expr->at, record, unknownName(expr->text, names));
  for (const ExprPtr &child : reverse(expr->children)) {
    // The lists of what `for` binds stand behind the element.
    if (expr->kind == Expr::Kind::Each && child == expr->children.front())
      for (const std::string &name : expr->labels)
        names.define(name, Type::Int, name);
    checkNamesIn(child, names, record);
  }
}

static void failWithoutResult(const LetFunction &function) {
  fatalAt(nullptr, *function.record,
          "'" + function.name + "' gives no value to its result '" +
              function.results[0] + "'");
}

void glow::gen::checkElements(const LetFunction &function) {
  Scope names;
  for (StringRef known : {"infinity", "true", "false"})
    names.define(known, Type::Real, known);
  for (const LetFunction::Parameter &parameter : function.parameters)
    names.define(parameter.name, parameter.type, parameter.name);
  for (const Statement &statement : function.body) {
    if (statement.isLoop())
      fatalAt(statement.at, *function.record,
              "a function of single elements has no loop");
    checkNamesIn(statement.value, names, *function.record);
    names.define(statement.targets[0]->text, Type::Real, "");
  }
  if (!names.find(function.results[0]))
    failWithoutResult(function);
}

std::vector<ExprPtr> glow::gen::argumentsOf(const LetFunction &function,
                                            const ExprPtr &call,
                                            const Record &record) {
  const auto &parameters = function.parameters;
  std::vector<ExprPtr> given(parameters.size());
  size_t next = 0;
  for (auto [i, child] : enumerate(call->children)) {
    size_t slot = next;
    if (call->labels[i].empty())
      ++next;
    else
      slot = find_if(parameters,
                     [&, i = i](const auto &p) {
                       return p.name == call->labels[i];
                     }) -
             parameters.begin();
    if (slot >= parameters.size() && !call->labels[i].empty())
      fatalAt(child->at, record,
              "'" + function.name + "' has no parameter '" + call->labels[i] +
                  "'");
    if (slot >= parameters.size())
      fatalAt(call->at, record,
              "'" + function.name + "' takes " +
                  counted(parameters.size(), "argument") + ", not " +
                  Twine(call->children.size()));
    if (given[slot])
      fatalAt(child->at, record,
              "'" + parameters[slot].name + "' of '" + function.name +
                  "' is given twice");
    given[slot] = child;
  }
  for (auto [argument, parameter] : zip_equal(given, parameters)) {
    if (argument)
      continue;
    if (parameter.initially.empty())
      fatalAt(call->at, record,
              "'" + function.name + "' needs '" + parameter.name + "'");
    // Read in the record of the kind, where a caret can point to it.
    argument = Parser(parameter.initially, *parameter.kind).expression();
  }
  return given;
}

std::string glow::gen::parameterType(Type type, ValueForm form) {
  const bool isLarge = type == Type::Text || type == Type::Ints ||
                       type == Type::Reals || type == Type::Tensors ||
                       (type == Type::Int && form == ValueForm::Sizes);
  return isLarge ? ("const " + cxxType(type, form) + " &").str()
                 : (cxxType(type, form) + " ").str();
}

std::string glow::gen::declarationOf(const LetFunction &function) {
  std::string parameters;
  for (const LetFunction::Parameter &parameter : function.parameters)
    parameters += (parameters.empty() ? "" : ", ") +
                  parameterType(parameter.type) + local(parameter.name);
  return (cxxType(function.result) + " " + function.name + "(" + parameters +
          ")")
      .str();
}

namespace {

/// The body of a function on values.
class ValueStatements final : public StatementEmitter {
public:
  ValueStatements(const Functions &functions, const Record &record, Scope scope,
                  raw_ostream &os)
      : StatementEmitter(record, std::move(scope), os), functions(functions) {}

private:
  TypedCode emit(const ExprPtr &expr) override {
    return ValueEmitter(functions, scope, record).emit(expr);
  }
  void call(const Statement &statement) override {
    fail(statement.value, "a function of values has no graph to refuse: a "
                          "statement assigns");
  }
  void unpack(const Statement &statement) override {
    fail(statement.targets[1], "one value for several names");
  }

  const Functions &functions;
};

} // namespace

Type glow::gen::defineLet(const LetFunction &function,
                          const Functions &functions, raw_ostream &os) {
  Scope scope;
  for (const LetFunction::Parameter &parameter : function.parameters)
    scope.define(parameter.name, parameter.type, local(parameter.name));
  os << declarationOf(function) << " {\n";
  ValueStatements emitter(functions, *function.record, scope, os);
  emitter.statements(function.body);
  const Scope::Entry *result = emitter.names().find(function.results[0]);
  if (!result)
    failWithoutResult(function);
  os << "  return " << result->spelling << ";\n}\n\n";
  return result->type;
}

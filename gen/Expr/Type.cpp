//===- Type.cpp - types, names and functions of the record language -------===//
// SPDX-License-Identifier: MIT
//
// A function of the language may be written in the language. It has one of
// three forms, which follows from its callees: on values alone, on elements of
// tensors, or on a graph. So a function is ordered after its callees. A
// recursive function is refused: every program of the language ends.
//
//===----------------------------------------------------------------------===//

#include "Expr/Type.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "Expr/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static constexpr std::pair<const char *, Type> typeNames[] = {
    {"int", Type::Int},   {"bool", Type::Bool},     {"real", Type::Real},
    {"text", Type::Text}, {"ints", Type::Ints},     {"reals", Type::Reals},
    {"kind", Type::Kind}, {"tensor", Type::Tensor}, {"tensors", Type::Tensors}};

StringRef glow::gen::nameOf(Type type) {
  for (auto [name, candidate] : typeNames)
    if (candidate == type)
      return name;
  return "";
}

std::optional<Type> glow::gen::typeNamed(StringRef name) {
  for (auto [candidate, type] : typeNames)
    if (name == candidate)
      return type;
  return std::nullopt;
}

StringRef glow::gen::cxxType(Type type, ValueForm form) {
  const bool mayVary = form == ValueForm::Sizes;
  switch (type) {
  case Type::Int:
    return mayVary ? "::glow::Size" : "int64_t";
  case Type::Bool:
    return "bool";
  case Type::Real:
    return "double";
  case Type::Text:
    return "std::string";
  case Type::Ints:
    return mayVary ? "::glow::Sizes" : "::glow::Ints";
  case Type::Reals:
    return "::glow::Reals";
  case Type::Kind:
    return "::mlir::Type";
  case Type::Tensor:
    return "::mlir::Value";
  case Type::Tensors:
    return "::llvm::SmallVector<::mlir::Value>";
  }
  return "";
}

std::string glow::gen::local(StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    // `d.x` is the gradient of x.
    if (c == '.')
      c = '_';
  // No name of the language meets one of C++ or of the code around it.
  return result + "_";
}

static std::vector<std::string> strings(const std::vector<StringRef> &values) {
  std::vector<std::string> result;
  for (StringRef value : values)
    result.push_back(value.str());
  return result;
}

Functions::Functions(const RecordKeeper &records) {
  for (const Record *record : records.getAllDerivedDefinitions("Function")) {
    FunctionType function{textField<"Function.name">(*record).str(),
                          strings(textsField<"Function.parameters">(*record)),
                          textField<"Function.result">(*record).str()};
    functions.emplace(function.name, function);
  }
  for (const Record *record :
       records.getAllDerivedDefinitions("ScalarFunction")) {
    ScalarType function{
        textField<"ScalarFunction.name">(*record).str(),
        unsigned(intField<"ScalarFunction.arity">(*record)),
        strings(textsField<"ScalarFunction.derivatives">(*record)),
        unsigned(intField<"ScalarFunction.operations">(*record)), record};
    scalars.emplace(function.name, function);
  }
  for (const Record *record :
       records.getAllDerivedDefinitionsIfDefined("Let")) {
    auto function = std::make_unique<LetFunction>(readLet(*record));
    letFunctions.emplace(function->name, std::move(function));
  }
  std::vector<const LetFunction *> open;
  for (const auto &[name, function] : letFunctions)
    order(*function, open);
}

Functions::~Functions() = default;

const LetFunction *Functions::findLet(StringRef name) const {
  auto found = letFunctions.find(std::string_view(name));
  return found == letFunctions.end() ? nullptr : found->second.get();
}

static void collectCalls(const ExprPtr &expr, std::vector<ExprPtr> &calls) {
  if (expr->kind == Expr::Kind::Call)
    calls.push_back(expr);
  for (const ExprPtr &child : expr->children)
    collectCalls(child, calls);
}

static std::vector<ExprPtr> callsIn(const LetFunction &function) {
  std::vector<ExprPtr> calls;
  for (const ExprPtr &value : valuesOf(function.body))
    collectCalls(value, calls);
  return calls;
}

bool Functions::needsGraph(const LetFunction &function) const {
  if (function.results.size() != 1 ||
      any_of(function.parameters,
             [](const auto &parameter) { return isTensor(parameter.type); }) ||
      any_of(function.body, [](const Statement &statement) {
        return !statement.isLoop() && statement.targets.empty();
      }))
    return true;
  return any_of(callsIn(function), [&](const ExprPtr &call) {
    // Callees were put in order before, and know their form.
    const LetFunction *let = findLet(call->text);
    return let ? let->onGraph()
               : call->text != "if" && !find(call->text) &&
                     !scalars.count(call->text);
  });
}

bool Functions::needsElements(const LetFunction &function) const {
  return any_of(callsIn(function), [&](const ExprPtr &call) {
    const LetFunction *let = findLet(call->text);
    return let ? let->form == LetFunction::Form::Elements
               : call->text != "if" && !find(call->text);
  });
}

/// Puts a function behind all that it calls, and finds out what it is.
void Functions::order(const LetFunction &function,
                      std::vector<const LetFunction *> &open) {
  if (is_contained(inOrder, &function))
    return;
  open.push_back(&function);
  for (const ExprPtr &call : callsIn(function))
    if (const LetFunction *callee = findLet(call->text)) {
      if (is_contained(open, callee))
        fatalAt(call->at, *function.record,
                "'" + function.name + "' calls '" + callee->name + "', which " +
                    (callee == &function ? "is itself" : "leads back to it") +
                    "; a function of the language ends by construction");
      order(*callee, open);
    }
  open.pop_back();
  LetFunction &mine = *letFunctions.find(function.name)->second;
  mine.form = needsGraph(function)      ? LetFunction::Form::Graph
              : needsElements(function) ? LetFunction::Form::Elements
                                        : LetFunction::Form::Values;
  if (mine.form == LetFunction::Form::Elements)
    checkElements(mine);
  if (mine.onValues())
    // Written once to nowhere: its type is that of the result.
    mine.result = defineLet(function, *this, nulls());
  inOrder.push_back(&function);
}

ExprPtr Functions::written(const ExprPtr &expr, const Record &record) const {
  // A part without a call of a function is not copied: most parts are.
  std::shared_ptr<Expr> copy;
  for (auto [i, child] : enumerate(expr->children))
    if (ExprPtr now = written(child, record); now != child) {
      if (!copy)
        copy = std::make_shared<Expr>(*expr);
      copy->children[i] = std::move(now);
    }
  const ExprPtr call = copy ? copy : expr;
  const LetFunction *function =
      expr->kind == Expr::Kind::Call ? findLet(expr->text) : nullptr;
  if (!function)
    return call;
  StringMap<ExprPtr> values;
  for (auto [parameter, argument] :
       zip_equal(function->parameters, argumentsOf(*function, call, record)))
    // By name: an argument is written in as often as it is used, which costs
    // nothing where no node is built.
    values[parameter.name] = argument;
  for (const Statement &statement : function->body) {
    if (statement.isLoop() || statement.targets.size() != 1)
      fatalAt(expr->at, record,
              "'" + function->name +
                  "' has a loop or a requirement, which cannot be written out "
                  "here");
    // Statements are replaced by what they say, from the first to the last: a
    // later one may use the names before.
    values[statement.targets[0]->text] =
        written(substitute(statement.value, values), *function->record);
  }
  return values[function->results[0]];
}

const FunctionType *Functions::find(StringRef name) const {
  auto found = functions.find(std::string_view(name));
  return found == functions.end() ? nullptr : &found->second;
}

bool Functions::isDeclared(StringRef name) const {
  return find(name) || scalars.count(name.str());
}

const ScalarType *Functions::findScalar(StringRef name) const {
  auto found = scalars.find(std::string_view(name));
  return found == scalars.end() ? nullptr : &found->second;
}

bool Functions::isOfAttributes(const ExprPtr &call) const {
  return call->kind == Expr::Kind::Call && !findScalar(call->text) &&
         find(call->text);
}

const ScalarType &Functions::scalarOf(const ExprPtr &call,
                                      const Record &record) const {
  const ScalarType *function = findScalar(call->text);
  if (!function)
    fatalAt(call->at, record, "unknown function '" + call->text + "'");
  if (call->children.size() != function->arity)
    fatalAt(call->at, record,
            "'" + call->text + "' takes " +
                counted(function->arity, "argument") + ", not " +
                Twine(call->children.size()));
  return *function;
}

void Scope::define(StringRef name, Type type, StringRef spelling,
                   const Record *kind) {
  entries[name.str()] = {type, spelling.str(), kind};
}

const Scope::Entry *Scope::find(StringRef name) const {
  auto found = entries.find(std::string_view(name));
  return found == entries.end() ? nullptr : &found->second;
}

std::string glow::gen::counted(size_t count, StringRef noun) {
  return (Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

std::optional<std::string> Scope::closest(StringRef name) const {
  std::optional<std::string> best;
  // Two letters off at most: more is another word.
  unsigned distance = 3;
  for (const auto &[candidate, entry] : entries) {
    // A lower-case name is never a misspelled kind variable.
    if (entry.type == Type::Kind && isUpper(candidate.front()) &&
        !isUpper(name.front()))
      continue;
    unsigned d = name.edit_distance(candidate, true, distance);
    if (d < distance) {
      distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string glow::gen::unknownName(StringRef name, const Scope &scope) {
  auto closest = scope.closest(name);
  return ("unknown name '" + name + "'" +
          (closest ? "; did you mean '" + *closest + "'?" : ""))
      .str();
}

std::string glow::gen::quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

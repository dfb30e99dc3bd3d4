//===- GraphFunctions.cpp - functions that build nodes --------------------===//
// SPDX-License-Identifier: MIT
//
// A function that builds nodes is emitted once for a purpose, when a call of it
// is first met. Its results are parameters, since any of its statements may
// fail.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Graph.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The parameters that precede a function's own, for this purpose.
static StringRef contextOf(Purpose purpose) {
  return purpose == Purpose::Import
             ? "::glow::ImportContext &import"
             : "::mlir::OpBuilder &builder, ::mlir::Location location, "
               "::glow::Refuse refuse";
}

static std::string functionOf(const LetFunction &function) {
  return function.name + "Function";
}

const GraphFunctions::Made &GraphFunctions::make(const LetFunction &function) {
  if (auto known = made.find(&function); known != made.end())
    return known->second;
  Scope scope;
  std::string parameters = contextOf(purpose).str();
  for (const LetFunction::Parameter &parameter : function.parameters) {
    scope.define(parameter.name, parameter.type, local(parameter.name));
    parameters += ", " + parameterType(parameter.type) + local(parameter.name);
  }
  std::string code;
  raw_string_ostream os(code);
  GraphEmitter emitter(*this, *function.record, scope, os);
  emitter.statements(function.body);
  Made mine;
  for (const std::string &name : function.results) {
    const Scope::Entry *entry = emitter.names().find(name);
    if (!entry)
      fatalAt(nullptr, *function.record,
              "'" + function.name + "' gives no value to its result '" + name +
                  "'");
    parameters +=
        (", " + cxxType(entry->type) + " &result" + Twine(mine.results.size()))
            .str();
    os << formatv("  result{0} = {1};\n", mine.results.size(), entry->spelling);
    mine.results.push_back(entry->type);
  }
  mine.built = emitter.nodesBuilt();
  StringRef context = purpose == Purpose::Import
                          ? "  [[maybe_unused]] ::mlir::OpBuilder &builder = "
                            "import.builder();\n"
                            "  [[maybe_unused]] ::mlir::Location location = "
                            "import.location();\n"
                          : "";
  // Callees come first: they were made while this body was emitted.
  text += formatv("/// {0}\nstatic ::llvm::LogicalResult {1}({2}) {{\n{3}{4}  "
                  "return ::llvm::success();\n}\n\n",
                  placeOf(*function.record), functionOf(function), parameters,
                  context, code);
  return made[&function] = std::move(mine);
}

std::vector<TypedCode> GraphEmitter::callLet(const LetFunction &function,
                                             const ExprPtr &call) {
  const GraphFunctions::Made &made = functions.make(function);
  // Nodes that the function builds count as built by its caller: the proof of
  // termination covers all of them.
  built.insert(made.built.begin(), made.built.end());
  std::string arguments =
      purpose == Purpose::Import ? "import" : "builder, location, refuse";
  for (auto [parameter, given] :
       zip_equal(function.parameters, argumentsOf(function, call, record))) {
    std::string what = "'" + parameter.name + "' of '" + function.name + "'";
    if (parameter.type == Type::Tensor) {
      arguments +=
          ", " + (given->isName("none") ? "::mlir::Value()" : tensor(given));
    } else if (parameter.type == Type::Tensors) {
      TypedCode list = emit(given);
      if (list.type != Type::Tensors)
        fail(given, what + " is of type " + nameOf(list.type) +
                        ", but must be " + nameOf(Type::Tensors));
      arguments += ", " + list.code;
    } else {
      arguments += ", " + ValueEmitter(model.functions, scope, record)
                              .emitAs(flatten(given), parameter.type, what);
    }
  }
  std::vector<TypedCode> results;
  for (Type type : made.results) {
    results.push_back({type, fresh()});
    os() << formatv("  {0} {1}{{};\n", cxxType(type), results.back().code);
    arguments += ", " + results.back().code;
  }
  os() << formatv("  if (failed({0}({1})))\n    return ::llvm::failure();\n",
                  functionOf(function), arguments);
  return results;
}

TypedCode GraphEmitter::oneResult(const LetFunction &function,
                                  const ExprPtr &call) {
  std::vector<TypedCode> results = callLet(function, call);
  if (results.size() != 1)
    fail(call,
         "'" + function.name + "' has " + counted(results.size(), "result") +
             ", which a statement takes by name, 'a, b = " + function.name +
             "(...)'");
  return results[0];
}

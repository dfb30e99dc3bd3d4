//===- ScalarFunctions.cpp - functions of one element, for code -----------===//
// SPDX-License-Identifier: MIT
//
// Generated CPU code calls a function on sixteen elements for each
// ScalarFunction record, which is inlined into the loop. The widest vector
// registers hold sixteen f32 elements; narrower ones take several registers.
// Every kind has vectors of sixteen elements, whatever its size.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Calls `visit` with each function that has a vector form, and its kinds.
static void
forEachScalarFunction(const Model &model,
                      function_ref<void(const Record &, StringRef)> visit) {
  for (const Record *record :
       model.records.getAllDerivedDefinitions("ScalarFunction"))
    for (StringRef kind : textsField<"ScalarFunction.kinds">(*record))
      visit(*record, kind);
}

static bool emitScalarFunctions(const Model &model, raw_ostream &os) {
  forEachScalarFunction(model, [&](const Record &function, StringRef kind) {
    StringRef vector = StringSwitch<StringRef>(kind)
                           .Case("f32", "V16f")
                           .Case("f64", "V16d")
                           .Case("u64", "V16ul")
                           .Default("V16l");
    bool wide = kind != "f32";
    std::string parameters = wide ? (vector + " &result").str() : "", names;
    for (int64_t i = 0; i < intField<"ScalarFunction.arity">(function); ++i) {
      std::string name(1, char('a' + i));
      parameters += (parameters.empty() ? "" : ", ") +
                    (wide ? "const " + vector + " &" : vector + " ").str() +
                    name;
      names += (i ? ", " : "") + name;
    }
    os << formatv("[[gnu::always_inline]] {0} glow_function_{1}_{2}({3}) {{\n"
                  "  {4} numbers<{5}>(::glow::vector::{1}({6}));\n}\n",
                  wide ? "void" : vector,
                  textField<"ScalarFunction.name">(function), kind, parameters,
                  wide ? "result =" : "return", vector, names);
  });
  return false;
}

/// {function, kind}.
static bool emitScalarTable(const Model &model, raw_ostream &os) {
  forEachScalarFunction(model, [&](const Record &function, StringRef kind) {
    os << formatv("{{{0}, ::glow::ElementKind::{1}},\n",
                  quoted(textField<"ScalarFunction.name">(function)),
                  kind.upper());
  });
  return false;
}

static Emitter scalarFunctions("gen-scalar-functions",
                               "emit scalar functions as functions of vectors",
                               emitScalarFunctions);
static Emitter scalarTable("gen-scalar-table",
                           "list the scalar functions that vectors have",
                           emitScalarTable);

/// A line for each function that is known for doubles, whose arguments are `x`.
static bool emitScalarCalls(const Model &model, raw_ostream &os) {
  forEachScalarFunction(model, [&](const Record &function, StringRef kind) {
    if (kind != "f32")
      return;
    StringRef name = textField<"ScalarFunction.name">(function);
    std::string x;
    for (int64_t i = 0; i < intField<"ScalarFunction.arity">(function); ++i)
      x += (i ? ", x[" : "x[") + std::to_string(i) + "]";
    os << formatv(
        "  if (function == {0})\n    return ::glow::scalar::{1}({2});\n",
        quoted(name), name, x);
  });
  return false;
}

static Emitter scalarCalls("gen-scalar-calls",
                           "emit calls of the scalar functions of doubles",
                           emitScalarCalls);

/// A line for each function with the number of its operands.
static bool emitScalarArities(const Model &model, raw_ostream &os) {
  StringSet<> known;
  forEachScalarFunction(model, [&](const Record &function, StringRef) {
    StringRef name = textField<"ScalarFunction.name">(function);
    if (known.insert(name).second)
      os << formatv("  if (function == {0})\n    return {1};\n", quoted(name),
                    intField<"ScalarFunction.arity">(function));
  });
  return false;
}

static Emitter scalarArities("gen-scalar-arities",
                             "list how many operands scalar functions have",
                             emitScalarArities);

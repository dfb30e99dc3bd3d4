//===- FunctionReference.cpp - the page of functions ----------------------===//
// SPDX-License-Identifier: MIT
//
// The page has a table for each kind of function: on compile-time values, on
// elements, and on a graph. A function without a summary serves the records
// beside it, and is not listed.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

namespace {

/// The tables of the page. Each has its rows in the order of the names.
struct Tables {
  std::multimap<std::string, std::string> values, elements, graph;
};

} // namespace

/// One row; a bar inside of a cell is written behind a backslash.
static void addRow(std::multimap<std::string, std::string> &table,
                   StringRef name, ArrayRef<std::string> cells,
                   const Record &record) {
  std::string row = "|";
  for (StringRef cell : cells) {
    SmallVector<StringRef> parts;
    cell.split(parts, '|');
    row += " " + join(parts, "\\|") + " |";
  }
  table.emplace(name.str(), row + " `" + placeOf(record) + "` |\n");
}

static std::string code(const Twine &text) { return ("`" + text + "`").str(); }

static void addFunction(const Record &record, Tables &tables) {
  StringRef name = textField<"Function.name">(record);
  StringRef summary = textField<"Function.summary">(record);
  if (summary.empty())
    return;
  addRow(tables.values, name,
         {code(name + "(" +
               join(textsField<"Function.parameters">(record), ", ") + ")"),
          textField<"Function.result">(record).str(), summary.str()},
         record);
}

static void addScalar(const Record &record, Tables &tables) {
  StringRef name = textField<"ScalarFunction.name">(record);
  StringRef summary = textField<"ScalarFunction.summary">(record);
  if (summary.empty())
    return;
  std::string call = (name + "(a").str();
  for (int64_t i = 1; i < intField<"ScalarFunction.arity">(record); ++i)
    call += std::string(", ") + char('a' + i);
  std::string derivatives;
  for (StringRef one : textsField<"ScalarFunction.derivatives">(record))
    derivatives += (derivatives.empty() ? "" : ", ") + code(one);
  addRow(tables.elements, name, {code(call + ")"), summary.str(), derivatives},
         record);
}

/// `place(list: ints, axes: ints)`, with the values of omitted parameters.
static std::string callOf(const LetFunction &function) {
  std::string parameters;
  for (const LetFunction::Parameter &parameter : function.parameters)
    parameters +=
        (Twine(parameters.empty() ? "" : ", ") + parameter.name + ": " +
         nameOf(parameter.type) +
         (parameter.initially.empty() ? "" : " = " + parameter.initially))
            .str();
  return code(function.name + "(" + parameters + ")");
}

static void addLet(const Model &model, const Record &record, Tables &tables) {
  const LetFunction &function = *model.functions.findLet(record.getName());
  std::string summary = textField<"Let.summary">(record).str();
  if (summary.empty())
    return;
  const std::string call = callOf(function);
  switch (function.form) {
  case LetFunction::Form::Values:
    return addRow(tables.values, function.name,
                  {call, nameOf(function.result).str(), summary}, record);
  case LetFunction::Form::Elements:
    return addRow(tables.elements, function.name, {call, summary, ""}, record);
  case LetFunction::Form::Graph:
    return addRow(tables.graph, function.name, {call, summary}, record);
  }
}

static void emitTable(StringRef heading, StringRef columns,
                      const std::multimap<std::string, std::string> &rows,
                      raw_ostream &os) {
  if (rows.empty())
    return;
  os << "\n## " << heading << "\n\n" << columns << "\n|";
  for (size_t i = 1; i < columns.count('|'); ++i)
    os << "---|";
  os << "\n";
  for (const auto &[name, row] : rows)
    os << row;
}

static bool emitFunctionReference(const Model &model, raw_ostream &os) {
  Tables tables;
  for (const Record *record : model.own("Function"))
    addFunction(*record, tables);
  for (const Record *record : model.own("ScalarFunction"))
    addScalar(*record, tables);
  for (const Record *record : model.own("Let"))
    addLet(model, *record, tables);
  os << "# Functions\n\nMade from the records; do not edit. The functions of "
        "the language of the records.\nFunctions that are part of the language "
        "itself are in docs/Language.md.\n";
  emitTable("Functions on compile-time values",
            "| function | result | meaning | declared in |", tables.values, os);
  emitTable("Functions on elements",
            "| function | meaning | derivatives | declared in |",
            tables.elements, os);
  emitTable("Functions on tensors of a graph",
            "| function | meaning | declared in |", tables.graph, os);
  return false;
}

static Emitter reference("gen-function-reference",
                         "emit the reference of functions",
                         emitFunctionReference);

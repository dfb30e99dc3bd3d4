//===- HostOperators.cpp - from HostOperator records to a table -----------===//
// SPDX-License-Identifier: MIT
//
// The compiler holds each definition to its declaration. A function that a
// record names and nothing defines fails when Glow is linked, and a wrong
// signature when it is compiled.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::vector<StringRef> inputNamesOf(const Record &record) {
  std::vector<StringRef> inputs;
  for (const Init *argument :
       dagField<"HostOperator.inputs">(record)->getArgs())
    inputs.push_back(cast<StringInit>(argument)->getValue());
  return inputs;
}

/// Each function once, however many versions of operators share it.
static bool emitDeclarations(const Model &model, raw_ostream &os) {
  std::set<StringRef> seen;
  for (const Record *record : model.own("HostOperator"))
    for (auto [function, argument] :
         {std::pair(textField<"HostOperator.hand">(*record), "HostCall &call"),
          std::pair(textField<"HostOperator.check">(*record),
                    "const HostNode &node")})
      if (!function.empty() && seen.insert(function).second)
        os << formatv("/// {0}: {1}\nStatus {2}({3});\n", placeOf(*record),
                      textField<"HostOperator.operator">(*record), function,
                      argument);
  return false;
}

static std::string quotedList(ArrayRef<StringRef> texts) {
  std::string list;
  for (StringRef text : texts)
    list += quoted(text) + ", ";
  return list;
}

/// The kinds of inputs, up to the last input that has one.
static std::string kindsOf(const Record &record, ArrayRef<StringRef> inputs) {
  const DagInit *dag = dagField<"HostOperator.kinds">(record);
  std::string names, table;
  for (StringRef input : inputs) {
    StringRef kind;
    for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
      if (name->getValue() == input.rtrim("?."))
        kind = cast<StringInit>(init)->getValue();
    table += quoted(kind) + ", ";
    if (!kind.empty())
      names = table;
  }
  return names;
}

static bool emitTable(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\n";
  for (auto [index, record] : enumerate(model.own("HostOperator"))) {
    std::vector<StringRef> inputs = inputNamesOf(*record);
    size_t fewest = 0;
    for (auto [place, input] : enumerate(inputs))
      if (!input.ends_with("?") && !input.ends_with("..."))
        fewest = place + 1;
    bool many = !inputs.empty() && inputs.back().ends_with("...");
    std::string names = ("host" + Twine(index)).str();
    emitNames(names + "Inputs", quotedList(inputs), os);
    emitNames(names + "Attributes",
              quotedList(textsField<"HostOperator.attributes">(*record)), os);
    emitNames(names + "Kinds", kindsOf(*record, inputs), os);
    StringRef check = textField<"HostOperator.check">(*record);
    table += formatv("    {{{0}, {1}, {2}, host::{3}, {4}Inputs, "
                     "{4}Attributes, {5}, {6}, {7}, {9}, {10}, {11}, {12}, "
                     "{4}Kinds}, // {8}\n",
                     quoted(textField<"HostOperator.domain">(*record)),
                     quoted(textField<"HostOperator.operator">(*record)),
                     intField<"HostOperator.since">(*record),
                     textField<"HostOperator.hand">(*record), names, fewest,
                     many ? "~0u" : std::to_string(inputs.size()),
                     quoted(textField<"HostReason.text">(
                         *recordField<"HostOperator.why">(*record))),
                     placeOf(*record),
                     bitField<"HostOperator.unlessConstant">(*record),
                     bitField<"HostOperator.movesElements">(*record),
                     bitField<"HostOperator.isCopy">(*record),
                     check.empty() ? "nullptr" : ("host::" + check).str());
  }
  os << "const ::std::vector<::glow::HostEntry> hostTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

static Emitter declarations("gen-host-decls",
                            "declare the functions of host operators",
                            emitDeclarations);
static Emitter hostOperators("gen-host-operators",
                             "emit the table of operators that run on the host",
                             emitTable);

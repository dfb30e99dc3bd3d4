//===- CxxNames.cpp - refusals that concern names in C++ ------------------===//
// SPDX-License-Identifier: MIT
//
// Records become classes, functions and enumerations. A name that is no C++
// identifier, or that C++ code uses already, is refused at the record.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "glow/Base/WordsOfCxx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using glow::isWordOfCxx;
using namespace glow::gen;
using namespace llvm;

/// Whether the name is a type of Glow's headers, or a type of MLIR that
/// operator code uses.
static bool isTypeOfCxx(StringRef name) {
  static const StringSet<> types = {
#include "CxxNames.inc"
      "Attribute", "Block",        "Builder", "Location",  "Op",
      "OpBuilder", "OpFoldResult", "OpState", "Operation", "Region",
      "Type",      "TypeRange",    "Value",   "ValueRange"};
  return types.contains(name);
}

static bool isPartOfName(char c) { return isAlnum(c) || c == '_'; }

static void checkType(const Record &record, StringRef what) {
  if (isTypeOfCxx(cxxName(record)))
    fatalAt(nullptr, record,
            what + " '" + record.getName() +
                "' has the name of a type of C++ that is there already; give "
                "the record another");
}

/// A mnemonic begins with a small letter and is one word in the text forms.
static void checkMnemonic(const Record &record, StringRef what) {
  StringRef name = record.getValueAsString("opName");
  if (!name.empty() && isLower(name[0]) && all_of(name, isPartOfName))
    return;
  fatalAt(positionOf(("\"" + name + "\"").str(), record), record,
          "'" + name + "' is no mnemonic of " + what + " '" + record.getName() +
              "': that begins with a small letter, and has letters, digits and "
              "'_' alone");
}

/// A function that generated code calls, by a name of C++.
static void checkFunction(const Record &record, StringRef name,
                          StringRef what) {
  StringRef rest = name;
  while (!rest.empty()) {
    auto [part, behind] = rest.split("::");
    bool isName = !part.empty() && !isDigit(part[0]) &&
                  all_of(part, isPartOfName) && !isWordOfCxx(part);
    if (!isName || (behind.empty() && rest.ends_with("::")))
      fatalAt(positionOf(("\"" + name + "\"").str(), record), record,
              "'" + name + "' is no name of a function in C++, as which " +
                  what + " calls it");
    rest = behind;
  }
}

void glow::gen::checkCxxNames(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    checkType(node->record, "node");
    checkMnemonic(node->record, "node");
    checkFunction(node->record, node->hand, "the node");
  }
  for (const Record *choice : model.own("Choice"))
    if (!choice->isAnonymous())
      checkType(*choice, "choice");
  for (const Record *instr : model.own("Instr")) {
    checkMnemonic(*instr, "instruction");
    checkFunction(*instr, textField<"Instr.hand">(*instr), "the instruction");
  }
  for (const Record *kernel : model.own("Kernel")) {
    StringRef name = textField<"Kernel.function">(*kernel);
    if (name.empty())
      fatalAt(nullptr, *kernel, "a kernel has no name");
    checkFunction(*kernel, name, "the backend");
  }
  for (const Record *code : model.own("CodeFor"))
    checkFunction(*code, textField<"CodeFor.emitter">(*code), "the backend");
  for (const Record *function : model.own("Function"))
    // `int` is called integerOf in C++.
    if (textField<"Function.name">(*function) != "int")
      checkFunction(*function, textField<"Function.name">(*function),
                    "the language");
}

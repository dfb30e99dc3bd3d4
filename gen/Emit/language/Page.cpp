//===- Page.cpp - shared parts of the reference pages ---------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Page.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

std::string glow::gen::oneLine(StringRef text) {
  SmallVector<StringRef> words;
  SplitString(text, words);
  return join(words, " ");
}

std::string glow::gen::inBrief(StringRef text) {
  constexpr size_t most = 800;
  std::string line = oneLine(text);
  return line.size() <= most ? line : line.substr(0, most) + " ...";
}

std::string glow::gen::meaningOf(const NodeModel &node) {
  if (node.isPointwise())
    return node.outputs[0].name + " = " + textOf(node.formulaTree());
  return inBrief(node.compute.empty() ? node.lowering : node.compute);
}

/// The placeholder for the value of an attribute in text.
static StringRef placeholderOf(const Attribute &attribute) {
  return StringSwitch<StringRef>(
             textField<"AttributeKind.form">(*attribute.kind))
      .Case("Int", "INT")
      .Case("Flag", "true|false")
      .Case("Real", "REAL")
      .Case("Text", "\"TEXT\"")
      .Case("Formula", "\"FORMULA\"")
      .Case("Ints", "[INT, ...]")
      .Case("Reals", "[REAL, ...]")
      .Case("Kind", "KIND");
}

std::string glow::gen::grammarOf(const NodeModel &node) {
  unsigned varying = count_if(node.inputs, [](const TensorSignature &tensor) {
    return tensor.optional || tensor.variadic;
  });
  std::string text = "glow." + node.mnemonic;
  StringRef before = " ";
  for (const TensorSignature &tensor : node.inputs) {
    std::string name = "%" + tensor.name;
    if (tensor.variadic)
      name = varying > 1 ? "[" + name + ", ...]" : name + ", ...";
    text += (before + name + (tensor.optional ? "|none" : "")).str();
    before = ", ";
  }
  for (const Attribute &attribute : node.attributes)
    text += (" " + attribute.name + " " + placeholderOf(attribute)).str();
  return text + " : TYPES";
}

void glow::gen::emitAttributeRows(const std::vector<Attribute> &attributes,
                                  raw_ostream &os) {
  for (const Attribute &attribute : attributes) {
    os << "| attribute | `" << attribute.name << "` | "
       << attribute.kind->getValueAsString("summary");
    if (!attribute.initially.empty())
      os << ", `" << attribute.initially << "` if left out";
    os << " |\n";
  }
}

std::string glow::gen::whenOf(const Record &legal) {
  std::string when;
  auto add = [&](const std::string &condition) {
    when += (when.empty() || condition.empty() ? "" : " && ") + condition;
  };
  add(oneLine(textField<"Legal.condition", "CodeFor.condition">(legal)));
  for (const KindBinding &binding :
       kindBindings(legal, dagField<"Legal.kinds", "CodeFor.kinds">(legal)))
    add(binding.variable.str() + " in " + join(binding.kinds, "|"));
  return when;
}

std::string glow::gen::whenOfCode(const Record &code) {
  std::string when = whenOf(code);
  auto add = [&](const std::vector<StringRef> &operands, const char *are) {
    if (!operands.empty())
      when += (when.empty() ? "" : " && ") + join(operands, ", ") + are;
  };
  add(textsField<"CodeFor.known">(code), " constant");
  add(textsField<"CodeFor.absent">(code), " absent");
  if (bitField<"CodeFor.mayDecline">(code))
    when += (when.empty() ? "" : " && ") + std::string("faster");
  return when;
}

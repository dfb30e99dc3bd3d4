//===- Page.cpp - what the pages of the reference share -------------------===//

#include "Emit/Page.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringExtras.h"
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

//===- Calls.cpp - named arguments of instructions ------------------------===//
// SPDX-License-Identifier: MIT
//
// Emits a struct for each instruction. The including file declares
// `CallView`, which defines the types of buffers and attributes and finds them
// by their position. A call is constructed from such a source, or with names,
// ConvCall{.out = y, ...}. A visitor sees its members in the record's order.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Calls.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

std::string glow::gen::callOf(const Record &instr) {
  StringRef name = instr.getName();
  name.consume_back("Instr");
  return (name + "Call").str();
}

const Record *glow::gen::instrOf(const Model &model, const NodeModel &node) {
  for (const Record *instr : model.records.getAllDerivedDefinitions("Instr"))
    if (hasNode(*instr) && recordField<"Instr.from">(*instr) == &node.record)
      return instr;
  return nullptr;
}

std::string glow::gen::instrNameOf(const Model &model, const NodeModel &node) {
  const Record *instr = instrOf(model, node);
  return instr ? instr->getName().str() : node.className + "Instr";
}

std::string glow::gen::callOf(const Model &model, const NodeModel &node) {
  const Record *instr = instrOf(model, node);
  return instr ? callOf(*instr) : node.className + "Call";
}

std::string glow::gen::typedKernel(StringRef call, StringRef function) {
  return formatv("::glow::kernels::typed<::glow::kernels::{0}, "
                 "::glow::kernels::{1}>",
                 call, function);
}

std::string glow::gen::checkedCall(StringRef call) {
  return ("::glow::kernels::checked<::glow::kernels::" + call + ">").str();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

std::vector<StringRef> glow::gen::wordsOf(const Record &attributeKind) {
  if (!attributeKind.isSubClassOf("Choice"))
    return {};
  return textsField<"Choice.words">(attributeKind);
}

/// `HalfPixel` of "half_pixel".
static std::string enumeratorOfWord(StringRef word) {
  return convertToCamelFromSnakeCase(word, /*capitalizeFirst=*/true);
}

static bool emitChoices(const Model &model, raw_ostream &os) {
  for (const Record *choice : model.own("Choice")) {
    std::string enumerators, words;
    for (StringRef word : wordsOf(*choice)) {
      enumerators += enumeratorOfWord(word) + ", ";
      words += quoted(word) + ", ";
    }
    os << formatv("/// {0}: {1}\nenum class {2} : int64_t {{ {3}};\n"
                  "inline constexpr const char *wordsOf{2}[] = {{{4}};\n"
                  "constexpr auto &wordsOf({2}) {{ return wordsOf{2}; }\n\n",
                  sourceOf(*choice), choice->getValueAsString("summary"),
                  cxxName(*choice), enumerators, words);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

/// A member of the struct: its type, its name, and the C++ that it is made of.
struct Member {
  std::string type, name, value;
  bool mayBeAbsent = false;
};

} // namespace

/// The positions of buffers are constants up to the first optional or variadic
/// operand.
static std::vector<Member> buffersOf(const Record &instr) {
  std::vector<Member> members;
  bool fixed = true;
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  for (auto [place, init] : enumerate(dag->getArgs())) {
    StringRef count = textField<"Qual.count">(*cast<DefInit>(init)->getDef());
    std::string first =
        fixed ? std::to_string(place)
              : formatv("CallView::first(call, {0})", place).str();
    std::string name = dag->getArgNames()[place]->getValue().str();
    if (count == "?")
      members.push_back(
          {"CallView::MaybeBuffer", name,
           formatv("CallView::maybe(call, {0}, {1})", place, first), true});
    else if (count == "...")
      members.push_back(
          {"CallView::Buffers", name,
           formatv("CallView::many(call, {0}, {1})", place, first), true});
    else
      members.push_back({"CallView::Buffer", name,
                         formatv("CallView::buffer(call, {0})", first)});
    fixed &= count.empty();
  }
  return members;
}

static std::string memberType(const Attribute &attribute) {
  if (!wordsOf(*attribute.kind).empty())
    return "::glow::" + cxxName(*attribute.kind);
  if (textField<"AttributeKind.form">(*attribute.kind) == "Formula")
    return "CallView::Formula";
  switch (attribute.type) {
  case Type::Text:
    return "CallView::Text";
  case Type::Ints:
    return "CallView::IntList";
  case Type::Reals:
    return "CallView::RealList";
  case Type::Kind:
    return "::glow::ElementKind";
  default:
    return cxxType(attribute.type, ValueForm::Numbers).str();
  }
}

static std::vector<Member> membersOf(const Record &instr) {
  std::vector<Member> members = buffersOf(instr);
  for (auto [place, attribute] : enumerate(attributesOf(instr))) {
    std::string type = memberType(attribute);
    members.push_back(
        {type, attribute.name,
         formatv("CallView::attribute<{0}>(call, {1})", type, place)});
  }
  return members;
}

static void emitCall(const Record &instr, raw_ostream &os) {
  std::string name = callOf(instr), values, visits, types;
  std::vector<Member> members = membersOf(instr);
  for (const Member &member : members) {
    values += (values.empty() ? "" : ",\n            ") + ("." + member.name) +
              " = " + member.value;
    visits += formatv("    visitor({0});\n", member.name);
    types += formatv("    visitor.template member<{0}>({1});\n", member.type,
                     quoted(member.name));
  }
  os << formatv(
      "/// {0}\nstruct {1} {{\n"
      "  static constexpr const char *mnemonic = {2};\n"
      "  static {1} of([[maybe_unused]] const CallView::Source &call) "
      "{{\n    return {{{3}};\n  }\n"
      "  template <typename Visitor>\n"
      "  void visit([[maybe_unused]] Visitor &&visitor) const {{\n"
      "{4}  }\n"
      "  template <typename Visitor>\n"
      "  static void members([[maybe_unused]] Visitor &&visitor) {{\n"
      "{5}  }\n",
      sourceOf(instr), name, quoted(instr.getValueAsString("opName")), values,
      visits, types);
  for (const Member &member : members)
    os << formatv("  {0} {1}{2};\n", member.type, member.name,
                  member.mayBeAbsent ? "{}" : "");
  os << "};\n\n";
}

static bool emitCalls(const Model &model, raw_ostream &os) {
  for (const Record *instr : model.own("Instr"))
    emitCall(*instr, os);
  return false;
}

static Emitter choices("gen-choices", "emit choices as enumerations",
                       emitChoices);
static Emitter calls("gen-calls", "emit what instructions are called with",
                     emitCalls);

//===- StepEmitters.cpp - which code an instruction has, as a table -------===//
// SPDX-License-Identifier: MIT
//
// A CodeFor record is asked about two things: passes ask about a node in a
// graph (Legality.cpp), and the code here asks about the node's instruction.
//
//===----------------------------------------------------------------------===//

#include "Emit/backends/Legality.h"
#include "Emit/language/Calls.h"
#include "Emit/language/Shapes.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    emittersOf("emitters-of",
               cl::desc("the backend whose emitters are listed"));

namespace {

/// An instruction for which a record has code.
struct Target {
  std::string mnemonic, call;
  const Record *instr = nullptr;   // and the node that it stands for; null for
  const NodeModel *node = nullptr; // those of the core, whose records are apart
};

/// Writes what a record says of one instruction.
class CodeEmitter {
public:
  CodeEmitter(const Model &model, const Record &code, raw_ostream &declarations,
              raw_ostream &os)
      : model(model), code(code), declarations(declarations), os(os),
        function(textField<"CodeFor.emitter">(code)),
        mayDecline(bitField<"CodeFor.mayDecline">(code)) {}

  /// Gives the row of the table.
  std::string emit(const Target &target) {
    call = target.call;
    std::string name = (code.getName() + call).str();
    declarations << formatv(
        "{0} {1}(CodeModule &, const calls::{2} &, const ::llvm::Twine &);\n",
        mayDecline ? "std::optional<NativeStep>" : "NativeStep", function,
        call);
    emitHolds(target, name);
    os << formatv(R"(std::optional<NativeStep> emit{0}(CodeModule &unit,
    const Instr &instr, const ::llvm::Twine &name) {{
  return {1}(unit, calls::{2}::of(instr), name);
}

)",
                  name, function, call);
    return formatv("    {{{0}, {1}, holds{2}, emit{2}, {3}, {4}, {5}},\n",
                   quoted(target.mnemonic),
                   quoted(textField<"CodeFor.algorithm">(code)), name,
                   bitField<"CodeFor.fewerOperations">(code) ? "true" : "false",
                   bitField<"CodeFor.vectors">(code) ? "true" : "false",
                   bitField<"CodeFor.takesLengths">(code) ? "true" : "false");
  }

private:
  void emitHolds(const Target &target, StringRef name) {
    os << formatv("/// {0}\nbool holds{1}(const Instr &instr) {{\n",
                  placeOf(code), name);
    std::string condition =
        target.node ? shapeCondition(model, code, *target.node) : "";
    std::string operands = target.node ? operandsOf(*target.node) : "";
    if (!operands.empty())
      os << formatv("  auto call = calls::{0}::of(instr);\n", call);
    if (!condition.empty())
      emitBind(target);
    // Code is for all runs.
    os << "  return "
       << (condition.empty() ? "true" : proven("succeeded(bound)" + condition))
       << operands << ";\n}\n\n";
  }

  void emitBind(const Target &target) {
    os << formatv("  auto op = ::llvm::cast<::glow::ir::{0}>(instr.op);\n"
                  "  auto silent = [](const ::llvm::Twine &) {{};\n"
                  "  {1}Shape shape;\n"
                  "  auto bound = shape.bind(silent{2}{3});\n",
                  target.instr->getName(), qualified(*target.node),
                  tensorArguments(*target.node, "op"),
                  attributeArguments(*target.node, "op"));
  }

  std::string operandsOf(const NodeModel &node) const {
    return operandCondition(
        code, node,
        [](StringRef name) { return ("isKnown(call." + name + ")").str(); },
        [](StringRef name) { return ("!call." + name).str(); });
  }

  const Model &model;
  const Record &code;
  raw_ostream &declarations, &os;
  const StringRef function;
  const bool mayDecline;
  std::string call;
};

} // namespace

/// The instructions of a record: those derived from its nodes, and others.
static std::vector<Target> targetsOf(const Model &model, const Record &code) {
  std::vector<Target> targets;
  for (const Record *record : recordsField<"CodeFor.nodes">(code)) {
    const NodeModel *node = model.findNode(record->getName());
    const Record *instr = instrOf(model, *node);
    if (!instr)
      fatalAt(nullptr, code, "'" + node->className + "' has no instruction");
    targets.push_back({node->mnemonic, callOf(*instr), instr, node});
  }
  for (StringRef mnemonic : textsField<"CodeFor.instrs">(code))
    targets.push_back({mnemonic.str(), convertToCamelFromSnakeCase(
                                           mnemonic, /*capitalizeFirst=*/true) +
                                           "Call"});
  return targets;
}

/// The prototypes of emitters or, where GLOW_CODE_RECORDS is defined, the table
/// codeRecords.
static bool emitStepEmitters(const Model &model, raw_ostream &os) {
  std::string prototypes, text, rows;
  raw_string_ostream declarations(prototypes), functions(text);
  for (const Record *backend : model.own("Backend")) {
    if (textField<"Backend.name">(*backend) != emittersOf)
      continue;
    for (const Record *code : recordsField<"Backend.codes">(*backend))
      if (!textField<"CodeFor.emitter">(*code).empty())
        for (const Target &target : targetsOf(model, *code))
          rows +=
              CodeEmitter(model, *code, declarations, functions).emit(target);
  }
  os << "#ifndef GLOW_CODE_RECORDS\n\n"
     << prototypes << "\n#else\n\n"
     << text << "constexpr CodeRecord codeRecords[] = {\n"
     << rows << "};\n\n#endif\n";
  return false;
}

static Emitter stepEmitters("gen-step-emitters",
                            "emit which code a backend has for instructions",
                            emitStepEmitters);

//===- Legality.cpp - what backends run, and by which code, as data -------===//

#include "Emit/Emit.h"
#include "Emit/Page.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Element kinds that a record binds variables to, as a C++ condition.
static std::string kindCondition(const Record &record) {
  std::string code;
  for (const KindBinding &binding :
       kindBindings(record, dagField<"Legal.kinds", "CodeFor.kinds">(record))) {
    std::string kinds;
    for (StringRef kind : binding.kinds)
      kinds += (kinds.empty() ? "" : ", ") + quoted(kind);
    code += formatv(" && ::glow::isKindAmong(shape.{0}, {{{1}})",
                    binding.variable, kinds);
  }
  return code;
}

/// Operands that must be constants or absent, as a C++ condition.
static std::string knownCondition(const Record &code, const NodeModel &node) {
  std::string condition;
  for (StringRef name : textsField<"CodeFor.known">(code)) {
    if (!node.findInput(name))
      fatalAt(positionOf(name, code), code,
              "'" + node.className + "' has no operand '" + name + "'");
    condition += formatv(" &&\n         (!node.{0}() || "
                         "::glow::constantOf(node.{0}()))",
                         getterOf(name));
  }
  return condition;
}

/// A function that says whether a record holds for a node. Gives its name.
static std::string emitHolds(const Model &model, const Record &record,
                             const NodeModel &node, const std::string &function,
                             StringRef known, raw_ostream &os) {
  StringRef text =
      textField<"Legal.condition", "CodeFor.condition">(record).trim();
  Scope scope = node.scope("shape.");
  ValueEmitter values(model.functions, scope, record);
  std::string condition = "true";
  if (!text.empty()) {
    Parser parser(text, record);
    condition = values.emitAs(parser.expression(), Type::Bool, "the condition");
  }
  os << formatv(R"(/// {5}
bool {0}(::mlir::Operation *op) {{
  {1}Shape shape;
  auto node = ::llvm::cast<{2}>(op);
  auto silent = [](const ::llvm::Twine &) {{};
  return succeeded(shape.bind(node, silent)){3} && {4}{6};
}

)",
                function, node.className, qualified(node),
                kindCondition(record), condition, placeOf(record), known);
  return function;
}

static std::string emitLegal(const Model &model, const Record &backend,
                             const Record &legal, const NodeModel &node,
                             unsigned index, raw_ostream &os) {
  std::string function = emitHolds(
      model, legal, node,
      (backend.getName() + node.className + Twine(index)).str(), "", os);
  return formatv("    {{{0}, \"glow.{1}\", {2}, {3}},\n",
                 quoted(textField<"Backend.name">(backend)), node.mnemonic,
                 function, quoted(whenOf(legal)));
}

static std::string emitCode(const Model &model, const Record &backend,
                            const Record &code, const NodeModel &node,
                            unsigned index, raw_ostream &os) {
  std::string function = emitHolds(
      model, code, node,
      (backend.getName() + node.className + "Code" + Twine(index)).str(),
      knownCondition(code, node), os);
  std::string becomes;
  if (!code.isValueUnset("becomes"))
    becomes = "glow." +
              model.findNode(recordField<"CodeFor.becomes">(code)->getName())
                  ->mnemonic;
  return formatv("    {{{0}, \"glow.{1}\", {2}, {3}, {4}, {5}},\n",
                 quoted(textField<"Backend.name">(backend)), node.mnemonic,
                 quoted(textField<"CodeFor.algorithm">(code)), quoted(becomes),
                 function, quoted(whenOf(code)));
}

static bool emitLegality(const Model &model, raw_ostream &os) {
  std::string legals, codes, backends;
  unsigned index = 0;
  os << "namespace {\n\n";
  for (const Record *backend : model.own("Backend")) {
    for (const Record *legal : recordsField<"Backend.runs">(*backend))
      for (const Record *node : recordsField<"Legal.nodes">(*legal))
        legals += emitLegal(model, *backend, *legal,
                            *model.findNode(node->getName()), index++, os);
    for (const Record *code : recordsField<"Backend.codes">(*backend))
      for (const Record *node : recordsField<"CodeFor.nodes">(*code))
        codes += emitCode(model, *backend, *code,
                          *model.findNode(node->getName()), index++, os);
    backends += formatv(
        "    {{{0}, {1}, {2}, {3}, {4}, {5}},\n",
        quoted(textField<"Backend.name">(*backend)),
        quoted(textField<"Backend.summary">(*backend)),
        bitField<"Backend.runsReference">(*backend) ? "true" : "false",
        bitField<"Backend.computes">(*backend) ? "true" : "false",
        intField<"Backend.alignment">(*backend), quoted(placeOf(*backend)));
  }
  os << "const ::std::vector<::glow::LegalInfo> legalTable = {\n"
     << legals << "};\n\nconst ::std::vector<::glow::CodeInfo> codeTable = {\n"
     << codes
     << "};\n\nconst ::std::vector<::glow::BackendInfo> backendTable = {\n"
     << backends << "};\n\n} // namespace\n";
  return false;
}

static Emitter legality("gen-legality",
                        "emit what each backend runs, and by which code",
                        emitLegality);

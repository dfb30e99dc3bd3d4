//===- Legality.cpp - tables of backend legality --------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/backends/Legality.h"
#include "Emit/backends/LibraryKernels.h"
#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

std::string glow::gen::shapeCondition(const Model &model, const Record &record,
                                      const SignedModel &node) {
  std::string code;
  for (const KindBinding &binding :
       kindBindings(record, dagField<"Legal.kinds", "CodeFor.kinds">(record))) {
    std::string kinds;
    for (StringRef kind : binding.kinds)
      kinds += (kinds.empty() ? "" : ", ") + quoted(kind);
    code += formatv(" && ::glow::isKindAmong(shape.{0}, {{{1}})",
                    binding.variable, kinds);
  }
  StringRef text =
      textField<"Legal.condition", "CodeFor.condition">(record).trim();
  if (text.empty())
    return code;
  Scope scope = node.scope("shape.");
  ValueEmitter values(model.functions, scope, record);
  Parser parser(text, record);
  return code + " && " +
         proven(
             values.emitAs(parser.expression(), Type::Bool, "the condition"));
}

std::string
glow::gen::operandCondition(const Record &code, const SignedModel &node,
                            function_ref<std::string(StringRef)> isKnown,
                            function_ref<std::string(StringRef)> isAbsent) {
  std::string condition;
  auto add = [&](const std::vector<StringRef> &names,
                 function_ref<std::string(StringRef)> test) {
    for (StringRef name : names) {
      if (!node.findInput(name))
        fatalAt(positionOf(name, code), code,
                "'" + node.className + "' has no operand '" + name + "'");
      condition += " &&\n         " + test(name);
    }
  };
  add(textsField<"CodeFor.known">(code), isKnown);
  add(textsField<"CodeFor.absent">(code), isAbsent);
  return condition;
}

/// The operand condition of a CodeFor record, in C++ on a node of a graph.
static std::string operandsOfNode(const Record &code, const NodeModel &node) {
  return operandCondition(
      code, node,
      [](StringRef name) {
        return formatv("(!node.{0}() || ::glow::constantOf(node.{0}()))",
                       getterOf(name))
            .str();
      },
      [](StringRef name) {
        return formatv("!node.{0}()", getterOf(name)).str();
      });
}

/// A function that says whether a record holds for a node. Gives its name.
static std::string emitHolds(const Model &model, const Record &record,
                             const NodeModel &node, const std::string &function,
                             StringRef known, raw_ostream &os) {
  os << formatv(R"(/// {4}
bool {0}(::mlir::Operation *op) {{
  {1}Shape shape;
  auto node = ::llvm::cast<{2}>(op);
  auto silent = [](const ::llvm::Twine &) {{};
  return succeeded(shape.bind(node, silent)){3}{5};
}

)",
                function, node.className, qualified(node),
                shapeCondition(model, record, node), placeOf(record), known);
  return function;
}

/// The names in an expression that stand for values, each once.
static void collectNames(const ExprPtr &expr, const Scope &scope,
                         SmallVectorImpl<std::string> &names) {
  if (expr->kind == Expr::Kind::Name && scope.find(expr->text) &&
      !is_contained(names, expr->text))
    names.push_back(expr->text);
  for (const ExprPtr &child : expr->children)
    collectNames(child, scope, names);
}

/// The names of sizes, attributes and kinds that a record's condition uses,
/// each with the C++ of its value on a bound shape.
static std::vector<std::pair<std::string, std::string>>
valuesIn(const Record &legal, const NodeModel &node) {
  std::vector<std::pair<std::string, std::string>> values;
  StringRef text = textField<"Legal.condition">(legal).trim();
  if (!text.empty()) {
    Scope scope = node.scope("shape.");
    Parser parser(text, legal);
    SmallVector<std::string> names;
    collectNames(parser.expression(), scope, names);
    for (const std::string &name : names)
      values.push_back({name, scope.find(name)->spelling});
  }
  for (const KindBinding &binding :
       kindBindings(legal, dagField<"Legal.kinds">(legal)))
    values.push_back(
        {binding.variable.str(), ("shape." + binding.variable).str()});
  return values;
}

/// Emits a function that lists the values of the names in a condition. Returns
/// the name of the function, or null for a condition without names.
static std::string emitValues(const Record &legal, const NodeModel &node,
                              const std::string &function, raw_ostream &os) {
  std::string code;
  for (const auto &[name, value] : valuesIn(legal, node))
    code += formatv("  text += {0} + ::glow::valueText({1});\n",
                    quoted((code.empty() ? "" : ", ") + name + " is "), value);
  if (code.empty())
    return "nullptr";
  os << formatv(R"(std::string {0}(::mlir::Operation *op) {{
  {1}Shape shape;
  auto silent = [](const ::llvm::Twine &) {{};
  if (failed(shape.bind(::llvm::cast<{2}>(op), silent)))
    return "";
  std::string text;
{3}  return text;
}

)",
                function, node.className, qualified(node), code);
  return function;
}

static std::string emitLegal(const Model &model, const Record &backend,
                             const Record &legal, const NodeModel &node,
                             unsigned index, raw_ostream &os) {
  std::string function = emitHolds(
      model, legal, node,
      (backend.getName() + node.className + Twine(index)).str(), "", os);
  std::string values = emitValues(legal, node, function + "Values", os);
  return formatv("    {{{0}, \"glow.{1}\", {2}, {3}, {4}, {5}},\n",
                 quoted(textField<"Backend.name">(backend)), node.mnemonic,
                 function, quoted(whenOf(legal)), values,
                 bitField<"Legal.vectors">(legal) ? "true" : "false");
}

static std::string emitCode(const Model &model, const Record &backend,
                            const Record &code, const NodeModel &node,
                            unsigned index, raw_ostream &os) {
  std::string function = emitHolds(
      model, code, node,
      (backend.getName() + node.className + "Code" + Twine(index)).str(),
      operandsOfNode(code, node), os);
  std::string becomes;
  if (!code.isValueUnset("becomes"))
    becomes = "glow." +
              model.findNode(recordField<"CodeFor.becomes">(code)->getName())
                  ->mnemonic;
  return formatv("    {{{0}, \"glow.{1}\", {2}, {3}, {4}, {5}, {6}},\n",
                 quoted(textField<"Backend.name">(backend)), node.mnemonic,
                 quoted(textField<"CodeFor.algorithm">(code)), quoted(becomes),
                 function, quoted(whenOfCode(code)),
                 bitField<"CodeFor.vectors">(code) ? "true" : "false");
}

/// Whether the kernels of a node are for all kinds that their operand may be.
static bool areWhole(const std::vector<KernelRow> &rows, const KernelRow &row) {
  const NodeModel &node = *row.node;
  const TensorSignature &tensor =
      row.operand ? node.inputs[*row.operand] : node.outputs.front();
  return all_of(node.kindsOf(tensor), [&](const std::string &kind) {
    return any_of(rows, [&](const KernelRow &other) {
      return other.node == row.node && other.operand == row.operand &&
             other.kind == kind;
    });
  });
}

static std::string emitKernels(const Model &model, const Record &backend) {
  std::string text;
  std::vector<KernelRow> rows = kernelsOf(model, backend);
  for (const KernelRow &row : rows)
    text += formatv("    {{{0}, \"glow.{1}\", {2}, {3}, {4}},\n",
                    quoted(textField<"Backend.name">(backend)),
                    row.node->mnemonic, quoted(row.kind),
                    row.operand ? std::to_string(*row.operand) : "-1",
                    areWhole(rows, row) ? "true" : "false");
  return text;
}

/// The element kinds for which a backend generates loops, as C++.
static std::string loopsOf(const Record &backend) {
  std::string kinds;
  for (StringRef kind : textsField<"Backend.loops">(backend))
    kinds += quoted(kind) + ", ";
  return kinds;
}

/// Its memories, as C++.
static std::string memoriesOf(const Record &backend) {
  std::string memories;
  for (const Record *memory : recordsField<"Backend.memories">(backend))
    memories += formatv("{{{0}, {1}, {2}, {3}}, ",
                        quoted(textField<"MemorySpace.name">(*memory)),
                        intField<"MemorySpace.bytes">(*memory),
                        intField<"MemorySpace.alignment">(*memory),
                        intField<"MemorySpace.bandwidth">(*memory));
  return memories;
}

/// Its DMA engines, as C++.
static std::string enginesOf(const Record &backend) {
  std::string engines;
  for (const Record *engine : recordsField<"Backend.engines">(backend))
    engines += formatv("{{{0}, {1}, {2}, {3}, {4}}, ",
                       quoted(textField<"DmaEngine.name">(*engine)),
                       intField<"DmaEngine.channels">(*engine),
                       intField<"DmaEngine.bytesPerCycle">(*engine),
                       intField<"DmaEngine.latency">(*engine),
                       intField<"DmaEngine.perRun">(*engine));
  return engines;
}

static bool emitLegality(const Model &model, raw_ostream &os) {
  std::string legals, codes, kernels, backends, tilings;
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
    for (const Record *tiling : recordsField<"Backend.tilings">(*backend))
      tilings += emitTiling(model, *backend, *tiling, os);
    kernels += emitKernels(model, *backend);
    backends += formatv(
        "    {{{0}, {1}, {2}, {3}, {4}, {5}, {{{6}}, {7}, {8}, "
        "{{{9}}, {{{10}}, {11}, {12}, {13}, {14}, {15}},\n",
        quoted(textField<"Backend.name">(*backend)),
        quoted(textField<"Backend.summary">(*backend)),
        bitField<"Backend.runsReference">(*backend) ? "true" : "false",
        bitField<"Backend.computes">(*backend) ? "true" : "false",
        intField<"Backend.alignment">(*backend), quoted(placeOf(*backend)),
        loopsOf(*backend),
        bitField<"Backend.takesNodes">(*backend) ? "true" : "false",
        quoted(textField<"Backend.fallback">(*backend)), memoriesOf(*backend),
        enginesOf(*backend), intField<"Backend.bandwidth">(*backend),
        intField<"Backend.megahertz">(*backend),
        bitField<"Backend.takesLengths">(*backend) ? "true" : "false",
        bitField<"Backend.runsLoops">(*backend) ? "true" : "false",
        bitField<"Backend.driverCompiles">(*backend) ? "true" : "false");
  }
  os << "const ::std::vector<::glow::LegalInfo> legalTable = {\n"
     << legals << "};\n\nconst ::std::vector<::glow::CodeInfo> codeTable = {\n"
     << codes
     << "};\n\nconst ::std::vector<::glow::KernelInfo> kernelTable = {\n"
     << kernels
     << "};\n\nconst ::std::vector<::glow::TilingInfo> tilingTable = {\n"
     << tilings
     << "};\n\nconst ::std::vector<::glow::BackendInfo> backendTable = {\n"
     << backends << "};\n\n} // namespace\n";
  return false;
}

static Emitter legality("gen-legality",
                        "emit what each backend runs, and by which code",
                        emitLegality);

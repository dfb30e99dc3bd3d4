//===- Instrs.cpp - derived instructions, their tables, and IRGen ---------===//
//
// A node that means something by itself has an instruction of the same name:
// results as @out, operands as @in, then its attributes. It is emitted as a
// record, which mlir-tblgen and the other emitters read like one by hand.
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::string bufferDag(const NodeModel &node) {
  std::string dag = "(ins ";
  auto add = [&](const TensorSignature &tensor, StringRef qualifier) {
    dag += dag.size() > 5 ? ", " : "";
    dag += (tensor.variadic ? "Many" : tensor.optional ? "Maybe" : "");
    dag += qualifier.str() + ":$" + tensor.name;
  };
  for (const TensorSignature &tensor : node.outputs)
    add(tensor, "Out");
  for (const TensorSignature &tensor : node.inputs)
    add(tensor, "In");
  return dag + ")";
}

/// Operands that may share the buffer of the result: of a formula, those of
/// the result's element kind.
static std::string inPlaceOf(const NodeModel &node) {
  std::string list;
  if (node.isPointwise())
    for (const TensorSignature &tensor : node.inputs)
      if (tensor.kind == node.outputs[0].kind)
        list += (list.empty() ? "" : ", ") + quoted(tensor.name);
  return list;
}

static bool emitInstrRecords(const Model &model, raw_ostream &os) {
  StringSet<> declared;
  for (const Record *record : model.records.getAllDerivedDefinitions("Instr"))
    if (!record->isValueUnset("from"))
      declared.insert(record->getValueAsDef("from")->getName());
  StringSet<> claimed;
  for (const Record *backend :
       model.records.getAllDerivedDefinitions("Backend"))
    for (const Record *legal : backend->getValueAsListOfDefs("runs"))
      for (const Record *node : legal->getValueAsListOfDefs("nodes"))
        claimed.insert(node->getName());
  os << "include \"" << includedRoot() << "\"\n";
  for (const NodeModel *node : model.ownNodes()) {
    if (declared.contains(node->className) ||
        (!node->hasKernel() && !claimed.contains(node->className)))
      continue;
    os << formatv("\n// {0}\ndef {1}Instr : Instr<{2}, {3},\n    "
                  "!cast<Node>(\"{1}\").attributes> {{\n  let from = {1};\n"
                  "  let origin = \"{0}\";\n",
                  placeOf(node->record), node->className,
                  quoted(node->mnemonic), bufferDag(*node));
    if (node->isPointwise())
      os << "  let dataParallel = 1;\n";
    std::string inPlace = inPlaceOf(*node);
    if (!inPlace.empty())
      os << "  let inPlace = [" << inPlace << "];\n";
    StringRef joins = node->record.getValueAsString("joins");
    if (!joins.empty())
      os << "  let joins = " << quoted(joins) << ";\n";
    os << "}\n";
  }
  return false;
}

static StringRef formOf(StringRef language) {
  return StringSwitch<StringRef>(language)
      .Case("int", "Int")
      .Case("bool", "Flag")
      .Case("real", "Real")
      .Case("text", "Text")
      .Case("ints", "Ints")
      .Case("reals", "Reals")
      .Default("Kind");
}

static bool emitInstrTable(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\nusing namespace ::glow::ir;\n\n";
  for (const Record *record : model.own("Instr")) {
    std::string id = record->getName().str();
    std::string operands, attributes, inPlace;
    const DagInit *dag = record->getValueAsDag("buffers");
    for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
      const Record *qualifier = cast<DefInit>(init)->getDef();
      StringRef word = qualifier->getValueAsString("qualifier");
      StringRef count = qualifier->getValueAsString("count");
      operands += formatv("{{{0}, Qualifier::{1}, Count::{2}}, ",
                          quoted(name->getValue()),
                          word == "in"    ? "In"
                          : word == "out" ? "Out"
                                          : "InOut",
                          count == "?"    ? "Optional"
                          : count.empty() ? "One"
                                          : "Many");
    }
    dag = record->getValueAsDag("attributes");
    for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
      attributes += formatv(
          "{{{0}, AttributeForm::{1}}, ", quoted(name->getValue()),
          formOf(cast<DefInit>(init)->getDef()->getValueAsString("language")));
    for (StringRef name : record->getValueAsListOfStrings("inPlace"))
      inPlace += quoted(name) + ", ";
    os << "// " << placeOf(*record) << "\n";
    auto array = [&](StringRef type, StringRef suffix, StringRef values) {
      if (values.empty())
        os << formatv("constexpr std::span<{0}> {1}{2}{{};\n", type, id,
                      suffix);
      else
        os << formatv("{0} {1}{2}[] = {{{3}};\n", type, id, suffix, values);
    };
    array("const OperandInfo", "Operands", operands);
    array("const AttributeInfo", "Attributes", attributes);
    array("const char *const", "InPlace", inPlace);
    StringRef joins = record->getValueAsString("joins");
    table += formatv("    {{{0}, {1}Operands, {1}Attributes, {2}, {3}, "
                     "{1}InPlace, {4}},\n",
                     quoted(record->getValueAsString("opName")), id,
                     record->getValueAsBit("dataParallel") ? "true" : "false",
                     record->getValueAsBit("asynchronous") ? "true" : "false",
                     joins.empty() ? "nullptr" : quoted(joins));
  }
  os << "\nconst ::std::vector<InstrInfo> instrTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

/// Every operand of the instruction is a result or an operand of the node.
static void checkNames(const Record &record, const NodeModel &node) {
  const DagInit *dag = record.getValueAsDag("buffers");
  for (const StringInit *name : dag->getArgNames())
    if (!node.findInput(name->getValue()) && !node.findOutput(name->getValue()))
      fatalAt(nullptr, record,
              "operand '" + name->getValue() + "' of '" + record.getName() +
                  "' names no operand or result of '" + node.className + "'");
}

static bool emitIRGen(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\n";
  for (const Record *record : model.own("Instr")) {
    if (record->isValueUnset("from"))
      continue;
    const NodeModel &node =
        *model.findNode(record->getValueAsDef("from")->getName());
    checkNames(*record, node);
    os << formatv("/// {0}\nvoid generate{1}(::mlir::Operation *op, "
                  "::glow::InstrBuilder &instr) {{\n  auto node = "
                  "::llvm::cast<{2}>(op);\n",
                  placeOf(*record), record->getName(), qualified(node));
    const DagInit *dag = record->getValueAsDag("buffers");
    for (const StringInit *name : dag->getArgNames())
      os << formatv("  instr.{0}(node.{1}());\n",
                    node.findOutput(name->getValue()) ? "write" : "read",
                    getterOf(name->getValue()));
    for (const Attribute &attribute : node.attributes)
      os << formatv("  instr.attribute({0}, node.{1}Attr());\n",
                    quoted(attribute.name), getterOf(attribute.name));
    os << formatv("  instr.create(\"glowir.{0}\");\n}\n\n",
                  record->getValueAsString("opName"));
    table += formatv("    {{\"glow.{0}\", generate{1}},\n", node.mnemonic,
                     record->getName());
  }
  os << "const ::std::vector<::glow::IRGenEntry> irgenTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

/// mlir-tblgen's choice of the operations that this run owns.
static bool emitOwnOps(const Model &model, raw_ostream &os, StringRef dialect,
                       StringRef className) {
  std::string names;
  for (const Record *record : model.own(className))
    names +=
        (names.empty() ? "" : "|") + record->getValueAsString("opName").str();
  os << "-op-include-regex=^" << dialect << "[.](" << names << ")$\n";
  return false;
}

static Emitter records("gen-instr-records",
                       "derive instructions from nodes, as records",
                       emitInstrRecords);
static Emitter table("gen-instr-table", "emit the table of instructions",
                     emitInstrTable);
static Emitter irgen("gen-irgen", "emit how nodes become instructions",
                     emitIRGen);
static Emitter ownNodes("gen-own-nodes", "name the nodes of this run",
                        [](const Model &model, raw_ostream &os) {
                          return emitOwnOps(model, os, "glow", "Node");
                        });
static Emitter ownInstrs("gen-own-instrs", "name the instructions of this run",
                         [](const Model &model, raw_ostream &os) {
                           return emitOwnOps(model, os, "glowir", "Instr");
                         });

//===- Instrs.cpp - derived instructions ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// A node has an instruction of the same name, even where it is usually lowered:
// a backend, including a plug-in's, may run it whole. Results are @out and
// operands are @in; its attributes follow. The instruction is emitted as a
// record, which mlir-tblgen and the other emitters read like a record by hand.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::string bufferDag(const NodeModel &node) {
  std::string dag;
  for (const TensorSignature *tensor : node.buffers()) {
    StringRef qualifier = node.qualifierOf(*tensor);
    dag += (dag.empty() ? "(ins " : ", ") +
           std::string(tensor->variadic   ? "Many"
                       : tensor->optional ? "Maybe"
                                          : "") +
           (qualifier == "scratch" ? "Scratch<" + quoted(tensor->text) + ">"
            : qualifier == "inout" ? "InOut"
            : qualifier == "out"   ? "Out"
                                   : "In") +
           ":$" + tensor->name;
  }
  return (dag.empty() ? "(ins " : dag) + ")";
}

/// Operands that may share the buffer of the result: operands of a formula that
/// have the result's element kind.
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
      declared.insert(recordField<"Instr.from">(*record)->getName());
  os << "include \"" << includedRoot() << "\"\n";
  for (const NodeModel *node : model.ownNodes()) {
    if (declared.contains(node->record.getName()) || !node->irgen.empty())
      continue;
    os << formatv("\n// {0}\ndef {1}Instr : Instr<{2}, {3},\n    "
                  "!cast<Node>(\"{4}\").attributes> {{\n  let from = {4};\n"
                  "  let origin = \"{0}\";\n",
                  placeOf(node->record), node->className,
                  quoted(node->mnemonic), bufferDag(*node),
                  node->record.getName());
    std::string inPlace = inPlaceOf(*node);
    if (!inPlace.empty())
      os << "  let inPlace = [" << inPlace << "];\n";
    StringRef joins = textField<"Node.joins">(node->record);
    if (!joins.empty())
      os << "  let joins = " << quoted(joins) << ";\n";
    StringRef count = textField<"Node.lengthFrom">(node->record);
    if (!count.empty())
      os << "  let lengthFrom = " << quoted(count) << ";\n";
    os << "}\n";
  }
  return false;
}

/// Tells mlir-tblgen which operations this run owns.
static void emitOwnOps(raw_ostream &os, StringRef dialect,
                       const std::vector<std::string> &names) {
  os << "-op-include-regex=^" << dialect << "[.](" << join(names, "|")
     << ")$\n";
}

static bool emitOwnNodes(const Model &model, raw_ostream &os) {
  std::vector<std::string> names;
  for (const Record *record : model.own("Node"))
    names.push_back(mnemonicOf(*record));
  emitOwnOps(os, "glow", names);
  return false;
}

static bool emitOwnInstrs(const Model &model, raw_ostream &os) {
  std::vector<std::string> names;
  for (const Record *record : model.own("Instr"))
    names.push_back(record->getValueAsString("opName").str());
  emitOwnOps(os, "glowir", names);
  return false;
}

static Emitter records("gen-instr-records",
                       "derive instructions from nodes, as records",
                       emitInstrRecords);
static Emitter ownNodes("gen-own-nodes", "name the nodes of this run",
                        emitOwnNodes);
static Emitter ownInstrs("gen-own-instrs", "name the instructions of this run",
                         emitOwnInstrs);

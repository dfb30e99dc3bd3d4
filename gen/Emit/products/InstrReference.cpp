//===- InstrReference.cpp - the page of instructions ----------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static void emitBuffers(const Record &record, raw_ostream &os) {
  const DagInit *dag = dagField<"Instr.buffers">(record);
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    const Record *qualifier = cast<DefInit>(init)->getDef();
    StringRef count = textField<"Qual.count">(*qualifier);
    os << "| `@" << textField<"Qual.qualifier">(*qualifier) << "` | `"
       << name->getValue() << "` | ";
    if (qualifier->isSubClassOf("Scratch"))
      os << "memory of its own, `" << textField<"Scratch.signature">(*qualifier)
         << "`";
    else
      os << (count == "?"    ? "a buffer, or none"
             : count.empty() ? "a buffer"
                             : "any number of buffers");
    if (StringRef memory = memoryOf(record, name->getValue()); !memory.empty())
      os << " in memory `" << memory << "`";
    os << " |\n";
  }
}

static void emitInstr(const Record &record, const NodeModel *node,
                      raw_ostream &os) {
  os << "\n### `" << record.getValueAsString("opName") << "`\n";
  if (node)
    os << "\n" << node->record.getValueAsString("summary") << "\n";
  os << "\n| | name | type |\n|---|---|---|\n";
  emitBuffers(record, os);
  emitAttributeRows(attributesOf(record), os);
  std::vector<StringRef> inPlace = textsField<"Instr.inPlace">(record);
  if (!inPlace.empty())
    os << "\nMay write over `" << join(inPlace, "`, or `") << "`.\n";
  if (StringRef joins = textField<"Instr.joins">(record); !joins.empty())
    os << "\nThe result has `" << joins
       << "` one after the other: they may be made where they lie in it.\n";
  if (StringRef count = textField<"Instr.lengthFrom">(record); !count.empty())
    os << "\nIn a run, the size in `length` is the number in `" << count
       << "`.\n";
  if (bitField<"Instr.asynchronous">(record))
    os << "\nAsynchronous: it may still run after it returns, until an "
          "instruction reads `token`.\n";
  if (!record.isValueUnset("engine"))
    os << "\nDMA engine `"
       << textField<"DmaEngine.name">(*recordField<"Instr.engine">(record))
       << "` carries it out.\n";
  if (StringRef cost = textField<"Instr.cost">(record); !cost.empty())
    os << "\nTakes `" << cost << "` cycles.\n";
  const DagInit *box = dagField<"Instr.box">(record);
  for (auto [starts, name] : zip(box->getArgs(), box->getArgNames()))
    os << "\nTouches `sizes` elements of `" << name->getValue() << "`, from `"
       << cast<StringInit>(starts)->getValue() << "` on.\n";
  if (node)
    os << "\nOf the node `glow." << node->mnemonic << "`, declared in `"
       << placeOf(node->record) << "`.\n";
}

static bool emitInstrReference(const Model &model, raw_ostream &os) {
  os << "# Instructions\n\nMade from the records; do not edit. An operand is a "
        "buffer, and its qualifier says\nwhether the instruction reads it "
        "(`@in`), writes it (`@out`) or both (`@inout`).\n"
        "`@scratch` is memory for the time of the instruction.\n";
  std::map<std::string, std::vector<const Record *>> families;
  for (const Record *record : model.own("Instr")) {
    const NodeModel *node = nodeOf(model, *record);
    // Instructions of a backend are on its own page, as its nodes are.
    if (node && !textField<"Node.backend">(node->record).empty())
      continue;
    families[node ? node->family : familyOf(*record)].push_back(record);
  }
  for (const auto &[family, records] : families) {
    os << "\n## " << family << "\n";
    for (const Record *record : records)
      emitInstr(*record, nodeOf(model, *record), os);
  }
  return false;
}

static Emitter reference("gen-instr-reference",
                         "emit the reference of instructions",
                         emitInstrReference);

//===- Engines.cpp - refusals that concern copies and their engines -------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The one backend that lists the engine.
static const Record &ownerOf(const Model &model, const Record &engine) {
  StringRef name = textField<"DmaEngine.name">(engine);
  const Record *owner = nullptr;
  for (const Record *backend :
       model.records.getAllDerivedDefinitions("Backend")) {
    if (!is_contained(recordsField<"Backend.engines">(*backend), &engine))
      continue;
    if (owner)
      fatalAt(nullptr, engine,
              "DMA engine '" + name + "' is listed by '" +
                  textField<"Backend.name">(*owner) + "' and by '" +
                  textField<"Backend.name">(*backend) +
                  "', but is of one backend");
    owner = backend;
  }
  if (!owner)
    fatalAt(nullptr, engine,
            "DMA engine '" + name + "' is in no 'engines' of a backend");
  return *owner;
}

static void checkNumbers(const Record &engine) {
  auto refuse = [&](StringRef field, int64_t value, StringRef least) {
    fatalAt(positionOf(field, engine), engine,
            "DMA engine '" + textField<"DmaEngine.name">(engine) + "' has '" +
                field + "' " + Twine(value) + ", but should have " + least +
                " or more");
  };
  if (int64_t value = intField<"DmaEngine.channels">(engine); value < 1)
    refuse("channels", value, "1");
  if (int64_t value = intField<"DmaEngine.bytesPerCycle">(engine); value < 1)
    refuse("bytesPerCycle", value, "1");
  if (int64_t value = intField<"DmaEngine.latency">(engine); value < 0)
    refuse("latency", value, "0");
  if (int64_t value = intField<"DmaEngine.perRun">(engine); value < 0)
    refuse("perRun", value, "0");
}

static void checkEngine(const Model &model, const Record &engine) {
  StringRef name = textField<"DmaEngine.name">(engine);
  if (name.empty() ||
      !all_of(name, [](char c) { return isAlnum(c) || c == '_'; }))
    fatalAt(positionOf(name, engine), engine,
            "DMA engine '" + name +
                "' should have a name of letters, digits and _");
  checkNumbers(engine);
  const Record &backend = ownerOf(model, engine);
  for (const Record *memory : recordsField<"DmaEngine.joins">(engine))
    if (!is_contained(recordsField<"Backend.memories">(backend), memory))
      fatalAt(positionOf(memory->getName(), engine), engine,
              "DMA engine '" + name + "' joins memory '" +
                  textField<"MemorySpace.name">(*memory) +
                  "', which backend '" + textField<"Backend.name">(backend) +
                  "' does not list");
}

/// An instruction of a DMA engine is asynchronous. Its duration follows from
/// its bytes, and its buffers are in memories that the engine joins.
static void checkCarriedOut(const Record &instr) {
  const Record &engine = *recordField<"Instr.engine">(instr);
  std::string what = ("'" + instr.getName() + "', which DMA engine '" +
                      textField<"DmaEngine.name">(engine) + "' carries out,")
                         .str();
  if (!bitField<"Instr.asynchronous">(instr))
    fatalAt(positionOf("engine", instr), instr,
            what + " should be asynchronous");
  if (!textField<"Instr.cost">(instr).empty())
    fatalAt(positionOf("cost", instr), instr,
            what + " takes as long as its bytes do, and has no 'cost'");
  auto joined = recordsField<"DmaEngine.joins">(engine);
  const DagInit *places = dagField<"Instr.memories">(instr);
  for (auto [init, name] : zip(places->getArgs(), places->getArgNames())) {
    const Record *memory = cast<DefInit>(init)->getDef();
    if (is_contained(joined, memory))
      continue;
    std::string said = (memory->getName() + ":$" + name->getValue()).str();
    fatalAt(positionOf(said, instr), instr,
            what + " has '" + name->getValue() + "' in memory '" +
                textField<"MemorySpace.name">(*memory) +
                "', which that engine does not join");
  }
}

/// Integer list attributes `starts` and `sizes` give the part of buffer `box`
/// that the instruction touches.
static void checkBox(const Record &instr, StringRef box, StringRef starts) {
  const DagInit *dag = dagField<"Instr.buffers">(instr);
  bool isBuffer = false;
  for (auto [init, name] : zip(dag->getArgs(), dag->getArgNames()))
    isBuffer |= name->getValue() == box &&
                textField<"Qual.count">(*cast<DefInit>(init)->getDef()).empty();
  if (!isBuffer)
    fatalAt(positionOf("box", instr), instr,
            "'" + instr.getName() + "' has no one buffer '" + box +
                "', of which it touches a part");
  std::vector<Attribute> attributes = attributesOf(instr);
  for (StringRef wanted : {starts, StringRef("sizes")})
    if (none_of(attributes, [&](const Attribute &attribute) {
          return attribute.name == wanted && attribute.type == Type::Ints;
        }))
      fatalAt(positionOf("box", instr), instr,
              "'" + instr.getName() + "' touches a part of '" + box +
                  "', but has no attribute Ints:$" + wanted +
                  " that says which");
}

static void checkBoxes(const Record &instr) {
  const DagInit *dag = dagField<"Instr.box">(instr);
  for (auto [starts, name] : zip(dag->getArgs(), dag->getArgNames())) {
    const auto *text = dyn_cast<StringInit>(starts);
    if (!text || !name)
      fatalAt(positionOf("box", instr), instr,
              "'box' of '" + instr.getName() +
                  "' should be (at \"ATTRIBUTE\":$BUFFER, ...)");
    checkBox(instr, name->getValue(), text->getValue());
  }
}

void glow::gen::checkEngines(const Model &model) {
  for (const Record *engine : model.own("DmaEngine"))
    checkEngine(model, *engine);
  for (const Record *instr : model.own("Instr")) {
    if (!instr->isValueUnset("engine"))
      checkCarriedOut(*instr);
    checkBoxes(*instr);
  }
  for (const Record *backend : model.own("Backend")) {
    if (int64_t bandwidth = intField<"Backend.bandwidth">(*backend);
        bandwidth < 0)
      fatalAt(positionOf("bandwidth", *backend), *backend,
              "backend '" + textField<"Backend.name">(*backend) + "' moves " +
                  Twine(bandwidth) +
                  " bytes of the arena a cycle, but should move 1 or more, or "
                  "any number: 0");
    if (int64_t clock = intField<"Backend.megahertz">(*backend); clock < 0)
      fatalAt(positionOf("megahertz", *backend), *backend,
              "backend '" + textField<"Backend.name">(*backend) +
                  "' has a clock of " + Twine(clock) +
                  " MHz, but should have 1 or more, or the host's: 0");
  }
}

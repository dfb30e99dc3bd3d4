//===- Memories.cpp - refusals that concern memories of backends ----------===//
// SPDX-License-Identifier: MIT
//
// A buffer has the name of its memory alone, so that one name is one memory.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Whether the parser of buffers reads it as one word.
static bool isWord(StringRef name) {
  return !name.empty() && (isAlpha(name[0]) || name[0] == '_') &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

static void checkMemory(const Record &memory) {
  StringRef name = textField<"MemorySpace.name">(memory);
  if (!isWord(name))
    fatalAt(positionOf(name, memory), memory,
            "memory '" + name +
                "' should have a name of letters, digits and _");
  if (int64_t bytes = intField<"MemorySpace.bytes">(memory); bytes < 1)
    fatalAt(nullptr, memory,
            "memory '" + name + "' has " + Twine(bytes) +
                " bytes, but should have 1 or more");
  int64_t alignment = intField<"MemorySpace.alignment">(memory);
  if (alignment < 1 || !isPowerOf2_64(uint64_t(alignment)))
    fatalAt(positionOf("alignment", memory), memory,
            "alignment " + Twine(alignment) + " of memory '" + name +
                "' should be a power of two");
  if (int64_t bytes = intField<"MemorySpace.bytes">(memory);
      bytes % alignment != 0)
    fatalAt(nullptr, memory,
            "memory '" + name + "' has " + Twine(bytes) +
                " bytes, which is no multiple of its alignment " +
                Twine(alignment));
  if (int64_t bandwidth = intField<"MemorySpace.bandwidth">(memory);
      bandwidth < 0)
    fatalAt(positionOf("bandwidth", memory), memory,
            "memory '" + name + "' moves " + Twine(bandwidth) +
                " bytes a cycle, but should move 1 or more, or any number: 0");
}

static void checkNamedOnce(const Model &model, const Record &memory) {
  StringRef name = textField<"MemorySpace.name">(memory);
  for (const Record *other :
       model.records.getAllDerivedDefinitions("MemorySpace"))
    if (other != &memory && textField<"MemorySpace.name">(*other) == name) {
      PrintNote(other->getLoc().front(), "the other one is here");
      fatalAt(positionOf(name, memory), memory,
              "memory '" + name + "' is declared by two records");
    }
}

/// Exactly one backend lists the memory.
static void checkOwner(const Model &model, const Record &memory) {
  std::vector<StringRef> owners;
  for (const Record *backend :
       model.records.getAllDerivedDefinitions("Backend"))
    for (const Record *listed : recordsField<"Backend.memories">(*backend))
      if (listed == &memory)
        owners.push_back(textField<"Backend.name">(*backend));
  StringRef name = textField<"MemorySpace.name">(memory);
  if (owners.empty())
    fatalAt(nullptr, memory,
            "memory '" + name + "' is in no 'memories' of a backend");
  if (owners.size() > 1)
    fatalAt(nullptr, memory,
            "memory '" + name + "' is listed by '" +
                join(owners, "' and by '") + "', but is of one backend, once");
}

/// Each entry of `memories` gives a MemorySpace to one buffer of the
/// instruction. A tensor of the instruction's node stays in the arena.
static void checkPlaces(const Model &model, const Record &instr) {
  const DagInit *dag = dagField<"Instr.memories">(instr);
  ArrayRef<const StringInit *> buffers =
      dagField<"Instr.buffers">(instr)->getArgNames();
  auto isScratch = [&](StringRef name) {
    return any_of(scratchOf(instr), [&](const TensorSignature &tensor) {
      return tensor.name == name;
    });
  };
  for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    auto *memory = dyn_cast<DefInit>(init);
    if (!memory || !memory->getDef()->isSubClassOf("MemorySpace") || !name)
      fatalAt(positionOf("memories", instr), instr,
              "'memories' of '" + instr.getName() +
                  "' is written (places Memory:$buffer)");
    StringRef buffer = name->getValue();
    std::string said = (memory->getDef()->getName() + ":$" + buffer).str();
    if (none_of(buffers, [&](const StringInit *known) {
          return known->getValue() == buffer;
        }))
      fatalAt(positionOf(said, instr), instr,
              "'" + instr.getName() + "' has no buffer '" + buffer +
                  "', of which 'memories' speaks");
    if (const NodeModel *node = nodeOf(model, instr);
        node && !isScratch(buffer))
      fatalAt(positionOf(said, instr), instr,
              "'" + buffer + "' of '" + instr.getName() + "' is in memory '" +
                  memoryOf(instr, buffer) + "', but what node '" +
                  node->className +
                  "' reads and gives is in the arena: an instruction of no "
                  "node may have it there");
  }
}

void glow::gen::checkMemories(const Model &model) {
  for (const Record *memory : model.own("MemorySpace")) {
    checkMemory(*memory);
    checkNamedOnce(model, *memory);
    checkOwner(model, *memory);
  }
  for (const Record *backend : model.own("Backend"))
    if (bitField<"Backend.takesNodes">(*backend) &&
        !recordsField<"Backend.memories">(*backend).empty())
      fatalAt(positionOf("memories", *backend), *backend,
              "backend '" + textField<"Backend.name">(*backend) +
                  "' takes nodes, and so places values in its memories itself");
  for (const Record *instr : model.own("Instr"))
    checkPlaces(model, *instr);
}

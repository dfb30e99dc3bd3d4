//===- Names.cpp - the names of buffers and instructions ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Names.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/TextName.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

std::string glow::ir::nameOf(Operation *instr) {
  StringRef name = nameIn(instr->getLoc());
  return (name.empty() ? instr->getName().stripDialect() : name).str();
}

std::string glow::ir::nameOf(Value buffer) {
  StringRef name = nameIn(buffer.getLoc());
  if (!name.empty())
    return name.str();
  return isa<BlockArgument>(buffer) ? "binding" : "buffer";
}

std::string NameTable::add(StringRef wanted) {
  std::string base = textName(wanted);
  std::string name = base;
  while (!taken.insert(name).second)
    name = textName(base + "_" + std::to_string(++counts[base]));
  return name;
}

StringRef glow::ir::nearest(StringRef name,
                            const std::vector<StringRef> &names) {
  // At most a third of the letters may be wrong, or the suggestion is no help.
  unsigned best = name.size() / 3 + 1;
  StringRef found;
  for (StringRef candidate : names) {
    unsigned distance = name.edit_distance(candidate, true, best);
    if (distance < best || (distance == best && found.empty())) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

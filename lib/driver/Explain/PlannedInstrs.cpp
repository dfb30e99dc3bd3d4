//===- PlannedInstrs.cpp - the instructions of a node that run ------------===//
// SPDX-License-Identifier: MIT

#include "PlannedInstrs.h"
#include "glow/Graph/Format.h"
#include "glow/IR/Access.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

/// The names of all nodes that a location refers to.
static void addNames(Location location, std::vector<StringRef> &names) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      addNames(part, names);
  } else if (StringRef name = nameIn(location); !name.empty()) {
    names.push_back(name);
  }
}

PlannedInstrs::PlannedInstrs(ir::FuncOp function) {
  function.walk([&](Operation *op) {
    if (!ir::isInstr(op))
      return;
    std::vector<StringRef> names;
    addNames(op->getLoc(), names);
    if (names.empty())
      return;
    own[names.front()].push_back(op->getName().stripDialect().str());
    for (StringRef name : llvm::drop_begin(names))
      holders.try_emplace(name, names.front());
  });
}

std::vector<std::string>
PlannedInstrs::take(StringRef node, const std::vector<std::string> &mnemonics) {
  std::vector<std::string> wanted = mnemonics, taken, left;
  for (std::string &mnemonic : own[node]) {
    auto found = llvm::find(wanted, mnemonic);
    if (found == wanted.end()) {
      left.push_back(std::move(mnemonic));
      continue;
    }
    wanted.erase(found);
    taken.push_back(std::move(mnemonic));
  }
  own[node] = std::move(left);
  return taken;
}

std::vector<std::string> PlannedInstrs::takeRest(StringRef node) {
  return std::exchange(own[node], {});
}

std::string PlannedInstrs::holderOf(StringRef node) const {
  return holders.lookup(node);
}

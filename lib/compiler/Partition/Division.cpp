//===- Division.cpp - assignment of nodes to backends ---------------------===//
// SPDX-License-Identifier: MIT

#include "Division.h"
#include "glow/Graph/NodeInfo.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace glow;

/// A connected set of nodes with one owner, and the owners around it.
struct Division::Island {
  llvm::SmallSetVector<Operation *, 8> nodes;
  llvm::SmallSet<size_t, 2> before, after;
};

Division::Division(FuncOp function, SymbolTable &symbols,
                   ArrayRef<Candidate> candidates)
    : candidates(candidates) {
  for (Operation &op : function.block()) {
    if (isa<ReadOp, SaveOp>(op) || isKnown(op, symbols))
      continue;
    nodes.push_back(&op);
    size_t owner = 0;
    while (!runs(owner, &op))
      ++owner;
    owners[&op] = owner;
  }
  joinIslands();
}

bool Division::runs(size_t candidate, Operation *node) const {
  return !candidates[candidate].refused.contains(node);
}

/// Whether each part may compute the node for itself: it depends on constants
/// only, and all candidates run it.
bool Division::isKnown(Operation &node, SymbolTable &symbols) const {
  for (size_t i = 0; i < candidates.size(); ++i)
    if (!runs(i, &node))
      return false;
  return readsOnlyKnown(node, symbols, owners);
}

Division::Island Division::islandOf(Operation *node) const {
  Island island;
  const size_t owner = owners.lookup(node);
  auto visit = [&](Operation *other, llvm::SmallSet<size_t, 2> &around) {
    auto found = owners.find(other);
    if (found == owners.end())
      return;
    if (found->second == owner)
      island.nodes.insert(other);
    else
      around.insert(found->second);
  };
  island.nodes.insert(node);
  for (size_t i = 0; i < island.nodes.size(); ++i) {
    Operation *one = island.nodes[i];
    for (Value operand : one->getOperands())
      visit(operand.getDefiningOp(), island.before);
    for (Operation *user : one->getUsers())
      visit(user, island.after);
  }
  return island;
}

void Division::joinIslands() {
  llvm::DenseSet<Operation *> seen;
  for (Operation *node : nodes) {
    if (seen.contains(node))
      continue;
    Island island = islandOf(node);
    seen.insert_range(island.nodes);
    if (island.before.size() != 1 || island.after.size() != 1 ||
        *island.before.begin() != *island.after.begin())
      continue;
    const size_t other = *island.before.begin();
    if (llvm::all_of(island.nodes, [&](Operation *one) {
          return findNode(one->getName().getStringRef())->kernel ==
                     NodeKernel::Formula &&
                 runs(other, one);
        }))
      for (Operation *one : island.nodes)
        owners[one] = other;
  }
}

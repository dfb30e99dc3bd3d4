//===- PartOrder.cpp - nodes of owners, as parts in order -----------------===//
// SPDX-License-Identifier: MIT
//
// A part takes all nodes that can run so far. No other choice leaves fewer
// nodes, so for two owners that take turns the number of parts is minimal. It
// depends only on the owner that begins, so each is tried.
//
//===----------------------------------------------------------------------===//

#include "PartOrder.h"
#include "glow/Graph/Dialect.h"

using namespace mlir;
using namespace glow;

static SmallVector<OwnedPart> partsFrom(size_t first,
                                        ArrayRef<Operation *> nodes,
                                        const Owners &owners, size_t count) {
  llvm::DenseMap<Operation *, size_t> missing; // operands that are not there
  SmallVector<Nodes> ready(count);
  for (Operation *node : nodes) {
    for (Value operand : node->getOperands())
      missing[node] += owners.contains(operand.getDefiningOp());
    if (!missing[node])
      ready[owners.lookup(node)].push_back(node);
  }
  SmallVector<OwnedPart> parts;
  for (size_t owner = first; !ready[owner].empty();) {
    OwnedPart &part = parts.emplace_back(OwnedPart{owner, {}});
    while (!ready[owner].empty()) {
      part.nodes.push_back(ready[owner].pop_back_val());
      for (Operation *user : part.nodes.back()->getUsers())
        if (owners.contains(user) && --missing[user] == 0)
          ready[owners.lookup(user)].push_back(user);
    }
    for (size_t i = 0; i < ready.size(); ++i)
      if (ready[i].size() > ready[owner].size())
        owner = i;
  }
  return parts;
}

SmallVector<OwnedPart> glow::partsOf(ArrayRef<Operation *> nodes,
                                     const Owners &owners, size_t count) {
  SmallVector<OwnedPart> best;
  for (size_t first = 0; first < count; ++first) {
    SmallVector<OwnedPart> found = partsFrom(first, nodes, owners, count);
    // An owner that cannot begin returns no parts.
    if (!found.empty() && (best.empty() || found.size() < best.size()))
      best = std::move(found);
  }
  return best;
}

bool glow::readsOnlyKnown(Operation &node, SymbolTable &symbols,
                          const Owners &owners) {
  return llvm::all_of(node.getOperands(), [&](Value operand) {
    Operation *origin = operand.getDefiningOp();
    if (auto read = dyn_cast<ReadOp>(origin))
      return bool(symbols.lookup<ConstantOp>(read.getStorage()));
    return !owners.contains(origin);
  });
}

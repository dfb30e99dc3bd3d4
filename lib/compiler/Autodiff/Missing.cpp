//===- Missing.cpp - nodes without a gradient -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Missing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace glow;
using namespace mlir;

/// The model's name of a node, or else its operator.
static std::string nameOf(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getStorage().str();
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name && !name.getName().empty() ? name.getName().str()
                                         : op->getName().getStringRef().str();
}

/// The nodes of the shortest way from a value to the save of the loss, the last
/// one first.
static SmallVector<Operation *> wayToLoss(Operation *from, SaveOp loss) {
  llvm::DenseMap<Operation *, Operation *> before{{from, nullptr}};
  std::deque<Operation *> open{from};
  while (!open.empty() && !before.contains(loss)) {
    Operation *op = open.front();
    open.pop_front();
    for (Operation *user : op->getUsers())
      if (before.try_emplace(user, op).second)
        open.push_back(user);
  }
  SmallVector<Operation *> way;
  for (Operation *op = before.lookup(loss); op && op != from;
       op = before.lookup(op))
    way.push_back(op);
  return way;
}

/// "loss <- sum <- round <- w"; the middle of a long path is left out.
static std::string textOf(ArrayRef<std::string> names) {
  constexpr size_t most = 10, ends = most / 2;
  if (names.size() <= most)
    return llvm::join(names, " <- ");
  return llvm::join(names.take_front(ends), " <- ") + " <- (" +
         std::to_string(names.size() - 2 * ends) + " more) <- " +
         llvm::join(names.take_back(ends), " <- ");
}

std::string MissingGradients::pathThrough(Operation *node) const {
  SaveOp last = loss;
  SmallVector<std::string> names{last.getStorage().str()};
  auto add = [&](Operation *op) {
    std::string name = nameOf(op);
    // A node of the model may be several of ours.
    if (name != names.back())
      names.push_back(std::move(name));
  };
  llvm::for_each(wayToLoss(node, last), add);
  for (Operation *op = node; op;) {
    add(op);
    auto next = llvm::find_if(
        op->getOperands(), [&](Value value) { return active.contains(value); });
    op = next == op->operand_end() ? nullptr : (*next).getDefiningOp();
  }
  return textOf(names);
}

LogicalResult MissingGradients::report(PlaceholderOp output) const {
  if (missing.empty())
    return success();
  InFlightDiagnostic error =
      output.emitError() << "'" << output.portName()
                         << "' cannot be differentiated: " << missing.size()
                         << (missing.size() == 1 ? " node has" : " nodes have")
                         << " no gradient";
  for (const auto &[node, reason] : llvm::reverse(missing))
    error.attachNote(node->getLoc())
        << "'" << node->getName().getStringRef() << "' " << reason
        << "; path: " << pathThrough(node);
  return error;
}

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
  if (auto save = dyn_cast<SaveOp>(op))
    return save.getStorage().str();
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name && !name.getName().empty() ? name.getName().str()
                                         : op->getName().getStringRef().str();
}

static bool isEnd(Operation *op, const BackwardPlace &place) {
  if (place.loss)
    return op == place.loss;
  return llvm::any_of(place.ends,
                      [&](Value end) { return end.getDefiningOp() == op; });
}

/// The nodes of the shortest way from a node to an end, the last one first; the
/// node itself is not included.
static SmallVector<Operation *> wayToEnd(Operation *from,
                                         const BackwardPlace &place) {
  llvm::DenseMap<Operation *, Operation *> before{{from, nullptr}};
  std::deque<Operation *> open{from};
  Operation *end = nullptr;
  while (!open.empty() && !end) {
    Operation *op = open.front();
    open.pop_front();
    if (isEnd(op, place))
      end = op;
    for (Operation *user : op->getUsers())
      if (before.try_emplace(user, op).second)
        open.push_back(user);
  }
  SmallVector<Operation *> way;
  for (Operation *op = end; op && op != from; op = before.lookup(op))
    way.push_back(op);
  return way;
}

using Names = SmallVector<std::string>;

/// Appends a name, unless it is the last one: a node of the model may be
/// several of ours.
static void addName(Operation *op, Names &names) {
  std::string name = nameOf(op);
  if (names.empty() || name != names.back())
    names.push_back(std::move(name));
}

/// Appends the names from the loss to a node.
static void addFront(Operation *node, const BackwardPlace &place,
                     Names &names) {
  if (place.outer)
    addFront(place.call, *place.outer, names);
  for (Operation *op : wayToEnd(node, place))
    addName(op, names);
  addName(node, names);
}

/// Appends the names behind a node, as far as a weight.
static void addBack(Operation *node, const BackwardPlace &place, Names &names) {
  for (Operation *op = node; op;) {
    auto next = llvm::find_if(op->getOperands(), [&](Value value) {
      return place.active.contains(value);
    });
    op = next == op->operand_end() ? nullptr : (*next).getDefiningOp();
    // The parameter of a called function stands for an operand of the call.
    if (op && !(place.outer && isa<ReadOp>(op)))
      addName(op, names);
  }
  if (place.outer)
    addBack(place.call, *place.outer, names);
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

void MissingGradients::add(Operation *node, std::string reason,
                           const BackwardPlace &place) {
  Names names;
  addFront(node, place, names);
  addBack(node, place, names);
  missing.push_back(
      {node->getLoc(), "'" + node->getName().getStringRef().str() + "' " +
                           reason + "; path: " + textOf(names)});
}

LogicalResult MissingGradients::report(PlaceholderOp output) const {
  if (missing.empty())
    return success();
  InFlightDiagnostic error =
      output.emitError() << "'" << output.portName()
                         << "' cannot be differentiated: " << missing.size()
                         << (missing.size() == 1 ? " node has" : " nodes have")
                         << " no gradient";
  for (const Entry &entry : llvm::reverse(missing))
    error.attachNote(entry.location) << entry.text;
  return error;
}

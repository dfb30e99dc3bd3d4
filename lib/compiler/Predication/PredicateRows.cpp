//===- PredicateRows.cpp - rows that a select does not take ---------------===//
// SPDX-License-Identifier: MIT
//
// A batch of sequences of different lengths runs in a loop over their steps,
// where a select keeps the state of each sequence that has ended. The step is
// computed for the other sequences alone.
//
//===----------------------------------------------------------------------===//

#include "RowForm.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Predication/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_PREDICATEROWS
#include "glow/Predication/Passes.h.inc"

namespace {

/// The condition of a select, if it has one value for each row; else null.
Value predicateOf(Select select) {
  BroadcastView repeated(select.getCondition());
  if (!repeated || rankOf(select) < 2)
    return {};
  auto broadcast = select.getCondition().getDefiningOp<Broadcast>();
  if (!broadcast)
    return {};
  Sizes before = sizesBefore(broadcast);
  const Size rows = before[0];
  before[0] = 1;
  if (rows.extent() <= 1 || expr::prod(before) != 1)
    return {};
  return broadcast.getIn();
}

/// Selects with a common predicate, and the nodes behind one of their sides.
class PredicatedNodes {
public:
  PredicatedNodes(Value predicate, bool isTrue, ArrayRef<Select> selects)
      : predicate(predicate), isTrue(isTrue), selects(selects),
        before(shapeOf(Select(selects.front()))[0]) {}

  /// Adds the nodes that nothing else needs.
  void grow();
  /// Whether the products of a row take longer than to move its elements.
  bool pays();
  /// Runs the nodes on `length` rows.
  void rewrite(const SizeVariable &length);

private:
  unsigned side() const { return isTrue ? 1 : 2; }
  bool isNeededWhole(OpOperand &use);
  bool mayJoin(Operation *node);
  /// Whether another copy of the node costs nothing.
  static bool isCheap(Operation *node) { return isa<Broadcast, Splat>(node); }
  Value onRowsOf(Value value, OpBuilder &builder);
  void choosePlaces(const Size &length);
  void replace(Select select);

  Value predicate;
  const bool isTrue;
  const ArrayRef<Select> selects;
  const Size before;
  /// The nodes, users first, with the operands of which they take rows.
  llvm::MapVector<Operation *, llvm::SmallBitVector> nodes;
  DenseMap<Value, Value> moved;
  Value places;
  Size rows = 0;
};

} // namespace

/// Whether a use needs more than the chosen rows of a value.
bool PredicatedNodes::isNeededWhole(OpOperand &use) {
  if (auto select = dyn_cast<Select>(use.getOwner());
      select && llvm::is_contained(selects, select) &&
      use.getOperandNumber() == side())
    return false;
  auto found = nodes.find(use.getOwner());
  return found == nodes.end() || !found->second[use.getOperandNumber()];
}

bool PredicatedNodes::mayJoin(Operation *node) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (!info || node->getNumResults() == 0 || node->use_empty() ||
      !isMemoryEffectFree(node) || node->getNumRegions())
    return false;
  for (Value result : node->getResults()) {
    if (rankOf(result) == 0 || shapeOf(result)[0] != before)
      return false;
    auto isWhole = [&](OpOperand &use) { return isNeededWhole(use); };
    if (isCheap(node) ? llvm::all_of(result.getUses(), isWhole)
                      : llvm::any_of(result.getUses(), isWhole))
      return false;
  }
  return true;
}

void PredicatedNodes::grow() {
  Select last = selects.front();
  for (Select select : selects)
    if (last->isBeforeInBlock(select))
      last = select;
  for (Operation *node = last->getPrevNode(); node; node = node->getPrevNode())
    if (mayJoin(node))
      if (auto operands = rowOperandsOf(node))
        nodes.insert({node, *operands});
}

bool PredicatedNodes::pays() {
  // A product reads each weight once for a row. A move of an element reads and
  // writes it.
  constexpr int64_t leastWork = 4096, timesOfMove = 8;
  int64_t work = 0, moves = 0;
  llvm::SmallDenseSet<Value> inputs;
  for (auto &[node, operands] : nodes) {
    const NodeInfo *info = findNode(node->getName().getStringRef());
    for (OpOperand &operand : node->getOpOperands()) {
      const unsigned index = operand.getOperandNumber();
      if (operands[index]) {
        if (!nodes.contains(operand.get().getDefiningOp()))
          inputs.insert(operand.get());
      } else if (info->factors >> index & 1) {
        work += elementsOf(operand.get()).extent();
      }
    }
  }
  const int64_t count = before.extent();
  for (Value input : inputs)
    moves += elementsOf(input).extent() / count;
  for (Select select : selects)
    moves += elementsOf(select).extent() / count;
  return work >= leastWork && work >= timesOfMove * moves;
}

/// The indices of the rows that are needed.
void PredicatedNodes::choosePlaces(const Size &length) {
  OpBuilder builder(predicate.getContext());
  builder.setInsertionPointAfterValue(predicate);
  const Location location = predicate.getLoc();
  Value marks = predicate;
  if (rankOf(marks) != 1)
    marks = createReshape(builder, location, marks, Sizes{before});
  if (!isTrue)
    marks = createNot(builder, location, marks);
  Value numbers = createCast(builder, location, marks, builder.getI32Type());
  Value sum = createReduceSum(builder, location, numbers, Ints{0}, false);
  Value count = createCast(builder, location, sum, builder.getI64Type());
  places = createMarkedPlaces(builder, location, marks, count, Sizes{length});
  rows = length;
}

/// The needed rows of a value.
Value PredicatedNodes::onRowsOf(Value value, OpBuilder &builder) {
  Value &taken = moved[value];
  if (!taken)
    taken = createGather(builder, value.getLoc(), value, places, 0);
  return taken;
}

/// Writes the rows over those of the other operand.
void PredicatedNodes::replace(Select select) {
  OpBuilder builder(select);
  Value chosen = isTrue ? select.getLhs() : select.getRhs();
  Value others = isTrue ? select.getRhs() : select.getLhs();
  Value updates = onRowsOf(chosen, builder);
  Value indices =
      createReshape(builder, select.getLoc(), places, Sizes{rows, 1});
  Value result = createScatterND(builder, select.getLoc(), others, indices,
                                 updates, "none");
  select.replaceAllUsesWith(result);
  select.erase();
}

void PredicatedNodes::rewrite(const SizeVariable &length) {
  choosePlaces(Size(Length(length)));
  // Nodes in front of the indices run behind them instead.
  Operation *end = places.getDefiningOp();
  for (auto &[node, operands] : llvm::reverse(nodes)) {
    const bool isBefore = node->isBeforeInBlock(end);
    OpBuilder builder(node->getContext());
    builder.setInsertionPointAfter(isBefore ? end : node);
    SmallVector<Value> values;
    for (OpOperand &operand : node->getOpOperands())
      values.push_back(operands[operand.getOperandNumber()]
                           ? onRowsOf(operand.get(), builder)
                           : operand.get());
    Operation *other = onRows(builder, node, values, rows);
    if (!other)
      continue; // Its rows are gathered from all.
    if (isBefore)
      end = other;
    for (auto [from, to] : llvm::zip(node->getResults(), other->getResults()))
      moved[from] = to;
  }
  for (Select select : selects)
    replace(select);
  for (auto &[node, operands] : nodes)
    if (node->use_empty())
      node->erase();
}

namespace {

/// Runs nodes on the rows that selects take.
///
/// Pinned after import, where the operands of selects are nodes, and before
/// nodes are fused. Ends because it visits each select once.
struct PredicateRows : impl::PredicateRowsBase<PredicateRows> {
  using PredicateRowsBase::PredicateRowsBase;

  void runOnOperation() override {
    findUsed();
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      // The selects of a predicate, in their order.
      llvm::MapVector<Value, SmallVector<Select>> groups;
      for (Select select : function.block().getOps<Select>())
        if (Value predicate = predicateOf(select))
          groups[predicate].push_back(select);
      for (auto &[predicate, selects] : groups)
        if (!run(predicate, true, selects))
          run(predicate, false, selects);
    }
  }

private:
  bool run(Value predicate, bool isTrue, ArrayRef<Select> selects) {
    PredicatedNodes nodes(predicate, isTrue, selects);
    nodes.grow();
    if (!nodes.pays())
      return false;
    const Size rows = shapeOf(Select(selects.front()))[0];
    nodes.rewrite({unusedName(), 0, rows.extent()});
    return true;
  }

  std::string unusedName() {
    std::string name;
    do
      name = "predicate." + std::to_string(count++);
    while (used.contains(name));
    return name;
  }

  /// Notes the sizes that a module has already.
  void findUsed() {
    getOperation().walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          for (const Size &size : sizesOf(tensor))
            size.length().visitVariables(
                [&](const SizeVariable &one) { used.insert(one.name); });
    });
  }

  llvm::StringSet<> used; ///< names of sizes
  unsigned count = 0;
};

} // namespace
} // namespace glow

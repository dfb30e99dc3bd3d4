//===- AxisRegion.cpp - nodes that may run in another order of axes -------===//
//
// `orders` has, for each value of the region, the permutation that gives the
// value as it was of what is computed instead. The region grows from a
// Transpose along users, and along producers of their other operands; the
// largest gain on the way is kept, and what was added behind it given up.
//
//===----------------------------------------------------------------------===//

#include "AxisRegion.h"
#include "glow/Graph/NodeInfo.h"
#include <map>
#include <set>

using namespace mlir;
using namespace glow;

// Beyond this the measure, which looks at the whole region for each node that
// is added, would take longer than it saves.
static constexpr size_t largestRegion = 256;

/// A value from outside, as nodes of one order of operands need it.
using Input = std::pair<const void *, Ints>;

static bool isIdentity(const Ints &permutation) {
  return permutation == expr::range(0, expr::size(permutation));
}

void TransposeCost::add(const Ints &shape, const Ints &permutation) {
  // Only dimensions of size 1 change places: no element moves.
  if (expr::keepsOrder(shape, permutation))
    return;
  elements += expr::prod(shape);
  ++count;
}

AxisRegion::AxisRegion(Transpose start) : start(start) {
  orders[start.getOut()] = Ints(start.getPermutation());
  pending.push_back(start.getOut());
}

bool AxisRegion::isGain(const TransposeCost &before,
                        const TransposeCost &after) {
  if (after.count > before.count)
    return false;
  return after.elements < before.elements ||
         (after.elements == before.elements && after.count < before.count);
}

//===----------------------------------------------------------------------===//
// Growing
//===----------------------------------------------------------------------===//

void AxisRegion::grow() {
  measure(before, after);
  while (!pending.empty() && members.size() < largestRegion) {
    Value value = pending.front();
    pending.erase(pending.begin());
    addUsers(value);
  }
  shrink(best);
}

bool AxisRegion::add(Operation *node, const Ints &order) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (!info || !info->permute || isInside(node) || isa<Transpose>(node) ||
      hasQuantized(node))
    return false;
  for (Value operand : node->getOperands()) {
    auto found = orders.find(operand);
    if (rankOf(operand) != expr::size(order) ||
        (found != orders.end() && found->second != order))
      return false;
  }
  Member member{node, order, {}, NamedAttrList(node->getAttrDictionary())};
  // The record says how its attributes follow, or that the node cannot.
  if (!info->permute(node, expr::inverse(order), member.attributes,
                     member.result))
    return false;
  for (Value result : node->getResults()) {
    auto found = orders.find(result);
    if (rankOf(result) != expr::size(member.result) || found != orders.end())
      return false;
  }
  for (Value result : node->getResults()) {
    orders[result] = expr::inverse(member.result);
    pending.push_back(result);
  }
  indices[node] = members.size();
  members.push_back(std::move(member));
  noteBest();
  return true;
}

void AxisRegion::addUsers(Value value) {
  Ints order = orders[value];
  for (Operation *user : llvm::to_vector(value.getUsers()))
    if (members.size() < largestRegion && add(user, order))
      addProducers(user);
}

/// Nodes that make the other operands, where these keep their axes: theirs are
/// in the order that the operands need.
void AxisRegion::addProducers(Operation *node) {
  std::vector<Operation *> nodes = {node};
  while (!nodes.empty() && members.size() < largestRegion) {
    Operation *last = nodes.back();
    nodes.pop_back();
    Ints order = members[indices.lookup(last)].operandOrder;
    for (Value operand : last->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (orders.contains(operand) || isConstant(operand) ||
          isa_and_present<Broadcast>(producer) || !producer)
        continue;
      size_t size = members.size();
      if (!add(producer, order))
        continue;
      if (orders[operand] == order)
        // Its result must come in the order that is needed: a node that changes
        // axes itself may give another.
        nodes.push_back(producer);
      else
        shrink(size);
    }
  }
}

void AxisRegion::noteBest() {
  TransposeCost with, without;
  measure(without, with);
  auto saved = [](const TransposeCost &before, const TransposeCost &after) {
    return std::pair(before.elements - after.elements,
                     before.count - after.count);
  };
  if (!isGain(without, with) || saved(without, with) <= saved(before, after))
    return;
  before = without;
  after = with;
  best = members.size();
}

void AxisRegion::shrink(size_t size) {
  while (members.size() > size) {
    for (Value result : members.back().node->getResults()) {
      orders.erase(result);
      llvm::erase(pending, result);
    }
    indices.erase(members.back().node);
    members.pop_back();
  }
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

bool AxisRegion::usedOnlyInside(Value value) const {
  return llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return isInside(user); });
}

/// The shape of what a Broadcast repeats, with an axis for each of the result.
static Ints alignedShape(Broadcast node) {
  Ints shape = shapeOf(node.getIn());
  int64_t rank = rankOf(node.getOut());
  int64_t from =
      node.getAxis() < 0 ? rank - expr::size(shape) : int64_t(node.getAxis());
  Ints aligned(size_t(rank), 1);
  for (auto [i, size] : llvm::enumerate(shape))
    aligned[size_t(from) + i] = size;
  return aligned;
}

void AxisRegion::measureInput(Value value, const Ints &permutation,
                              TransposeCost &before,
                              TransposeCost &after) const {
  // Folded when the model is compiled: to turn it costs nothing.
  if (isConstant(value))
    return;
  if (auto repeated = value.getDefiningOp<Broadcast>()) {
    // Turned before it is repeated, where it is small.
    after.add(alignedShape(repeated), permutation);
    return;
  }
  auto transpose = value.getDefiningOp<Transpose>();
  if (!transpose)
    return after.add(shapeOf(value), permutation);
  if (isConstant(transpose.getIn()))
    return;
  Ints has(transpose.getPermutation());
  // It goes only when nothing outside of the region reads it.
  if (usedOnlyInside(value))
    before.add(shapeOf(transpose.getIn()), has);
  // Both become one, which may be none.
  after.add(shapeOf(transpose.getIn()), expr::compose(has, permutation));
}

void AxisRegion::measureOutput(Value value, const Ints &order,
                               TransposeCost &before,
                               TransposeCost &after) const {
  Ints shape = expr::pick(shapeOf(value), expr::inverse(order));
  bool needed = false;
  for (Operation *user : value.getUsers()) {
    if (isInside(user))
      continue;
    auto transpose = dyn_cast<Transpose>(user);
    if (!transpose) {
      needed = true;
      continue;
    }
    Ints next(transpose.getPermutation());
    before.add(shapeOf(value), next);
    after.add(shape, expr::compose(order, next));
  }
  if (needed)
    after.add(shape, order);
}

void AxisRegion::measure(TransposeCost &before, TransposeCost &after) const {
  if (usedOnlyInside(start.getOut()) && !isConstant(start.getIn()))
    before.add(shapeOf(start.getIn()), Ints(start.getPermutation()));
  std::set<Input> seen;
  for (const Member &member : members)
    for (Value operand : member.node->getOperands())
      if (!orders.contains(operand) &&
          seen.insert({operand.getAsOpaquePointer(), member.operandOrder})
              .second)
        measureInput(operand, expr::inverse(member.operandOrder), before,
                     after);
  for (const auto &[value, order] : orders)
    if (value != start.getOut())
      measureOutput(value, order, before, after);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value AxisRegion::inputOf(OpBuilder &builder, Value value,
                          const Ints &permutation) {
  Location location = value.getLoc();
  if (auto splat = value.getDefiningOp<Splat>())
    return createSplat(builder, location, splat.getValue(),
                       expr::pick(shapeOf(value), permutation),
                       splat.getKind());
  if (auto repeated = value.getDefiningOp<Broadcast>()) {
    Value aligned = createReshape(builder, location, repeated.getIn(),
                                  alignedShape(repeated));
    Value turned = createTranspose(builder, location, aligned, permutation);
    return createBroadcast(builder, location, turned,
                           expr::pick(shapeOf(value), permutation), -1);
  }
  auto transpose = value.getDefiningOp<Transpose>();
  if (!transpose)
    return createTranspose(builder, location, value, permutation);
  Ints both = expr::compose(Ints(transpose.getPermutation()), permutation);
  return isIdentity(both)
             ? transpose.getIn()
             : createTranspose(builder, location, transpose.getIn(), both)
                   .getResult();
}

/// Gives users outside of the region the value in the order they know.
void AxisRegion::replaceUses(Value value, Value moved, const Ints &order) {
  Value restored;
  for (Operation *user : llvm::to_vector(value.getUsers())) {
    if (isInside(user))
      continue;
    OpBuilder builder(user);
    if (auto transpose = dyn_cast<Transpose>(user)) {
      Ints both = expr::compose(order, Ints(transpose.getPermutation()));
      transpose.replaceAllUsesWith(
          isIdentity(both)
              ? moved
              : createTranspose(builder, user->getLoc(), moved, both)
                    .getResult());
      transpose.erase();
      continue;
    }
    if (!restored) {
      builder.setInsertionPointAfterValue(moved);
      restored = createTranspose(builder, value.getLoc(), moved, order);
    }
    user->replaceUsesOfWith(value, restored);
  }
}

void AxisRegion::rewrite() {
  llvm::sort(members, [](const Member &a, const Member &b) {
    return a.node->isBeforeInBlock(b.node);
  });
  llvm::DenseMap<Value, Value> moved;
  std::map<Input, Value> inputs;
  moved[start.getOut()] = start.getIn();
  for (Member &member : members) {
    OpBuilder builder(member.node);
    OperationState state(member.node->getLoc(), member.node->getName());
    for (Value operand : member.node->getOperands()) {
      if (orders.contains(operand)) {
        state.operands.push_back(moved[operand]);
        continue;
      }
      Value &input =
          inputs[{operand.getAsOpaquePointer(), member.operandOrder}];
      if (!input)
        input = inputOf(builder, operand, expr::inverse(member.operandOrder));
      state.operands.push_back(input);
    }
    for (Type type : member.node->getResultTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      state.types.push_back(RankedTensorType::get(
          expr::pick(Ints(tensor.getShape()), member.result),
          tensor.getElementType()));
    }
    state.attributes = member.attributes;
    Operation *made = builder.create(state);
    for (auto [old, result] :
         llvm::zip(member.node->getResults(), made->getResults()))
      moved[old] = result;
  }
  for (const auto &[value, order] : orders)
    if (value != start.getOut())
      replaceUses(value, moved[value], order);
  // Users before what they use.
  for (Member &member : llvm::reverse(members))
    member.node->erase();
  if (start.use_empty())
    start.erase();
}

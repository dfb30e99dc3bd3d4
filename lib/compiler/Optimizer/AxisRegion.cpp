//===- AxisRegion.cpp - nodes that may run in another order of axes -------===//
// SPDX-License-Identifier: MIT
//
// `orders` maps each value of the region to a permutation: the old value is
// this Transpose of the value that the region computes instead. The region
// grows from a Transpose along users, and along producers of their other
// operands. The prefix with the largest gain is kept, and later members are
// dropped.
//
//===----------------------------------------------------------------------===//

#include "AxisRegion.h"
#include "glow/Graph/Verify.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace glow;

static bool isIdentity(const Ints &permutation) {
  return permutation == expr::range(0, expr::size(permutation));
}

void TransposeCost::add(const Ints &shape, const Ints &permutation) {
  // If only dimensions of size 1 move, no element does.
  if (expr::keepsOrder(shape, permutation))
    return;
  elements += expr::prod(shape);
  ++count;
}

TransposeCost &TransposeCost::operator+=(const TransposeCost &other) {
  elements += other.elements, count += other.count;
  return *this;
}
TransposeCost &TransposeCost::operator-=(const TransposeCost &other) {
  elements -= other.elements, count -= other.count;
  return *this;
}

AxisRegion::AxisRegion(Transpose start) : start(start) {
  orders[start.getOut()] = Ints(start.getPermutation());
  pending.push_back(start.getOut());
}

bool AxisRegion::isGain(const RegionCost &cost) {
  const auto &[before, after] = cost;
  if (after.count > before.count)
    return false;
  return after.elements < before.elements ||
         (after.elements == before.elements && after.count < before.count);
}

//===----------------------------------------------------------------------===//
// Growing
//===----------------------------------------------------------------------===//

void AxisRegion::grow() {
  measure();
  bestCost = total;
  while (!pending.empty() && members.size() < largest) {
    Value value = pending.front();
    pending.erase(pending.begin());
    addUsers(value);
  }
  shrink(best);
}

const NodeInfo *AxisRegion::movable(Operation *node) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  return info && info->permute && !isa<Transpose>(node) &&
                 !hasQuantized(node) && !takesLengths(node)
             ? info
             : nullptr;
}

/// Whether the transpose costs anything, as regions count it.
static bool costs(Transpose transpose) {
  TransposeCost cost;
  cost.add(shapeOf(transpose.getIn()), Ints(transpose.getPermutation()));
  return cost.count > 0;
}

bool AxisRegion::mayGain(Transpose start,
                         llvm::SmallPtrSetImpl<Operation *> &useless) {
  auto paidFor = [](Value value) {
    auto transpose = value.getDefiningOp<Transpose>();
    return transpose && !isConstant(transpose.getIn()) && costs(transpose);
  };
  if (paidFor(start.getOut()))
    return true;
  llvm::SmallSetVector<Operation *, 32> reached;
  auto reach = [&](Operation *node) {
    if (node && !useless.contains(node) && movable(node))
      reached.insert(node);
  };
  auto reachUsers = [&](Value value) {
    for (Operation *user : value.getUsers())
      reach(user);
    return llvm::any_of(value.getUsers(), [](Operation *user) {
      auto transpose = dyn_cast<Transpose>(user);
      return transpose && costs(transpose);
    });
  };
  bool meets = reachUsers(start.getOut());
  for (size_t i = 0; i < reached.size() && !meets; ++i) {
    meets = reached.size() > largest ||
            llvm::any_of(reached[i]->getResults(), reachUsers);
    for (Value operand : reached[i]->getOperands()) {
      meets |= paidFor(operand);
      reach(operand.getDefiningOp());
    }
  }
  if (!meets)
    useless.insert(reached.begin(), reached.end());
  return meets;
}

bool AxisRegion::add(Operation *node, const Ints &order, bool keepsOrder) {
  const NodeInfo *info = isInside(node) ? nullptr : movable(node);
  if (!info)
    return false;
  for (Value operand : node->getOperands()) {
    auto found = orders.find(operand);
    if (rankOf(operand) != expr::size(order) ||
        (found != orders.end() && found->second != order))
      return false;
  }
  Member member{node, order, {}, {}};
  // The record rewrites the node's attributes, or reports that the node cannot
  // run in this order.
  if (!info->permute(node, expr::inverse(order), member.changed, member.result))
    return false;
  if (keepsOrder && expr::inverse(member.result) != order)
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
  measureMember(members.back());
  noteBest();
  return true;
}

void AxisRegion::addUsers(Value value) {
  Ints order = orders[value];
  for (Operation *user : llvm::to_vector(value.getUsers()))
    if (members.size() < largest && add(user, order))
      addProducers(user);
}

/// Adds the producers of the other operands, if they keep their axes. Their
/// results then have the order that the operands need.
void AxisRegion::addProducers(Operation *node) {
  std::vector<Operation *> nodes = {node};
  while (!nodes.empty() && members.size() < largest) {
    Operation *last = nodes.back();
    nodes.pop_back();
    Ints order = members[indices.lookup(last)].operandOrder;
    for (Value operand : last->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (orders.contains(operand) || isConstant(operand) ||
          isa_and_present<Broadcast>(producer) || !producer)
        continue;
      // The result must have the needed order: a node that changes axes itself
      // may return another one.
      if (add(producer, order, /*keepsOrder=*/true))
        nodes.push_back(producer);
    }
  }
}

void AxisRegion::noteBest() {
  auto saved = [](const RegionCost &cost) {
    return std::pair(cost.before.elements - cost.after.elements,
                     cost.before.count - cost.after.count);
  };
  if (!isGain(total) || saved(total) <= saved(bestCost))
    return;
  bestCost = total;
  best = members.size();
}

void AxisRegion::shrink(size_t size) {
  if (members.size() == size)
    return;
  while (members.size() > size) {
    for (Value result : members.back().node->getResults()) {
      orders.erase(result);
      llvm::erase(pending, result);
    }
    indices.erase(members.back().node);
    members.pop_back();
  }
  measure();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

bool AxisRegion::usedOnlyInside(Value value) const {
  return llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return isInside(user); });
}

RegionCost AxisRegion::costOfInput(Value value, const Ints &permutation) const {
  RegionCost cost;
  // Constants are folded at compile time: to transpose one costs nothing.
  if (isConstant(value))
    return cost;
  if (auto repeated = value.getDefiningOp<Broadcast>()) {
    // Transposed before the broadcast, where the tensor is small.
    cost.after.add(sizesBefore(repeated), permutation);
    return cost;
  }
  auto transpose = value.getDefiningOp<Transpose>();
  if (!transpose) {
    cost.after.add(shapeOf(value), permutation);
    return cost;
  }
  if (isConstant(transpose.getIn()))
    return cost;
  Ints has(transpose.getPermutation());
  // The transpose is removed only if nothing outside of the region reads it.
  if (usedOnlyInside(value))
    cost.before.add(shapeOf(transpose.getIn()), has);
  // The two transposes merge into one, which may be the identity.
  cost.after.add(shapeOf(transpose.getIn()), expr::compose(has, permutation));
  return cost;
}

RegionCost AxisRegion::costOfOutput(Value value, const Ints &order) const {
  RegionCost cost;
  Ints shape = expr::pick(shapeOf(value), Sizes(expr::inverse(order)));
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
    cost.before.add(shapeOf(value), next);
    cost.after.add(shape, expr::compose(order, next));
  }
  if (needed)
    cost.after.add(shape, order);
  return cost;
}

void AxisRegion::set(RegionCost &part, const RegionCost &cost) {
  total.before -= part.before, total.after -= part.after;
  part = cost;
  total.before += part.before, total.after += part.after;
}

void AxisRegion::measureStart() {
  RegionCost cost;
  if (usedOnlyInside(start.getOut()) && !isConstant(start.getIn()))
    cost.before.add(shapeOf(start.getIn()), Ints(start.getPermutation()));
  set(ofStart, cost);
}

/// Measures the changes that a member makes: its operands may lose users
/// outside, and its results come from inside.
void AxisRegion::measureMember(const Member &member) {
  auto inputs = [&](Value value) {
    const void *key = value.getAsOpaquePointer();
    auto first = ofInputs.lower_bound({key, {}}), end = first;
    while (end != ofInputs.end() && end->first.first == key)
      ++end;
    return llvm::make_range(first, end);
  };
  for (Value result : member.node->getResults()) {
    auto range = inputs(result);
    for (auto &[key, part] : range)
      set(part, {});
    ofInputs.erase(range.begin(), range.end());
    set(ofOutputs[result], costOfOutput(result, orders[result]));
  }
  for (Value operand : member.node->getOperands()) {
    if (operand == start.getOut()) {
      measureStart();
    } else if (auto found = orders.find(operand); found != orders.end()) {
      set(ofOutputs[operand], costOfOutput(operand, found->second));
    } else {
      ofInputs[{operand.getAsOpaquePointer(), member.operandOrder}];
      for (auto &[key, part] : inputs(operand))
        set(part, costOfInput(operand, expr::inverse(key.second)));
    }
  }
}

void AxisRegion::measure() {
  total = ofStart = {};
  ofInputs.clear(), ofOutputs.clear();
  measureStart();
  for (const Member &member : members)
    measureMember(member);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value AxisRegion::inputOf(OpBuilder &builder, Value value,
                          const Ints &permutation) {
  Location location = value.getLoc();
  if (auto splat = value.getDefiningOp<Splat>())
    return createSplat(builder, location, splat.getValue(),
                       expr::pick(shapeOf(value), Sizes(permutation)),
                       splat.getKind());
  if (auto repeated = value.getDefiningOp<Broadcast>()) {
    Value aligned = createReshape(builder, location, repeated.getIn(),
                                  sizesBefore(repeated));
    Value turned = createTranspose(builder, location, aligned, permutation);
    return createBroadcast(builder, location, turned,
                           expr::pick(shapeOf(value), Sizes(permutation)), -1);
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

/// Gives users outside of the region the value in the old order.
void AxisRegion::replaceUses(Value value, Value moved, const Ints &order,
                             SmallVectorImpl<Operation *> &gone) {
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
      gone.push_back(user);
      user->erase();
      continue;
    }
    if (!restored) {
      builder.setInsertionPointAfterValue(moved);
      restored = createTranspose(builder, value.getLoc(), moved, order);
    }
    user->replaceUsesOfWith(value, restored);
  }
}

SmallVector<Operation *> AxisRegion::rewrite() {
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
      state.types.push_back(
          rankedTensorOf(expr::pick(sizesOf(tensor), Sizes(member.result)),
                         tensor.getElementType()));
    }
    state.attributes = NamedAttrList(member.node->getAttrDictionary());
    for (NamedAttribute attribute : member.changed)
      state.attributes.set(attribute.getName(), attribute.getValue());
    Operation *made = builder.create(state);
    for (auto [old, result] :
         llvm::zip(member.node->getResults(), made->getResults()))
      moved[old] = result;
  }
  SmallVector<Operation *> gone;
  for (const auto &[value, order] : orders)
    if (value != start.getOut())
      replaceUses(value, moved[value], order, gone);
  // Users are erased before their operands.
  for (Member &member : llvm::reverse(members))
    member.node->erase();
  if (start.use_empty()) {
    gone.push_back(start);
    start.erase();
  }
  return gone;
}

//===- Lifetimes.cpp - live intervals of buffers --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Lifetimes.h"
#include "glow/IR/MemorySpace.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace glow::ir;

using Entry = Lifetimes::Entry;
using Range = Lifetimes::Range;

Lifetimes::Lifetimes(FuncOp function) {
  for (Operation &operation : function.block()) {
    if (!isInstr(&operation))
      continue;
    unsigned position = order.size();
    order.push_back(&operation);
    for (const Access &access : accessesOf(&operation).buffers)
      histories[access.buffer()].push_back(
          {position, access.reads, access.writes});
  }
  extendFlights();
  findParts(function);
}

void Lifetimes::extendFlights() {
  for (auto [position, instr] : llvm::enumerate(order)) {
    Value token = tokenOf(instr);
    if (!token)
      continue;
    unsigned end = entries(token).back().position;
    for (const Access &access : accessesOf(instr).buffers) {
      unsigned &known = flightEnds[access.buffer()];
      known = std::max(known, end);
    }
  }
}

// From the last alloc to the first, because a part may have parts.
void Lifetimes::findParts(FuncOp function) {
  partRanges.clear();
  auto allocs = llvm::to_vector(function.block().getOps<AllocOp>());
  for (AllocOp alloc : llvm::reverse(allocs)) {
    std::optional<Range> use = range(alloc.getBuffer());
    if (!alloc.getWhole() || !use)
      continue;
    auto [found, first] = partRanges.try_emplace(alloc.getWhole(), *use);
    if (!first)
      found->second = {std::min(found->second.first, use->first),
                       std::max(found->second.last, use->last)};
  }
}

ArrayRef<Entry> Lifetimes::entries(Value buffer) const {
  auto found = histories.find(buffer);
  return found == histories.end() ? ArrayRef<Entry>() : found->second;
}

std::optional<Range> Lifetimes::range(Value buffer) const {
  ArrayRef<Entry> all = entries(buffer);
  std::optional<Range> own, parts;
  if (!all.empty())
    own = {all.front().position,
           std::max(all.back().position, flightEnds.lookup(buffer))};
  if (auto found = partRanges.find(buffer); found != partRanges.end())
    parts = found->second;
  if (!own || !parts)
    return own ? own : parts;
  return Range{std::min(own->first, parts->first),
               std::max(own->last, parts->last)};
}

bool Lifetimes::inFlight(Value buffer) const {
  return flightEnds.contains(buffer);
}

static bool isBefore(const Entry &entry, unsigned position) {
  return entry.position < position;
}

bool Lifetimes::writtenWithin(Value buffer, unsigned from, unsigned to) const {
  ArrayRef<Entry> all = entries(buffer);
  for (const Entry *entry = llvm::lower_bound(all, from, isBefore);
       entry != all.end() && entry->position <= to; ++entry)
    if (entry->writes)
      return true;
  return false;
}

bool Lifetimes::touchedWithin(Value buffer, unsigned from, unsigned to) const {
  ArrayRef<Entry> all = entries(buffer);
  const Entry *entry = llvm::lower_bound(all, from, isBefore);
  return entry != all.end() && entry->position < to;
}

void Lifetimes::forget(unsigned position) {
  for (Value buffer : order[position]->getOperands())
    llvm::erase_if(histories[buffer], [&](const Entry &entry) {
      return entry.position == position;
    });
  order[position] = nullptr;
}

void Lifetimes::absorb(Value from, Value into) {
  if (auto found = flightEnds.find(from); found != flightEnds.end()) {
    unsigned end = found->second;
    flightEnds[into] = std::max(flightEnds.lookup(into), end);
    flightEnds.erase(from);
  }
  SmallVector<Entry> other = std::move(histories[from]);
  histories.erase(from);
  SmallVector<Entry> &own = histories[into];
  // A chain of buffers appends to one history again and again.
  if (own.empty() || other.empty() ||
      own.back().position <= other.front().position) {
    own.append(other);
    return;
  }
  SmallVector<Entry> both;
  std::ranges::merge(own, other, std::back_inserter(both), {}, &Entry::position,
                     &Entry::position);
  own = std::move(both);
}

/// Updates `reuse` after a change of lifetimes. The permission is removed
/// unless the reusing buffer begins while the other one is alive.
void Lifetimes::fitReuse(AllocOp reusing, Range reused) {
  std::optional<Range> use = range(reusing.getBuffer());
  if (!use || use->first < reused.first || use->first > reused.last)
    reusing.getReusedMutable().clear();
  if (use)
    reusing->moveBefore(order[use->first]);
}

void Lifetimes::fit(AllocOp alloc) {
  std::optional<Range> use = range(alloc.getBuffer());
  if (!use)
    return;
  SmallVector<DeallocOp> deallocs;
  SmallVector<AllocOp> reusing;
  for (Operation *user : alloc.getBuffer().getUsers()) {
    if (auto other = dyn_cast<AllocOp>(user))
      reusing.push_back(other);
    if (auto dealloc = dyn_cast<DeallocOp>(user))
      deallocs.push_back(dealloc);
  }
  for (AllocOp other : reusing)
    fitReuse(other, *use);
  alloc->moveBefore(order[use->first]);
  if (deallocs.empty()) {
    OpBuilder builder(alloc);
    deallocs.push_back(
        DeallocOp::create(builder, alloc.getLoc(), alloc.getBuffer()));
  }
  deallocs.front()->moveAfter(order[use->last]);
  for (DeallocOp dealloc : ArrayRef(deallocs).drop_front())
    dealloc.erase();
}

void glow::ir::fitAll(FuncOp function) {
  Lifetimes lifetimes(function);
  // A copied list, since fitting one alloc may move another.
  for (AllocOp alloc : llvm::to_vector(function.block().getOps<AllocOp>()))
    lifetimes.fit(alloc);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Whether `alloc` may take the slot's memory after the slot's last buffer.
static bool mayFollow(const Slot &slot, AllocOp alloc, Range use,
                      const Lifetimes &lifetimes) {
  AllocOp previous = slot.buffers.back();
  if (slot.last < use.first)
    return true;
  return slot.last == use.first &&
         mayWorkInPlace(lifetimes.instrs()[slot.last], previous.getBuffer(),
                        alloc.getBuffer());
}

std::vector<Slot> glow::ir::slotsOf(FuncOp function, const Lifetimes &lifetimes,
                                    StringRef memory) {
  std::vector<Slot> slots;
  llvm::DenseMap<Value, size_t> slotOf;
  for (AllocOp alloc : function.block().getOps<AllocOp>()) {
    std::optional<Range> use = lifetimes.range(alloc.getBuffer());
    if (!use || memoryOf(alloc.getBuffer()) != memory || alloc.getWhole())
      continue;
    auto found =
        alloc.getReused() ? slotOf.find(alloc.getReused()) : slotOf.end();
    if (found != slotOf.end()) {
      Slot &slot = slots[found->second];
      if (mayFollow(slot, alloc, *use, lifetimes)) {
        slot.buffers.push_back(alloc);
        slot.last = use->last;
        slotOf[alloc.getBuffer()] = found->second;
        continue;
      }
    }
    slotOf[alloc.getBuffer()] = slots.size();
    slots.push_back({{alloc}, alloc.type().bytes(), use->first, use->last});
  }
  return slots;
}

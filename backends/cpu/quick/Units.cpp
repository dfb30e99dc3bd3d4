//===- Units.cpp - live intervals of values -------------------------------===//
// SPDX-License-Identifier: MIT
//
// A unit is a value, or on AVX2 one of its two halves of eight elements.
// Positions are numbered in steps of two, in the order of the blocks. A live
// interval has no holes: it reaches from the first position where a value is
// needed to the last.
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

Units::Units(Function &function, DominatorTree &dominators, const Folds &folds,
             unsigned parts)
    : folds(folds), parts(parts), all(function.getMaxBlockNumber()) {
  orderBlocks(function);
  findLoops(dominators);
  makeUnits(function);
  findLives(function);
  markCalls();
  inherit();
}

/// Orders blocks in reverse postorder. Of two successors the first one, which
/// is the body of a loop, comes first.
void Units::orderBlocks(Function &function) {
  SmallVector<std::pair<BasicBlock *, unsigned>> path;
  DenseSet<BasicBlock *> seen;
  auto enter = [&](BasicBlock *block) {
    if (seen.insert(block).second)
      path.push_back({block, block->getTerminator()->getNumSuccessors()});
  };
  enter(&function.getEntryBlock());
  while (!path.empty()) {
    auto &[block, left] = path.back();
    if (left) {
      --left;
      enter(block->getTerminator()->getSuccessor(left));
    } else {
      order.push_back(block);
      path.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
}

void Units::findLoops(DominatorTree &dominators) {
  LoopInfo loops(dominators);
  for (BasicBlock *block : order) {
    for (unsigned depth = loops.getLoopDepth(block); depth; --depth)
      // The weight assumes ten iterations for each loop.
      at(block).weight *= 10;
    Loop *loop = loops.getLoopFor(block);
    if (loop && loop->getHeader() == block && loop->isInnermost())
      innermost.insert(block);
  }
}

unsigned Units::unitsOf(const Value &value) const {
  bool isPlain = isVector(value.getType()) || isMask(value.getType());
  // The parts of a broadcast element are equal.
  return isPlain && !splatOf(&value) ? parts : 1;
}

void Units::add(const Value &value) {
  Unit unit;
  // Without registers of their own, masks are vectors.
  unit.kind = isVector(value.getType())  ? Kind::Vector
              : !isMask(value.getType()) ? Kind::General
              : parts == 1               ? Kind::Mask
                                         : Kind::Vector;
  unit.from = INT_MAX, unit.to = INT_MIN;
  Range range{int(units.size()), unitsOf(value)};
  ranges[&value] = range;
  units.append(range.count, unit);
}

void Units::makeUnits(Function &function) {
  ranges.reserve(function.getInstructionCount());
  for (Argument &argument : function.args())
    if (!argument.use_empty())
      add(argument);
  int position = 0;
  for (BasicBlock *block : order) {
    at(block).start = position;
    for (Instruction &instruction : *block) {
      if (!isa<PHINode>(instruction))
        position += 2;
      if (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction))
        calls.push_back(position);
      if (!instruction.getType()->isVoidTy() && !instruction.use_empty() &&
          !folds.contains(&instruction))
        add(instruction);
    }
    at(block).end = position;
    position += 2;
  }
}

void Units::extend(Range range, int position, double weight) {
  for (unsigned part = 0; part < range.count; ++part) {
    Unit &extended = units[size_t(range.first) + part];
    extended.from = std::min(extended.from, position);
    extended.to = std::max(extended.to, position);
    extended.weight += weight;
  }
}

/// Fills the data-flow sets of a block by one pass over its instructions.
void Units::flow(BasicBlock *block) {
  Block &flow = at(block);
  for (BitVector *bits : {&flow.read, &flow.written, &flow.in, &flow.out})
    bits->resize(unsigned(units.size()));
  int position = flow.start;
  for (Instruction &instruction : *block) {
    bool isPhi = isa<PHINode>(instruction);
    if (!isPhi)
      position += 2;
    if (!isPhi && !folds.contains(&instruction))
      folds.operands(instruction, [&](Value *value) {
        Range range = rangeOf(value);
        if (range.count && !flow.written[unsigned(range.first)])
          flow.read.set(unsigned(range.first));
        // The write position follows the read position of the operands.
        extend(range, position + 1, flow.weight);
      });
    if (Range range = rangeOf(&instruction); range.count) {
      flow.written.set(unsigned(range.first));
      extend(range, position + 1, flow.weight);
    }
  }
}

/// Extends the operands of phis to the end of the predecessor, where they are
/// read.
void Units::leave(BasicBlock *block) {
  Block &flow = at(block);
  for (BasicBlock *next : successors(block))
    for (PHINode &phi : next->phis()) {
      Range value = rangeOf(phi.getIncomingValueForBlock(block)),
            into = rangeOf(&phi);
      if (!value.count || !into.count)
        continue;
      flow.out.set(unsigned(value.first));
      extend(value, flow.end + 1, flow.weight);
      extend(into, at(next).start + 1, flow.weight);
    }
}

/// Solves liveness: a value that a block reads is live in its predecessors, up
/// to the block that writes it.
void Units::spread() {
  // Liveness as a data-flow problem: live-in = read before it is written, or
  // live-out and not written; live-out = union of the successors' live-in. In
  // reverse order it takes few rounds.
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : reverse(order)) {
      Block &flow = at(block);
      for (BasicBlock *next : successors(block))
        flow.out |= at(next).in;
      BitVector in = flow.out;
      in.reset(flow.written);
      in |= flow.read;
      changed |= in != flow.in;
      flow.in = std::move(in);
    }
  }
}

void Units::findLives(Function &function) {
  for (BasicBlock *block : order)
    flow(block);
  for (BasicBlock *block : order)
    leave(block);
  spread();
  std::vector<Range> byUnit(units.size());
  for (auto &[value, range] : ranges)
    byUnit[size_t(range.first)] = range;
  for (BasicBlock *block : order) {
    const Block &flow = at(block);
    for (unsigned unit : flow.in.set_bits())
      extend(byUnit[unit], flow.start, 0);
    for (unsigned unit : flow.out.set_bits())
      extend(byUnit[unit], flow.end + 1, 0);
  }
  for (Argument &argument : function.args())
    extend(rangeOf(&argument), 0, 0);
}

void Units::markCalls() {
  for (Unit &unit : units) {
    auto call = llvm::upper_bound(calls, unit.from);
    // An argument of the call whose interval ends there does not cross the
    // call.
    unit.isAcross = call != calls.end() && *call + 1 < unit.to;
  }
}

void Units::link(Range heir, Range value) {
  if (heir.count == value.count)
    for (unsigned part = 0; part < heir.count; ++part)
      units[size_t(heir.first) + part].heirOf.push_back(value.first +
                                                        int(part));
}

void Units::linkPhi(const PHINode &phi) {
  Range into = rangeOf(&phi);
  for (Value *incoming : phi.incoming_values()) {
    Range value = rangeOf(incoming);
    link(into, value);
    for (unsigned part = 0; into.count == value.count && part < into.count;
         ++part)
      units[size_t(value.first) + part].phi = into.first + int(part);
  }
}

/// Adds coalescing hints: a result may take the register of an operand whose
/// interval ends there, and a phi that of its incoming value.
void Units::inherit() {
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block) {
      if (auto *phi = dyn_cast<PHINode>(&instruction)) {
        linkPhi(*phi);
        continue;
      }
      Range heir = rangeOf(&instruction);
      // Parts of a shuffle's result may read other parts of its operand.
      if (!heir.count || isa<ShuffleVectorInst>(instruction))
        continue;
      // The operand that an instruction changes in place is the last one.
      for (Value *operand : reverse(instruction.operand_values()))
        link(heir, rangeOf(operand));
    }
}

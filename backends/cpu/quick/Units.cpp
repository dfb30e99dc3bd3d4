//===- Units.cpp - what needs a register, and how long --------------------===//
//
// A unit is a value, or on AVX2 one of its two halves of eight elements.
// Positions are numbered in steps of two: an instruction reads and writes at
// its position + 1, blocks begin and end at even ones between. Live ranges have
// no holes: from the first position where a value is needed to the last, in the
// order of the blocks.
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

Units::Units(Function &function, const Folds &folds, unsigned parts)
    : folds(folds), parts(parts) {
  orderBlocks(function);
  findLoops(function);
  makeUnits(function);
  findLives();
  markCalls();
  inherit();
}

/// Depth first, from the end: of two ways the one that is written first comes
/// first, which is the body of a loop.
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

void Units::findLoops(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (BasicBlock *block : order) {
    double weight = 1;
    for (unsigned depth = loops.getLoopDepth(block); depth; --depth)
      // A loop runs some ten times for each turn of the one around it, as far
      // as is known.
      weight *= 10;
    weights[block] = weight;
    Loop *loop = loops.getLoopFor(block);
    if (loop && loop->getHeader() == block && loop->isInnermost())
      innermost.insert(block);
  }
}

unsigned Units::partsOf(const Value *value) const {
  bool isPlain = isVector(value->getType()) || isMask(value->getType());
  // What is one element repeated has the same halves.
  return isPlain && !splatOf(value) ? parts : 1;
}

void Units::add(const Value &value) {
  Unit unit;
  // Without registers of their own, masks are vectors.
  unit.kind = isVector(value.getType())  ? Kind::Vector
              : !isMask(value.getType()) ? Kind::General
              : parts == 1               ? Kind::Mask
                                         : Kind::Vector;
  unit.from = INT_MAX, unit.to = INT_MIN;
  first[&value] = int(units.size());
  units.append(partsOf(&value), unit);
}

void Units::makeUnits(Function &function) {
  for (Argument &argument : function.args())
    if (!argument.use_empty())
      add(argument);
  int position = 0;
  for (BasicBlock *block : order) {
    Span &span = spans[block];
    span.start = position;
    for (Instruction &instruction : *block) {
      bool isPhi = isa<PHINode>(instruction);
      if (!isPhi)
        position += 2;
      positions[&instruction] = isPhi ? span.start : position;
      if (!instruction.getType()->isVoidTy() && !instruction.use_empty() &&
          !folds.contains(&instruction))
        add(instruction);
    }
    span.end = position;
    position += 2;
  }
}

void Units::extend(const Value *value, int position, double weight) {
  int unit = of(value);
  for (unsigned part = 0; unit >= 0 && part < partsOf(value); ++part) {
    Unit &extended = units[size_t(unit) + part];
    extended.from = std::min(extended.from, position);
    extended.to = std::max(extended.to, position);
    extended.weight += weight;
  }
}

/// The part of a block that one pass over its instructions tells.
Units::Flow Units::flowOf(BasicBlock *block) {
  Flow flow;
  for (BitVector *bits : {&flow.read, &flow.written, &flow.in, &flow.out})
    bits->resize(unsigned(units.size()));
  double weight = weights[block];
  for (Instruction &instruction : *block) {
    int position = positions[&instruction];
    if (!isa<PHINode>(instruction) && !folds.contains(&instruction))
      folds.operands(instruction, [&](Value *value) {
        if (of(value) < 0)
          return;
        if (!flow.written[unsigned(of(value))])
          flow.read.set(unsigned(of(value)));
        // Nothing is written where something is still to be read.
        extend(value, position + 1, weight);
      });
    if (of(&instruction) >= 0) {
      flow.written.set(unsigned(of(&instruction)));
      extend(&instruction, position + 1, weight);
    }
  }
  return flow;
}

/// What goes into a phi is read where its block is left.
void Units::leave(BasicBlock *block, Flow &flow) {
  for (BasicBlock *next : successors(block))
    for (PHINode &phi : next->phis()) {
      Value *value = phi.getIncomingValueForBlock(block);
      if (of(value) < 0 || of(&phi) < 0)
        continue;
      flow.out.set(unsigned(of(value)));
      extend(value, spans[block].end + 1, weights[block]);
      extend(&phi, spans[next].start + 1, weights[block]);
    }
}

/// What a block reads lives in those before it, until one writes it.
void Units::spread(Flows &flows) const {
  // Liveness as a data-flow problem: live in = read before it is written, or
  // live out and not written; live out = live in of what follows. From the end
  // of the order it takes few rounds.
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : reverse(order)) {
      Flow &flow = flows[block];
      for (BasicBlock *next : successors(block))
        flow.out |= flows[next].in;
      BitVector in = flow.out;
      in.reset(flow.written);
      in |= flow.read;
      changed |= in != flow.in;
      flow.in = std::move(in);
    }
  }
}

void Units::findLives() {
  Flows flows;
  for (BasicBlock *block : order) {
    Flow flow = flowOf(block);
    leave(block, flow);
    flows[block] = std::move(flow);
  }
  spread(flows);
  DenseMap<int, const Value *> values;
  for (auto &[value, unit] : first)
    values[unit] = value;
  for (BasicBlock *block : order) {
    for (unsigned unit : flows[block].in.set_bits())
      extend(values[int(unit)], spans[block].start, 0);
    for (unsigned unit : flows[block].out.set_bits())
      extend(values[int(unit)], spans[block].end + 1, 0);
  }
  for (auto &[value, unit] : first)
    if (isa<Argument>(value))
      extend(value, 0, 0);
}

void Units::markCalls() {
  SmallVector<int> calls;
  for (auto &[instruction, position] : positions)
    if (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction))
      calls.push_back(position);
  llvm::sort(calls);
  for (Unit &unit : units) {
    auto call = llvm::upper_bound(calls, unit.from);
    // An argument of the call is read by it, and need not outlast it.
    unit.isAcross = call != calls.end() && *call + 1 < unit.to;
  }
}

/// A result may have the register of an operand that is read there for the
/// last time, and a phi that of what goes into it.
void Units::inherit() {
  auto link = [&](const Value *heir, const Value *value) {
    if (of(heir) < 0 || of(value) < 0 || partsOf(heir) != partsOf(value))
      return;
    for (unsigned part = 0; part < partsOf(heir); ++part)
      units[size_t(of(heir, part))].heirOf.push_back(of(value, part));
  };
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block) {
      if (auto *phi = dyn_cast<PHINode>(&instruction)) {
        for (Value *value : phi->incoming_values()) {
          link(phi, value);
          for (unsigned part = 0;
               of(phi) >= 0 && of(value) >= 0 && part < partsOf(value) &&
               partsOf(value) == partsOf(phi);
               ++part)
            units[size_t(of(value, part))].phi = of(phi, part);
        }
      } else if (!folds.contains(&instruction) &&
                 !isa<ShuffleVectorInst>(instruction)) {
        // A part of what is shuffled may be read for another part. The one that
        // an instruction changes in place is the last.
        for (Value *operand : reverse(instruction.operand_values()))
          if (isa<Instruction, Argument>(operand) &&
              !isa<CallInst>(instruction))
            link(&instruction, operand);
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
          for (Value *operand : reverse(call->args()))
            link(&instruction, operand);
      }
    }
}

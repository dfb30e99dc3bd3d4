//===- LoopOpen.cpp - loops over sizes that a run gives -------------------===//
// SPDX-License-Identifier: MIT
//
// A loop counts to a value that the step reads when it begins. Threads share
// the iterations of the run, in chunks of enough work, whose number another
// function reports. Behind the last whole tile come single rows, whole vectors,
// and one vector with a mask.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"
#include "glow/Base/Functions/Numbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// The number of iterations of a loop.
Length LoopEmitter::countOf(const PlaceLoop &loop) const {
  return quotient(plan.program.length(loop.index) + (loop.step - 1), loop.step);
}

LoopEmitter::Chunks LoopEmitter::chunksOf(Emitter &code,
                                          ArrayRef<PlaceLoop> outer) const {
  Length count = 1, work = 1;
  for (const PlaceLoop &loop : outer)
    count = count * countOf(loop);
  if (count == 1)
    return {code.integer(1), code.integer(1)};
  for (unsigned index : statement().indices)
    work = work * (statement().boundsOf(index) ? Length(plan.turnsOf(index))
                                               : plan.program.length(index));
  work = quotient(work, plan.lanes ? plan.width : 1) + 1;
  Value *all = valueOf(code, count);
  Value *group =
      code.CreateUDiv(code.times(all, leastWork), valueOf(code, work));
  return {all, code.larger(group, code.integer(1))};
}

/// The next iterations: a division by a value takes longer than many tiles.
Emitter::Values LoopEmitter::turnsAfter(ArrayRef<PlaceLoop> loops,
                                        Values turns) {
  Value *step = code.integer(1);
  for (size_t i = loops.size(); i-- > 0;) {
    Value *next = code.add(turns[i], step);
    if (i == 0) {
      turns[0] = next;
      break;
    }
    Value *isEnd = code.CreateICmpEQ(next, number(countOf(loops[i])));
    turns[i] = code.CreateSelect(isEnd, code.integer(0), next);
    step = code.CreateZExt(isEnd, code.getInt64Ty());
  }
  return turns;
}

/// Emits the function for loops whose counts a run gives, and a function that
/// reports the number of its chunks.
NativeStep::Phase LoopEmitter::emitOpen(ArrayRef<PlaceLoop> outer,
                                        ArrayRef<PlaceLoop> inner) {
  Chunks chunks = chunksOf(code, outer);
  Value *first = code.CreateMul(code.function->getArg(2), chunks.group);
  Value *end = code.smaller(
      code.CreateMul(code.function->getArg(3), chunks.group), chunks.count);
  code.when(code.CreateICmpSLT(first, end), [&] {
    values.enter();
    values.hoist();
    code.loop(first, end, turnsAt(outer, first),
              [&](Value *, Emitter::Values turns) {
                values.enter();
                bindTurns(outer, turns);
                loopOver(inner, [&] { emitPlaces(); });
                values.leave();
                return turnsAfter(outer, turns);
              });
    values.leave();
  });
  code.CreateRetVoid();
  if (outer.empty())
    return {code.function, 1};

  emitMeasure(code, [&](Emitter &code) {
    auto [count, group] = chunksOf(code, outer);
    return code.CreateUDiv(
        code.CreateAdd(count, code.CreateSub(group, code.integer(1))), group);
  });
  int64_t most = 1;
  for (const PlaceLoop &loop : outer)
    most = expr::multiply(most, loop.count);
  // A group of one iteration has up to twice the least work.
  most = std::min(most, expr::add(plan.work() / leastWork * 2, 2));
  return {code.function, most};
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// Emits `emit` where an index has another value than outside.
void LoopEmitter::emitAt(unsigned index, Value *value,
                         function_ref<void()> emit) {
  Value *outside = values.index(plan.program.indexTerm(index));
  values.enter();
  values.rebind(index, value);
  values.hoist();
  emit();
  values.leave();
  values.bind(index, outside);
}

/// Emits whole vectors, and one with the remaining lanes.
void LoopEmitter::emitLastVectors(std::array<int64_t, 2> rows) {
  const unsigned index = plan.lanes->index;
  const Length &length = plan.program.length(index);
  Value *from = values.index(plan.program.indexTerm(index));
  Value *count = code.CreateNSWSub(number(length), from);
  Value *whole = code.integer(0);
  auto emit = [&](Value *vector) {
    emitAt(index, code.add(from, code.times(vector, code.lanes)),
           [&] { emitTile(rows, 1, 0); });
  };
  if (plan.lanes->size > 1) {
    whole = code.CreateUDiv(count, code.integer(code.lanes));
    code.loop(code.integer(0), whole, emit, /*maybeNone=*/true);
  }
  if (length.divisor() % code.lanes == 0)
    return;
  Value *rest = code.CreateURem(count, code.integer(code.lanes));
  code.when(code.CreateICmpNE(rest, code.integer(0)), [&] {
    values.enter();
    values.setMask(values.below(rest));
    emit(whole);
    values.setMask(nullptr);
    values.leave();
  });
}

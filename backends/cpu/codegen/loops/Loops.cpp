//===- Loops.cpp - code of index notation ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// One scheme for every statement. The outermost loops over the result are
// distributed over threads, and a tile of the result is computed at once. The
// loops over terms run with the sums in registers. If terms reach an element in
// an unknown order, as by loaded indices, its sum is in memory.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::Outside;
using loops::Term;

//===----------------------------------------------------------------------===//
// Elements of the result
//===----------------------------------------------------------------------===//

LoopEmitter::LoopEmitter(Emitter &code, LoopPlan plan, unsigned buffers)
    : plan(std::move(plan)), code(code), values(code, this->plan, buffers) {
  for (Term term : treesOf(statement()))
    if (term->op == Op::Load && term->outside == Outside::Skips)
      append_range(guards, conditionsOf(term->operands, tensorOf(term)));
  placeGuards = conditionsOf(statement().subscripts,
                             this->plan.program.tensors[statement().tensor]);
}

void LoopEmitter::enterIndex(unsigned index, Value *value) {
  values.bind(index, value);
  values.hoist();
}

/// Splits a number into the iterations of each outer loop.
Emitter::Values LoopEmitter::turnsAt(ArrayRef<PlaceLoop> loops, Value *number) {
  Emitter::Values turns(loops.size());
  for (size_t i = loops.size(); i-- > 0;) {
    Value *count = this->number(countOf(loops[i]));
    turns[i] = i ? code.CreateURem(number, count) : number;
    number = code.CreateUDiv(number, count);
  }
  return turns;
}

void LoopEmitter::bindTurns(ArrayRef<PlaceLoop> loops,
                            const Emitter::Values &turns) {
  for (auto [loop, turn] : zip(loops, turns))
    enterIndex(loop.index, code.times(turn, loop.step));
}

void LoopEmitter::loopOver(ArrayRef<PlaceLoop> loops,
                           function_ref<void()> body) {
  if (loops.empty())
    return body();
  code.loop(
      code.integer(0), number(countOf(loops[0])),
      [&](Value *turn) {
        values.enter();
        enterIndex(loops[0].index, code.times(turn, loops[0].step));
        loopOver(loops.drop_front(), body);
        values.leave();
      },
      mayBeNone(plan.program.length(loops[0].index)));
}

NativeStep::Phase LoopEmitter::emit() {
  std::vector<PlaceLoop> loops = plan.loopsOverPlaces();
  auto outer = ArrayRef(loops).take_front(plan.threads);
  auto inner = ArrayRef(loops).drop_front(plan.threads);
  auto isOpen = [&](const PlaceLoop &loop) {
    return !plan.program.length(loop.index).isFixed();
  };
  if (code.lanes > 1 && any_of(loops, isOpen))
    return emitOpen(outer, inner);
  int64_t chunks = 1;
  for (const PlaceLoop &loop : outer)
    chunks *= loop.count;
  int64_t group = std::clamp<int64_t>(leastWork * chunks / plan.work(), 1,
                                      std::max<int64_t>(chunks, 1));
  values.hoist();
  if (code.lanes == 1) { // the processor has one thread
    loopOver(loops, [&] { emitPlaces(); });
    code.CreateRetVoid();
    return {code.function, 1};
  }
  Value *first = code.times(code.function->getArg(2), group);
  Value *end = code.smaller(code.times(code.function->getArg(3), group),
                            code.integer(chunks));
  code.loop(first, end, [&](Value *number) {
    values.enter();
    bindTurns(outer, turnsAt(outer, number));
    loopOver(inner, [&] { emitPlaces(); });
    values.leave();
  });
  code.CreateRetVoid();
  return {code.function, (chunks + group - 1) / group};
}

void LoopEmitter::emitPlaces() {
  if (inMemory())
    emitInMemory(0);
  else
    emitTiles(0, {1, 1});
}

void LoopEmitter::bindOuter(ArrayRef<Value *> outer) {
  for (auto [index, value] : zip_equal(plan.outer, outer))
    values.bind(index, value);
  values.hoist();
}

void LoopEmitter::emitWithin(ArrayRef<Value *> outer) {
  values.enter();
  bindOuter(outer);
  loopOver(plan.loopsOverPlaces(), [&] { emitPlaces(); });
  values.leave();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Emits the tiles along an index of so many elements; the last tile has the
/// remainder. `emitRest` is for a remainder that a run gives.
void LoopEmitter::emitAlong(unsigned index, int64_t size,
                            function_ref<void(int64_t elements)> emit,
                            function_ref<void()> emitRest) {
  auto scoped = [&](int64_t elements) {
    values.enter();
    emit(elements);
    values.leave();
  };
  const Length &length = plan.program.length(index);
  if (!length.isFixed()) {
    if (length.divisor() % size == 0)
      return scoped(size);
    Value *isWhole = code.CreateICmpSLE(
        values.index(plan.program.indexTerm(index)), number(length - size));
    code.when(isWhole, [&] { scoped(size); });
    return code.when(code.CreateNot(isWhole), [&] {
      values.enter();
      emitRest();
      values.leave();
    });
  }
  int64_t extent = length.fixed(), rest = extent % size;
  if (!rest || extent < size)
    return scoped(rest ? rest : size);
  Value *isWhole = code.CreateICmpSLE(
      values.index(plan.program.indexTerm(index)), code.integer(extent - size));
  code.when(isWhole, [&] { scoped(size); });
  code.when(code.CreateNot(isWhole), [&] { scoped(rest); });
}

void LoopEmitter::emitTiles(unsigned tile, std::array<int64_t, 2> rows) {
  if (tile == plan.rows.size())
    return emitVectors(rows);
  const unsigned index = plan.rows[tile].index;
  auto emit = [&](int64_t count) {
    rows[tile] = count;
    emitTiles(tile + 1, rows);
  };
  emitAlong(index, plan.rows[tile].size, emit, [&] {
    Value *first = values.index(plan.program.indexTerm(index));
    code.loop(first, number(plan.program.length(index)),
              [&](Value *row) { emitAt(index, row, [&] { emit(1); }); });
  });
}

void LoopEmitter::emitVectors(std::array<int64_t, 2> rows) {
  if (!plan.lanes || plan.sumsLanes())
    return emitTile(rows, 1, 0);
  const int64_t width = code.lanes;
  auto emit = [&](int64_t elements) {
    emitTile(rows, (elements + width - 1) / width, elements % width);
  };
  emitAlong(plan.lanes->index, plan.lanes->size * width, emit,
            [&] { emitLastVectors(rows); });
}

void LoopEmitter::emitTile(std::array<int64_t, 2> rows, int64_t vectors,
                           int64_t tail) {
  copies.clear();
  for (int64_t a = 0; a < rows[0]; ++a)
    for (int64_t b = 0; b < rows[1]; ++b)
      for (int64_t v = 0; v < vectors; ++v)
        copies.push_back({a, b, v});
  values.setTail(vectors, tail);
  values.hoist(copies);
  if (plan.sums())
    storeTile(sum(0, start()));
  else
    storeTile({});
  values.setTail(0, 0);
}

/// The value of an assignment, without a sum.
Value *LoopEmitter::assigned(Copy copy) {
  Value *value = values.value(statement().value, copy);
  Value *holds = values.all(guards, copy);
  if (!holds)
    return value;
  return code.CreateSelect(holds, value,
                           statement().otherwise
                               ? values.value(statement().otherwise, copy)
                               : ops().number(0));
}

/// The value that is stored for a sum.
Value *LoopEmitter::finished(Value *sum, Copy copy) {
  if (!statement().finish)
    return sum;
  values.enter();
  values.setResult(sum);
  Value *result = values.value(statement().finish, copy);
  values.setResult(nullptr);
  values.leave();
  return result;
}

void LoopEmitter::storeTile(const Values &sums) {
  size_t next = 0;
  for (Copy copy : copies) {
    Value *result, *inside = values.all(placeGuards, copy);
    if (plan.sums()) {
      Value *total = sums[next++];
      result = finish(total, hasSecond() ? sums[next++] : nullptr);
      if (statement().accumulates)
        result = combine(values.loadPlace(inside, copy), result);
      result = finished(result, copy);
    } else {
      result = assigned(copy);
    }
    if (!plan.lanes || plan.sumsLanes())
      values.storeFirst(result, inside, copy);
    else
      values.store(result, values.lanesWhere(inside, copy), copy);
  }
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

void LoopEmitter::emitInMemory(size_t depth) {
  if (depth == plan.summed.size() && !plan.lanes)
    return updatePlace();
  bool isLane = depth == plan.summed.size();
  unsigned index = isLane ? plan.lanes->index : plan.summed[depth];
  values.enter();
  auto [low, high] = givenBounds(index);
  Value *first = values.index(low), *end = values.index(high);
  auto turn = [&](Value *at) {
    values.enter();
    values.bind(index, at);
    copies = {Copy{}};
    values.hoist(copies);
    isLane ? updatePlace() : emitInMemory(depth + 1);
    values.leave();
  };
  if (isLane)
    emitLanesInMemory(first, end, turn);
  else
    code.loop(first, end, turn, /*maybeNone=*/true);
  values.unbind(index);
  values.leave();
}

/// Emits whole vectors, and then the remainder.
void LoopEmitter::emitLanesInMemory(Value *first, Value *end,
                                    function_ref<void(Value *at)> turn) {
  Value *count = code.larger(code.CreateNSWSub(end, first), code.integer(0));
  Value *whole = code.CreateUDiv(count, code.integer(code.lanes));
  auto vector = [&](Value *number) {
    return code.add(first, code.times(number, code.lanes));
  };
  code.loop(
      code.integer(0), whole, [&](Value *number) { turn(vector(number)); },
      /*maybeNone=*/true);
  Value *rest = code.CreateURem(count, code.integer(code.lanes));
  auto *known = dyn_cast<ConstantInt>(rest);
  if (known && known->isZero())
    return;
  auto masked = [&] {
    values.enter();
    values.setMask(values.below(rest));
    turn(vector(whole));
    values.setMask(nullptr);
    values.leave();
  };
  if (known)
    return masked();
  code.when(code.CreateICmpNE(rest, code.integer(0)), masked);
}

void LoopEmitter::updatePlace() {
  bool isFound = any_of(treesOf(statement().subscripts),
                        [](Term term) { return term->op == Op::Load; });
  if (Value *inside = isFound ? values.all(placeGuards, Copy{}) : nullptr)
    values.checkInside(inside, Copy{}, statement().bounds.size());
  loops::Terms conditions = placeGuards;
  if (plan.sums())
    append_range(conditions, guards);
  Value *holds = values.all(conditions, Copy{});
  Value *where = values.lanesWhere(holds, Copy{});
  auto result = [&] {
    if (!plan.sums())
      return assigned(Copy{});
    // A single element is loaded inside of the branch.
    return combine(values.loadPlace(plan.lanes ? holds : nullptr, Copy{}),
                   Copy{});
  };
  if (plan.lanes)
    return values.store(result(), where, Copy{});
  // Bounds are checked even if nothing is written.
  auto write = [&] {
    values.enter();
    values.storeFirst(result(), nullptr, Copy{});
    values.leave();
  };
  if (holds)
    code.when(holds, write);
  else
    write();
}

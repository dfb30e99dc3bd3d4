//===- Loops.cpp - code of index notation ---------------------------------===//
//
// One scheme for every statement: the outermost places are shared out to
// threads, a tile of places is computed at once, and the terms of its sums are
// gone through with the sums in registers. Where several terms meet one place
// by ways that are not known, its sum is in memory.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/Loops.h"
#include "LoopFactors.h"
#include "LoopScan.h"
#include "glow/Base/Functions.h"
#include "glow/Loops/Language.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Combine;
using loops::Op;
using loops::Outside;
using loops::Term;

namespace {

/// What a chunk should come to at least, in elements of 16 lanes.
constexpr int64_t leastWork = 1024;
/// How many chunks are enough for any number of threads.
constexpr int64_t enoughChunks = 64;

} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

LoopEmitter::LoopEmitter(Emitter &code, LoopPlan plan, unsigned buffers)
    : plan(std::move(plan)), code(code), values(code, this->plan, buffers) {
  for (Term term : treesOf(statement()))
    if (term->op == Op::Load && term->outside == Outside::Skips)
      append_range(guards, conditionsOf(term->operands, shapeOf(term)));
  placeGuards =
      conditionsOf(statement().subscripts,
                   this->plan.program.tensors[statement().tensor].shape);
}

std::vector<LoopEmitter::Loop> LoopEmitter::loopsOverPlaces() const {
  std::vector<Loop> loops;
  auto add = [&](unsigned index, int64_t step) {
    int64_t extent = plan.program.extent(index);
    loops.push_back({index, (extent + step - 1) / step, step});
  };
  for (unsigned index : plan.placed)
    add(index, 1);
  if (inMemory())
    return loops;
  if (plan.lanes && !plan.sumsLanes())
    add(plan.lanes->index, plan.lanes->size * lanes);
  for (const LoopTile &row : plan.rows)
    add(row.index, row.size);
  if (plan.innermost)
    add(*plan.innermost, 1);
  return loops;
}

void LoopEmitter::enterIndex(unsigned index, Value *value) {
  values.bind(index, value);
  values.hoist();
}

/// The outer loops are counted in one number.
void LoopEmitter::bindPrefix(ArrayRef<Loop> loops, Value *number) {
  SmallVector<Value *> turns(loops.size());
  for (size_t i = loops.size(); i-- > 0;) {
    Value *count = code.integer(loops[i].count);
    turns[i] = i ? code.CreateURem(number, count) : number;
    number = code.CreateUDiv(number, count);
  }
  for (auto [loop, turn] : zip(loops, turns))
    enterIndex(loop.index, code.times(turn, loop.step));
}

void LoopEmitter::loopOver(ArrayRef<Loop> loops, function_ref<void()> body) {
  if (loops.empty())
    return body();
  code.loop(code.integer(0), code.integer(loops[0].count), [&](Value *turn) {
    values.enter();
    enterIndex(loops[0].index, code.times(turn, loops[0].step));
    loopOver(loops.drop_front(), body);
    values.leave();
  });
}

NativeStep::Phase LoopEmitter::emit() {
  std::vector<Loop> loops = loopsOverPlaces();
  int64_t work = 1;
  for (unsigned index : statement().indices)
    work *= plan.turnsOf(index);
  work = work / (plan.lanes ? lanes : 1) + 1;
  // The outermost loops are shared out, as far as there is work for threads.
  size_t shared = 0;
  int64_t chunks = 1;
  while (shared < loops.size() && chunks < enoughChunks &&
         work / chunks > leastWork)
    chunks *= loops[shared++].count;
  int64_t group = std::clamp<int64_t>(leastWork * chunks / work, 1, chunks);
  ArrayRef<Loop> outer = ArrayRef(loops).take_front(shared);
  ArrayRef<Loop> inner = ArrayRef(loops).drop_front(shared);
  values.hoist();
  Value *first = code.times(code.function->getArg(2), group);
  Value *end = code.smaller(code.times(code.function->getArg(3), group),
                            code.integer(chunks));
  code.loop(first, end, [&](Value *number) {
    values.enter();
    bindPrefix(outer, number);
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

void LoopEmitter::emitWithin(ArrayRef<Value *> outer) {
  values.enter();
  for (auto [index, value] : zip_equal(plan.outer, outer))
    values.bind(index, value);
  values.hoist();
  loopOver(loopsOverPlaces(), [&] { emitPlaces(); });
  values.leave();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Emits the tiles along an index of so many elements: of the last one, what is
/// left.
void LoopEmitter::emitAlong(unsigned index, int64_t size,
                            function_ref<void(int64_t elements)> emit) {
  int64_t extent = plan.program.extent(index), rest = extent % size;
  auto scoped = [&](int64_t elements) {
    values.enter();
    emit(elements);
    values.leave();
  };
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
  emitAlong(plan.rows[tile].index, plan.rows[tile].size, [&](int64_t count) {
    rows[tile] = count;
    emitTiles(tile + 1, rows);
  });
}

void LoopEmitter::emitVectors(std::array<int64_t, 2> rows) {
  if (!plan.lanes || plan.sumsLanes())
    return emitTile(rows, 1, 0);
  emitAlong(plan.lanes->index, plan.lanes->size * lanes, [&](int64_t elements) {
    emitTile(rows, (elements + lanes - 1) / lanes, elements % lanes);
  });
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

/// What is put into a place as it is.
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

void LoopEmitter::storeTile(const Values &sums) {
  size_t next = 0;
  for (Copy copy : copies) {
    Value *result, *inside = values.all(placeGuards, copy);
    if (plan.sums()) {
      Value *total = sums[next++];
      result = finish(total, hasSecond() ? sums[next++] : nullptr);
      if (statement().goesOn)
        result = combine(values.loadPlace(inside, copy), result);
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

/// Whole vectors, and then what is left.
void LoopEmitter::emitLanesInMemory(Value *first, Value *end,
                                    function_ref<void(Value *at)> turn) {
  Value *count = code.larger(code.CreateNSWSub(end, first), code.integer(0));
  Value *whole = code.CreateUDiv(count, code.integer(lanes));
  auto vector = [&](Value *number) {
    return code.add(first, code.times(number, lanes));
  };
  code.loop(
      code.integer(0), whole, [&](Value *number) { turn(vector(number)); },
      /*maybeNone=*/true);
  Value *rest = code.CreateURem(count, code.integer(lanes));
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
    // A single element is read behind the branch.
    return combine(values.loadPlace(plan.lanes ? holds : nullptr, Copy{}),
                   Copy{});
  };
  if (plan.lanes)
    return values.store(result(), where, Copy{});
  // What fails is looked at even where nothing is written.
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

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Whether the scheme has a way for the statement.
static bool hasPlan(const LoopPlan &plan) {
  // What comes in between would need memory beside the place.
  return plan.placesAreApart || (plan.statement.combine != Combine::Mean &&
                                 !givesPlaces(plan.statement.combine));
}

namespace {

/// The phases of one instruction.
class StepEmitter {
public:
  StepEmitter(CodeModule &unit, loops::Program &program, const Twine &name,
              unsigned buffers)
      : unit(unit), program(program), name(name.str()), buffers(buffers) {}

  /// Nothing where there is no way.
  std::optional<NativeStep> emit() {
    std::vector<loops::Statement> statements;
    for (const loops::Statement &statement : program.statements) {
      if (writesNothing(program, statement))
        continue;
      if (onlyFails(program, statement))
        return emitFailure();
      fails |= canFail(program, statement);
      append_range(statements,
                   withFactors(unit, program, statement, sharedBytes));
    }
    for (size_t i = 0, end; i < statements.size(); i = end) {
      end = i + 1;
      while (statements[i].scan && end < statements.size() &&
             statements[end].scan == statements[i].scan)
        ++end;
      if (!addPlans(ArrayRef(statements).slice(i, end - i)))
        return std::nullopt;
    }
    if (!program.complete())
      return std::nullopt;
    return emitPlans();
  }

private:
  /// Of a statement, or of those of a scan. False where the scheme has no way.
  bool addPlans(ArrayRef<loops::Statement> group) {
    if (group.front().scan) {
      scans.emplace_back(program, group, unit.target);
      plans.push_back(&scans.back());
      return all_of(scans.back().plans, hasPlan);
    }
    LoopPlan plan(program, group.front(), unit.target);
    // Whether bounds are right is looked at for a result of nothing too.
    bool isEmpty = is_contained(program.tensors[group.front().tensor].shape, 0);
    if (plan.sums() && !plan.covers && !group.front().goesOn && !isEmpty)
      addPlan({program, program.fillOf(group.front()), unit.target});
    addPlan(std::move(plan));
    return hasPlan(statements.back());
  }
  void addPlan(LoopPlan plan) {
    statements.push_back(std::move(plan));
    plans.push_back(&statements.back());
  }

  /// Of statements that are not those of the record.
  static Work workOf(const std::deque<LoopPlan> &plans) {
    Work work;
    for (const LoopPlan &plan : plans) {
      double turns = 1;
      for (unsigned index : plan.statement.indices)
        turns *= double(plan.turnsOf(index));
      work.operations += turns / lanes *
                         (1 + plan.sums() + operationsIn(plan.statement.value));
    }
    return work;
  }

  NativeStep emitFailure() {
    NativeStep step;
    Emitter code(unit, unit.addStep(name));
    code.CreateStore(code.integer(1), code.buffer(buffers));
    code.CreateRetVoid();
    step.phases.push_back({code.function, 1});
    mayFail(step);
    return step;
  }

  void mayFail(NativeStep &step) const {
    step.sharedBytes = sharedBytes;
    step.failure = "an index is out of range";
    step.choice.algorithm = "loops";
  }

  NativeStep emitPlans() {
    NativeStep step;
    for (auto plan : plans) {
      size_t number = step.phases.size();
      Emitter code(unit, unit.addStep(number ? name + "." + Twine(number)
                                             : Twine(name)));
      step.phases.push_back(
          isa<const ScanPlan *>(plan)
              ? emitScan(code, *cast<const ScanPlan *>(plan), buffers)
              : LoopEmitter(code, *cast<const LoopPlan *>(plan), buffers)
                    .emit());
    }
    if (plans.empty()) {
      llvm::Function *nothing = unit.addStep(name);
      Emitter(unit, nothing).CreateRetVoid();
      step.phases.push_back({nothing, 0});
    }
    if (fails)
      mayFail(step);
    if (sharedBytes > NativeStep::flagBytes) {
      step.sharedBytes = sharedBytes;
      step.work = workOf(statements);
    }
    step.choice.algorithm = "loops";
    return step;
  }

  CodeModule &unit;
  loops::Program &program;
  const std::string name;
  const unsigned buffers;
  bool fails = false;
  /// Of the flag that the run fails, and of factors behind the flag.
  int64_t sharedBytes = NativeStep::flagBytes;
  std::deque<LoopPlan> statements;
  std::deque<ScanPlan> scans;
  /// Of either, in the order of the program.
  std::vector<PointerUnion<const LoopPlan *, const ScanPlan *>> plans;
};

} // namespace

std::optional<NativeStep> cpu::emitProgram(CodeModule &unit,
                                           loops::Program &program,
                                           const Twine &name,
                                           unsigned buffers) {
  if (!hasLoopCode(program))
    return std::nullopt;
  if (isNarrow(program))
    program.computes = ElementKind::I32;
  return StepEmitter(unit, program, name, buffers).emit();
}

std::optional<NativeStep> cpu::emitLoops(CodeModule &unit, const Instr &instr,
                                         const Twine &name) {
  std::unique_ptr<loops::Program> program = ir::loopsOf(instr.op);
  return program ? emitProgram(unit, *program, name, instr.buffers())
                 : std::nullopt;
}

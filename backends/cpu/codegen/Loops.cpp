//===- Loops.cpp - code of index notation ---------------------------------===//
//
// One scheme for every statement: the outermost places are shared out to
// threads, a tile of places is computed at once, and the terms of its sums are
// gone through with the sums in registers. Where several terms meet one place
// by ways that are not known, its sum is in memory.
//
//===----------------------------------------------------------------------===//

#include "LoopValues.h"
#include "Step.h"
#include "glow/Base/Functions.h"
#include "glow/IR/Loops.h"
#include "glow/Loops/Language.h"
#include "llvm/ADT/STLExtras.h"

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

class LoopEmitter {
public:
  LoopEmitter(CodeModule &unit, LoopPlan plan, const Twine &name,
              unsigned buffers)
      : plan(std::move(plan)), code(unit, unit.addStep(name)),
        values(code, this->plan, buffers) {
    for (Term term : treesOf(statement()))
      if (term->op == Op::Load && term->outside == Outside::Skips)
        append_range(guards, conditionsOf(term->operands, shapeOf(term)));
    placeGuards = conditionsOf(
        statement().subscripts,
        this->plan.program.tensors[statement().tensor].shape);
  }

  NativeStep::Phase emit();

private:
  using Values = Emitter::Values;

  /// A loop over places: `count` turns, each `step` further.
  struct Loop {
    unsigned index;
    int64_t count, step;
  };
  const loops::Statement &statement() const { return plan.statement; }
  const Ints &shapeOf(Term load) const {
    return plan.program.tensors[size_t(load->integer)].shape;
  }
  bool inMemory() const { return !plan.placesAreApart; }

  std::vector<Loop> loopsOverPlaces() const;
  void loopOver(ArrayRef<Loop> loops, function_ref<void()> body);
  void bindPrefix(ArrayRef<Loop> loops, Value *number);
  void enterIndex(unsigned index, Value *value);
  void emitTiles(unsigned tile, std::array<int64_t, 2> rows);
  void emitVectors(std::array<int64_t, 2> rows);
  void emitTile(std::array<int64_t, 2> rows, int64_t vectors, int64_t tail);

  // Sums in registers.
  Values start();
  Values sum(size_t depth, Values sums);
  Values sumLanes(Values sums);
  Values addTerms(Values sums, bool masked);
  Value *combine(Value *sum, Copy copy);
  Value *combine(Value *sum, Value *term);
  Value *finish(Value *sum, Value *count);
  void combineLanes(Value *&sum, Value *&second);
  std::pair<Term, Term> boundsOf(unsigned index);
  bool bound(unsigned index, Term condition, Term &low, Term &high);
  void storeTile(const Values &sums);
  /// Whether a sum has a second value beside it: the number of its terms, or
  /// the place of the best.
  bool hasSecond() const {
    return counts() || givesPlaces(statement().combine);
  }
  Value *lanesOf(Copy copy) {
    return plan.lanes && !plan.sumsLanes() ? values.lanesWhere(nullptr, copy)
                                           : nullptr;
  }
  std::pair<Value *, Value *> better(Value *best, Value *place, Value *term,
                                     Value *its);
  bool counts() const {
    return statement().combine == Combine::Mean && !guards.empty();
  }

  // In memory.
  void emitInMemory(size_t depth);
  void updatePlace();

  LoopPlan plan;
  Emitter code;
  LoopValues values;
  loops::Terms guards, placeGuards;
  SmallVector<Copy> copies;
};

} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

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
    work *= plan.program.extent(index);
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
  auto body = [&] {
    if (inMemory())
      emitInMemory(0);
    else
      emitTiles(0, {1, 1});
  };
  values.hoist();
  Value *first = code.times(code.function->getArg(2), group);
  Value *end = code.smaller(code.times(code.function->getArg(3), group),
                            code.integer(chunks));
  code.loop(first, end, [&](Value *number) {
    values.enter();
    bindPrefix(outer, number);
    loopOver(inner, body);
    values.leave();
  });
  code.CreateRetVoid();
  return {code.function, (chunks + group - 1) / group};
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The last tile along an index has what is left.
void LoopEmitter::emitTiles(unsigned tile, std::array<int64_t, 2> rows) {
  if (tile == plan.rows.size())
    return emitVectors(rows);
  auto [index, size] = plan.rows[tile];
  int64_t extent = plan.program.extent(index), rest = extent % size;
  auto emit = [&](int64_t count) {
    values.enter();
    rows[tile] = count;
    emitTiles(tile + 1, rows);
    values.leave();
  };
  if (!rest)
    return emit(size);
  if (extent < size)
    return emit(rest);
  Value *isWhole =
      code.CreateICmpSLE(values.index(plan.program.indexTerm(index)),
                         code.integer(extent - size));
  code.when(isWhole, [&] { emit(size); });
  code.when(code.CreateNot(isWhole), [&] { emit(rest); });
}

void LoopEmitter::emitVectors(std::array<int64_t, 2> rows) {
  if (!plan.lanes || plan.sumsLanes())
    return emitTile(rows, 1, 0);
  int64_t extent = plan.program.extent(plan.lanes->index);
  int64_t size = plan.lanes->size * lanes, rest = extent % size;
  auto emit = [&](int64_t elements) {
    values.enter();
    emitTile(rows, (elements + lanes - 1) / lanes, elements % lanes);
    values.leave();
  };
  if (!rest)
    return emit(size);
  if (extent < size)
    return emit(rest);
  Value *isWhole = code.CreateICmpSLE(
      values.index(plan.program.indexTerm(plan.lanes->index)),
      code.integer(extent - size));
  code.when(isWhole, [&] { emit(size); });
  code.when(code.CreateNot(isWhole), [&] { emit(rest); });
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

void LoopEmitter::storeTile(const Values &sums) {
  size_t next = 0;
  for (Copy copy : copies) {
    Value *result;
    if (plan.sums()) {
      Value *total = sums[next++];
      result = finish(total, hasSecond() ? sums[next++] : nullptr);
      if (statement().goesOn)
        result = combine(values.loadPlace(lanesOf(copy), copy), result);
    } else {
      result = values.value(statement().value, copy);
      if (Value *holds = values.all(guards, copy))
        result = code.CreateSelect(
            holds, result,
            statement().otherwise ? values.value(statement().otherwise, copy)
                                  : values.number(0));
    }
    Value *inside = values.all(placeGuards, copy);
    if (!plan.lanes || plan.sumsLanes())
      values.storeFirst(result, inside, copy);
    else
      values.store(result, values.lanesWhere(inside, copy), copy);
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

LoopEmitter::Values LoopEmitter::start() {
  Values sums;
  bool isReal = values.computed()->isFloatingPointTy();
  for (size_t i = 0; i < copies.size(); ++i) {
    sums.push_back(values.number(
        givesPlaces(statement().combine) ? 0 : startOf(statement().combine, isReal)));
    if (counts())
      sums.push_back(values.number(0));
    if (givesPlaces(statement().combine))
      sums.push_back(values.place(-1));
  }
  return sums;
}

Value *LoopEmitter::combine(Value *sum, Value *term) {
  bool isReal = values.computed()->isFloatingPointTy();
  auto better = [&](CmpInst::Predicate real, CmpInst::Predicate integer) {
    Value *isBetter = isReal ? code.CreateFCmp(real, term, sum)
                             : code.CreateICmp(integer, term, sum);
    // A term of NaN stays, whatever follows.
    if (isReal)
      isBetter = code.CreateOr(isBetter, code.CreateFCmpUNO(term, term));
    return code.CreateSelect(isBetter, term, sum);
  };
  auto truth = [&](Value *value) {
    Value *zero = Constant::getNullValue(value->getType());
    return isReal ? code.CreateFCmpUNE(value, zero)
                  : code.CreateICmpNE(value, zero);
  };
  auto number = [&](Value *truth) {
    return code.CreateSelect(truth, values.number(1), values.number(0));
  };
  switch (statement().combine) {
  case Combine::Product:
    return isReal ? code.CreateFMul(sum, term) : code.CreateMul(sum, term);
  case Combine::Max:
    return better(CmpInst::FCMP_OGT, CmpInst::ICMP_SGT);
  case Combine::Min:
    return better(CmpInst::FCMP_OLT, CmpInst::ICMP_SLT);
  case Combine::Or:
    return number(code.CreateOr(truth(sum), truth(term)));
  case Combine::And:
    return number(code.CreateAnd(truth(sum), truth(term)));
  default:
    return isReal ? code.CreateFAdd(sum, term) : code.CreateAdd(sum, term);
  }
}

/// The sum with one more term.
Value *LoopEmitter::combine(Value *sum, Copy copy) {
  Term term = statement().value;
  bool isSum = statement().combine == Combine::Sum ||
               statement().combine == Combine::Mean;
  if (isSum && term->op == Op::Multiply &&
      values.computed()->isFloatingPointTy())
    return code.multiplyAdd(values.value(term->operands[0], copy),
                            values.value(term->operands[1], copy), sum);
  return combine(sum, values.value(term, copy));
}

/// The better of two terms, and its place: NaN, then the largest, then the
/// first. One without a place is none.
std::pair<Value *, Value *> LoopEmitter::better(Value *best, Value *place,
                                                Value *term, Value *its) {
  bool isReal = values.computed()->isFloatingPointTy();
  bool isMax = statement().combine == Combine::ArgMax;
  Value *leads = isReal ? code.CreateFCmp(isMax ? CmpInst::FCMP_OGT
                                                : CmpInst::FCMP_OLT,
                                          term, best)
                        : code.CreateICmp(isMax ? CmpInst::ICMP_SGT
                                                : CmpInst::ICMP_SLT,
                                          term, best);
  Value *same = isReal ? code.CreateFCmpOEQ(term, best)
                       : code.CreateICmpEQ(term, best);
  if (isReal) {
    Value *termIsNan = code.CreateFCmpUNO(term, term);
    Value *bestIsNan = code.CreateFCmpUNO(best, best);
    leads = code.CreateOr(
        leads, code.CreateAnd(termIsNan, code.CreateNot(bestIsNan)));
    same = code.CreateOr(same, code.CreateAnd(termIsNan, bestIsNan));
  }
  leads = code.CreateOr(
      leads, code.CreateAnd(same, code.CreateICmpSLT(its, place)));
  Value *none = Constant::getNullValue(place->getType());
  leads = code.CreateOr(leads, code.CreateICmpSLT(place, none));
  leads = code.CreateAnd(leads, code.CreateICmpSGE(its, none));
  return {code.CreateSelect(leads, term, best),
          code.CreateSelect(leads, its, place)};
}

LoopEmitter::Values LoopEmitter::addTerms(Values sums, bool masked) {
  Values result;
  size_t next = 0;
  for (Copy copy : copies) {
    Value *where = values.all(guards, copy);
    if (masked)
      where = values.lanesWhere(where, copy);
    auto add = [&](Value *with) {
      Value *old = sums[next++];
      result.push_back(where ? code.CreateSelect(where, with, old) : with);
    };
    if (givesPlaces(statement().combine)) {
      auto [best, place] =
          better(sums[next], sums[next + 1], values.value(statement().value, copy),
                 values.spread(values.value(statement().index, copy)));
      add(best);
      add(place);
      continue;
    }
    add(combine(sums[next], copy));
    if (counts())
      add(values.computed()->isFloatingPointTy()
              ? code.CreateFAdd(sums[next], values.number(1))
              : code.CreateAdd(sums[next], values.number(1)));
  }
  return result;
}

LoopEmitter::Values LoopEmitter::sum(size_t depth, Values sums) {
  if (depth == plan.summed.size())
    return plan.sumsLanes() ? sumLanes(sums) : addTerms(sums, false);
  unsigned index = plan.summed[depth];
  values.enter();
  auto [low, high] = boundsOf(index);
  Values result = code.loop(
      values.index(low), values.index(high), sums,
      [&](Value *at, Values carried) {
        values.enter();
        values.bind(index, at);
        values.hoist(copies);
        carried = sum(depth + 1, carried);
        values.leave();
        return carried;
      },
      /*maybeNone=*/true);
  values.unbind(index);
  values.leave();
  return result;
}

/// Whole vectors, and then what is left.
LoopEmitter::Values LoopEmitter::sumLanes(Values sums) {
  unsigned index = plan.lanes->index;
  values.enter();
  auto [low, high] = boundsOf(index);
  Value *from = values.index(low);
  Value *count = code.larger(
      code.CreateNSWSub(values.index(high), from), code.integer(0));
  Value *whole = code.CreateUDiv(count, code.integer(lanes));
  Value *all = code.CreateUDiv(code.add(count, code.integer(lanes - 1)),
                               code.integer(lanes));
  auto turn = [&](bool masked) {
    return [&, masked](Value *vector, Values carried) {
      values.enter();
      Value *at = code.add(from, code.times(vector, lanes));
      values.bind(index, at);
      if (masked)
        values.setMask(values.below(
            code.CreateNSWSub(code.add(from, count), at)));
      carried = addTerms(carried, masked);
      values.setMask(nullptr);
      values.leave();
      return carried;
    };
  };
  sums = code.loop(code.integer(0), whole, sums, turn(false), true);
  bool isWhole = low->isNumber() && high->isNumber() &&
                 (high->integer - low->integer) % lanes == 0;
  if (!isWhole)
    sums = code.loop(whole, all, sums, turn(true), true);
  values.unbind(index);
  values.leave();
  return sums;
}

/// Puts a condition on an index into the bounds of its loop, if what it is
/// compared with is known there, and the same for all copies.
bool LoopEmitter::bound(unsigned index, Term condition, Term &low,
                        Term &high) {
  loops::Program &program = plan.program;
  bool isUpper = condition->op == Op::Less;
  Term subscript = condition->operands[isUpper ? 0 : 1];
  loops::Affine sum = affineOf(subscript);
  int64_t factor = sum.of(index);
  if (factor == 0 || sum.isOpaqueIn(index))
    return false;
  for (unsigned other : statement().indices)
    if (other != index && subscript->dependsOn(other) &&
        (!values.isBound(other) || plan.isLane(other) ||
         any_of(plan.rows,
                [&](const LoopTile &row) { return row.index == other; })))
      return false;
  // factor * index is at least, or at most, this.
  Term rest = program.replace(subscript, index, program.number(0));
  Term limit = isUpper ? expr::subtract(condition->operands[1]->integer - 1, rest)
                       : expr::subtract(int64_t(0), rest);
  int64_t by = std::abs(factor);
  if (factor < 0)
    limit = expr::subtract(int64_t(0), limit);
  if (isUpper == (factor > 0))
    high = expr::min(high, expr::add(expr::divide(limit, by), int64_t(1)));
  else
    low = expr::max(low, expr::divide(expr::add(limit, by - 1), by));
  values.assume(condition);
  return true;
}

std::pair<Term, Term> LoopEmitter::boundsOf(unsigned index) {
  Term low = plan.program.number(0);
  Term high = plan.program.number(plan.program.extent(index));
  for (Term condition : guards)
    if (!values.isAssumed(condition))
      bound(index, condition, low, high);
  return {low, high};
}

/// One value of those in all lanes, and of those beside them.
void LoopEmitter::combineLanes(Value *&sum, Value *&second) {
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    SmallVector<int> upper;
    for (int64_t i = 0; i < lanes; ++i)
      upper.push_back(int((i + half) % lanes));
    auto moved = [&](Value *vector) {
      return code.CreateShuffleVector(vector, upper);
    };
    if (givesPlaces(statement().combine)) {
      std::tie(sum, second) = better(sum, second, moved(sum), moved(second));
      continue;
    }
    sum = combine(sum, moved(sum));
    if (second)
      second = second->getType()->isFPOrFPVectorTy()
                   ? code.CreateFAdd(second, moved(second))
                   : code.CreateAdd(second, moved(second));
  }
}

Value *LoopEmitter::finish(Value *sum, Value *count) {
  if (plan.sumsLanes())
    combineLanes(sum, count);
  if (givesPlaces(statement().combine))
    return count;
  if (statement().combine != Combine::Mean)
    return sum;
  if (!count) {
    double terms = 1;
    for (unsigned index : statement().indices)
      if (plan.place.of(index) == 0)
        terms *= double(plan.program.extent(index));
    return values.divideElements(sum, values.number(terms));
  }
  Value *zero = values.number(0);
  Value *isAny = count->getType()->isFPOrFPVectorTy()
                     ? code.CreateFCmpONE(count, zero)
                     : code.CreateICmpNE(count, zero);
  return code.CreateSelect(isAny, values.divideElements(sum, count), zero);
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

void LoopEmitter::emitInMemory(size_t depth) {
  if (depth == plan.summed.size() && !plan.lanes)
    return updatePlace();
  bool isLane = depth == plan.summed.size();
  unsigned index = isLane ? plan.lanes->index : plan.summed[depth];
  int64_t extent = plan.program.extent(index);
  auto turn = [&](int64_t step, Value *at) {
    values.enter();
    values.bind(index, code.times(at, step));
    copies = {Copy{}};
    values.hoist(copies);
    isLane ? updatePlace() : emitInMemory(depth + 1);
    values.leave();
  };
  if (!isLane) {
    code.loop(code.integer(0), code.integer(extent),
              [&](Value *at) { turn(1, at); });
    values.unbind(index);
    return;
  }
  code.loop(
      code.integer(0), code.integer(extent / lanes),
      [&](Value *at) { turn(lanes, at); }, /*maybeNone=*/true);
  if (int64_t rest = extent % lanes) {
    values.setTail(1, rest);
    turn(lanes, code.integer(extent / lanes));
    values.setTail(0, 0);
  }
  values.unbind(index);
}

void LoopEmitter::updatePlace() {
  loops::Terms conditions = placeGuards;
  if (plan.sums())
    append_range(conditions, guards);
  Value *holds = values.all(conditions, Copy{});
  Value *where = values.lanesWhere(holds, Copy{});
  auto result = [&] {
    if (plan.sums())
      return combine(values.loadPlace(where, Copy{}), Copy{});
    Value *value = values.value(statement().value, Copy{});
    Value *counts = values.all(guards, Copy{});
    return counts ? code.CreateSelect(counts, value,
                                      statement().otherwise
                                          ? values.value(statement().otherwise, Copy{})
                                          : values.number(0))
                  : value;
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

/// A statement that puts what nothing comes to everywhere.
static loops::Statement fillOf(loops::Program &program,
                               const loops::Statement &statement) {
  program.fill(statement.combine, statement.tensor);
  loops::Statement fill = program.statements.back();
  program.statements.pop_back();
  return fill;
}

static bool canFail(Term term) {
  return term->op == Op::Load && term->outside == Outside::Fails;
}

std::optional<NativeStep> cpu::emitLoops(CodeModule &unit, const Instr &instr,
                                         const Twine &name) {
  std::unique_ptr<loops::Program> program = ir::loopsOf(instr.op);
  if (!program || !hasLoopCode(*program))
    return std::nullopt;
  std::vector<LoopPlan> plans;
  bool fails = false;
  for (const loops::Statement &statement :
       std::vector(program->statements)) {
    // What looks at indices has to, for nothing too.
    bool checks = any_of(treesOf(statement), canFail);
    if (is_contained(program->tensors[statement.tensor].shape, 0)) {
      if (checks)
        return std::nullopt;
      continue;
    }
    fails |= checks;
    LoopPlan plan(*program, statement, unit.target);
    // What comes in between would need memory beside the place.
    if (!plan.placesAreApart && (statement.combine == Combine::Mean ||
                                 givesPlaces(statement.combine)))
      return std::nullopt;
    if (plan.sums() && !plan.covers && !statement.goesOn)
      plans.emplace_back(*program, fillOf(*program, statement), unit.target);
    plans.push_back(std::move(plan));
  }
  if (!program->complete())
    return std::nullopt;
  NativeStep step;
  if (plans.empty()) {
    llvm::Function *nothing = unit.addStep(name);
    Emitter(unit, nothing).CreateRetVoid();
    step.phases.push_back({nothing, 0});
  }
  for (auto [i, plan] : enumerate(plans))
    step.phases.push_back(
        LoopEmitter(unit, std::move(plan), i ? name + "." + Twine(i) : name,
                    instr.buffers())
            .emit());
  if (fails) {
    step.sharedBytes = 64;
    step.failure = "an index is out of range";
  }
  step.choice.algorithm = "loops";
  return step;
}

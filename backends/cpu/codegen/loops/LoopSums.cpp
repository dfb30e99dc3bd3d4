//===- LoopSums.cpp - sums in registers -----------------------------------===//
// SPDX-License-Identifier: MIT
//
// A condition on an index of a sum becomes a bound of its loop, so that terms
// need no test. If lanes are terms of one sum, they are combined at its end.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"
#include "codegen/emit/ElementMemory.h"
#include "glow/Loops/Language.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::ReductionKind;
using loops::Term;

LoopEmitter::Values LoopEmitter::start() {
  Values sums;
  for (size_t i = 0; i < copies.size(); ++i) {
    sums.push_back(ops().number(
        givesIndex(statement().combine)
            ? 0
            : identityOf(statement().combine,
                         plan.program.tensors[statement().tensor].kind)));
    if (counts())
      sums.push_back(ops().number(0));
    if (givesIndex(statement().combine))
      sums.push_back(ops().place(-1));
  }
  return sums;
}

Value *LoopEmitter::combine(Value *sum, Value *term) {
  bool isReal = ops().isReal();
  auto truth = [&](Value *value) { return isNotZero(code, value); };
  auto number = [&](Value *truth) {
    return code.CreateSelect(truth, ops().number(1), ops().number(0));
  };
  switch (statement().combine) {
  case ReductionKind::Product:
    return isReal ? code.CreateFMul(sum, term) : code.CreateMul(sum, term);
  case ReductionKind::Max:
    return ops().best(term, sum, /*isMax=*/true);
  case ReductionKind::Min:
    return ops().best(term, sum, /*isMax=*/false);
  case ReductionKind::Or:
    return number(code.CreateOr(truth(sum), truth(term)));
  case ReductionKind::And:
    return number(code.CreateAnd(truth(sum), truth(term)));
  default:
    return isReal ? code.CreateFAdd(sum, term) : code.CreateAdd(sum, term);
  }
}

/// Adds a term to the sum.
Value *LoopEmitter::combine(Value *sum, Copy copy) {
  Term term = statement().value;
  bool isSum = statement().combine == ReductionKind::Sum ||
               statement().combine == ReductionKind::Mean;
  if (isSum && term->op == Op::Multiply && ops().isReal())
    return code.multiplyAdd(values.value(term->operands[0], copy),
                            values.value(term->operands[1], copy), sum);
  return combine(sum, values.value(term, copy));
}

/// The better of two terms, and its index: NaN wins, then the largest (or
/// least) term, then the first. A term without an index does not count.
std::pair<Value *, Value *> LoopEmitter::better(Value *best, Value *place,
                                                Value *term, Value *its) {
  bool isReal = ops().isReal();
  bool isMax = statement().combine == ReductionKind::ArgMax;
  Value *leads = ops().leads(term, best, isMax);
  Value *same =
      isReal ? code.CreateFCmpOEQ(term, best) : code.CreateICmpEQ(term, best);
  if (isReal) {
    Value *termIsNan = code.CreateFCmpUNO(term, term);
    Value *bestIsNan = code.CreateFCmpUNO(best, best);
    leads = code.CreateOr(leads,
                          code.CreateAnd(termIsNan, code.CreateNot(bestIsNan)));
    same = code.CreateOr(same, code.CreateAnd(termIsNan, bestIsNan));
  }
  leads = code.CreateOr(leads,
                        code.CreateAnd(same, code.CreateICmpSLT(its, place)));
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
    if (givesIndex(statement().combine)) {
      auto [best, place] = better(
          sums[next], sums[next + 1], values.value(statement().value, copy),
          ops().spread(values.value(statement().index, copy)));
      add(best);
      add(place);
      continue;
    }
    add(combine(sums[next], copy));
    if (counts())
      add(ops().isReal() ? code.CreateFAdd(sums[next], ops().number(1))
                         : code.CreateAdd(sums[next], ops().number(1)));
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
        values.fetchAhead(index, copies);
        // Not hoisted in the innermost loop of scalar code: library calls leave
        // few registers across them.
        if (code.lanes > 1 || depth + 1 < plan.summed.size())
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

/// The number of vectors that are summed side by side: an operation waits for
/// the previous one of its own sum.
int64_t LoopEmitter::sumsTogether(Term low, Term high) const {
  std::optional<Length> from = lengthOf(low), to = lengthOf(high);
  if (!from || !to)
    return 1;
  const int64_t most = code.module.target.vectorRegisters > 16 ? 8 : 4;
  const int64_t whole = usualOf(*to - *from) / code.lanes;
  const int64_t sums = int64_t(copies.size()) * (1 + hasSecond());
  return std::max<int64_t>(std::min(most, whole / 2) / sums, 1);
}

/// Sums groups of whole vectors side by side, and then combines their sums.
/// Returns the sums and the number of vectors that they have.
std::pair<LoopEmitter::Values, Value *> LoopEmitter::sumTogether(
    int64_t group, bool maybeNone, Value *from, Value *whole, Values sums,
    function_ref<Values(Value *at, Values sums, bool masked)> add) {
  const size_t each = sums.size();
  for (int64_t i = 1; i < group; ++i)
    append_range(sums, start());
  Value *groups = code.CreateUDiv(whole, code.integer(group));
  sums = code.loop(
      code.integer(0), groups, sums,
      [&](Value *number, Values carried) {
        Values next;
        Value *first = code.add(from, code.times(number, group * code.lanes));
        for (int64_t i = 0; i < group; ++i) {
          auto own = ArrayRef(carried).slice(size_t(i) * each, each);
          append_range(next, add(code.add(first, code.integer(i * code.lanes)),
                                 Values(own), /*masked=*/false));
        }
        return next;
      },
      maybeNone);
  for (size_t i = each; i < sums.size(); i += 1 + hasSecond()) {
    Value *none = nullptr;
    combineBoth(sums[i % each], hasSecond() ? sums[i % each + 1] : none,
                sums[i], hasSecond() ? sums[i + 1] : none);
  }
  sums.resize(each);
  return {sums, code.times(groups, group)};
}

/// Sums whole vectors, and then the remainder.
LoopEmitter::Values LoopEmitter::sumLanes(Values sums) {
  unsigned index = plan.lanes->index;
  values.enter();
  auto [low, high] = boundsOf(index);
  Value *from = values.index(low);
  Value *count =
      code.larger(code.CreateNSWSub(values.index(high), from), code.integer(0));
  Value *whole = code.CreateUDiv(count, code.integer(code.lanes));
  Value *all = code.CreateUDiv(code.add(count, code.integer(code.lanes - 1)),
                               code.integer(code.lanes));
  auto add = [&](Value *at, Values carried, bool masked) {
    values.enter();
    values.bind(index, at);
    if (masked)
      values.setMask(
          values.below(code.CreateNSWSub(code.add(from, count), at)));
    carried = addTerms(carried, masked);
    values.setMask(nullptr);
    values.leave();
    return carried;
  };
  auto placeOf = [&](Value *vector) {
    return code.add(from, code.times(vector, code.lanes));
  };
  bool isKnown = low->isNumber() && high->isNumber();
  Value *done = code.integer(0);
  if (int64_t group = sumsTogether(low, high); group > 1)
    std::tie(sums, done) =
        sumTogether(group, /*maybeNone=*/!isKnown, from, whole, sums, add);
  sums = code.loop(
      done, whole, sums,
      [&](Value *vector, Values carried) {
        return add(placeOf(vector), carried, false);
      },
      true);
  std::optional<Length> begin = lengthOf(low), end = lengthOf(high);
  const Length length = begin && end ? *end - *begin : Length();
  if (!length.isFixed() && length.divisor() % code.lanes == 0) {
    values.unbind(index);
    values.leave();
    return sums;
  }
  if (!isKnown)
    sums = code.loop(
        whole, all, sums,
        [&](Value *vector, Values carried) {
          return add(placeOf(vector), carried, true);
        },
        true);
  else if ((high->integer - low->integer) % code.lanes > 0)
    sums = add(placeOf(whole), sums, true);
  values.unbind(index);
  values.leave();
  return sums;
}

/// Turns a condition on an index into a bound of its loop, if the other operand
/// is known there and equal for all copies.
bool LoopEmitter::bound(unsigned index, Term condition, Term &low, Term &high) {
  loops::Program &program = plan.program;
  bool isUpper = condition->op == Op::Less;
  if (condition->operands.size() != 2) // it never holds
    return false;
  Term subscript = condition->operands[isUpper ? 0 : 1];
  loops::Affine sum = affineOf(subscript);
  int64_t factor = sum.of(index);
  if (factor == 0 || sum.open.contains(index) || sum.isOpaqueIn(index))
    return false;
  for (unsigned other : statement().indices)
    if (other != index && subscript->dependsOn(other) &&
        (!values.isBound(other) || plan.isLane(other) ||
         any_of(plan.rows,
                [&](const LoopTile &row) { return row.index == other; })))
      return false;
  // The bound of factor * index.
  Term rest = program.replace(subscript, index, program.number(0));
  Term limit =
      isUpper ? expr::subtract(
                    expr::subtract(condition->operands[1], int64_t(1)), rest)
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

/// The bounds that the statement gives, clamped to the extent.
std::pair<Term, Term> LoopEmitter::givenBounds(unsigned index) {
  Term none = plan.program.number(0);
  Term all = plan.program.end(index);
  const loops::Bounds *given = statement().boundsOf(index);
  if (!given)
    return {none, all};
  if (given->fails) {
    Term inside = make(Op::Both, {make(Op::LessEqual, {none, given->low}),
                                  make(Op::LessEqual, {given->high, all})});
    Term isFine = make(
        Op::Either, {make(Op::LessEqual, {given->high, given->low}), inside});
    if (Value *holds = values.all(isFine, {}))
      values.checkInside(holds, {}, size_t(given - statement().bounds.data()));
  }
  return {expr::max(given->low, none), expr::min(given->high, all)};
}

std::pair<Term, Term> LoopEmitter::boundsOf(unsigned index) {
  auto [low, high] = givenBounds(index);
  for (Term condition : guards)
    if (!values.isAssumed(condition))
      bound(index, condition, low, high);
  return {low, high};
}

/// Combines a value with another, and the second values beside them.
void LoopEmitter::combineBoth(Value *&sum, Value *&second, Value *other,
                              Value *itsSecond) {
  if (givesIndex(statement().combine)) {
    std::tie(sum, second) = better(sum, second, other, itsSecond);
    return;
  }
  sum = combine(sum, other);
  if (second)
    second = second->getType()->isFPOrFPVectorTy()
                 ? code.CreateFAdd(second, itsSecond)
                 : code.CreateAdd(second, itsSecond);
}

/// Combines all lanes into one value, and the second values beside them.
void LoopEmitter::combineLanes(Value *&sum, Value *&second) {
  for (int64_t half = code.lanes / 2; half > 0; half /= 2) {
    // Quarters of a vector, or elements within each, change places.
    SmallVector<int> other;
    for (int64_t i = 0; i < code.lanes; ++i)
      other.push_back(int(i ^ half));
    combineBoth(sum, second, code.CreateShuffleVector(sum, other),
                second ? code.CreateShuffleVector(second, other) : nullptr);
  }
}

Value *LoopEmitter::finish(Value *sum, Value *count) {
  if (plan.sumsLanes())
    combineLanes(sum, count);
  if (givesIndex(statement().combine))
    return count;
  if (statement().combine != ReductionKind::Mean)
    return sum;
  if (!count) {
    double terms = 1;
    Length open = 1;
    for (unsigned index : statement().indices)
      if (const Length &length = plan.program.length(index);
          plan.place.of(index) == 0)
        length.isFixed() ? void(terms *= double(length.fixed()))
                         : void(open = open * length);
    if (open == 1)
      return ops().divide(sum, ops().number(terms));
    Term all = asElement(plan.program.size(open * int64_t(terms)));
    return ops().divide(sum, ops().spread(values.value(all, {})));
  }
  Value *zero = ops().number(0);
  Value *isAny = count->getType()->isFPOrFPVectorTy()
                     ? code.CreateFCmpONE(count, zero)
                     : code.CreateICmpNE(count, zero);
  return code.CreateSelect(isAny, ops().divide(sum, count), zero);
}

//===- StatementCode.cpp - LLVM IR of one statement -----------------------===//
// SPDX-License-Identifier: MIT

#include "StatementCode.h"
#include "glow/Loops/Language.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cuda;
using namespace glow::loops;

StatementCode::StatementCode(Program &program, const plans::DevicePlan &plan,
                             Values &values)
    : program(program), plan(plan), values(values) {
  for (Term term : treesOf(statement()))
    if (term->op == Op::Load && term->outside == Outside::Skips)
      for (Term condition :
           conditionsOf(term->operands, program.tensors[size_t(term->integer)]))
        guards.push_back(condition);
  llvm::append_range(placeGuards,
                     conditionsOf(statement().subscripts,
                                  program.tensors[statement().tensor]));
}

int64_t StatementCode::itemsOf(const plans::DevicePlan &plan) {
  int64_t all = 1;
  for (unsigned index : plan.items)
    all *= plan.countOf(index);
  return all;
}

/// Binds indices from the number of an item among all.
void StatementCode::bindItems(llvm::Value *item,
                              llvm::ArrayRef<unsigned> items) {
  llvm::Value *rest = item;
  for (unsigned index : llvm::reverse(items)) {
    if (index == items.front()) {
      values.bind(index, rest);
      return;
    }
    llvm::Value *count = values.number(plan.countOf(index));
    count = values.builder.CreateSExt(count, rest->getType());
    values.bind(index, values.builder.CreateURem(rest, count));
    rest = values.builder.CreateUDiv(rest, count);
  }
}

void StatementCode::emit(llvm::Value *item) {
  bindItems(item, plan.items);
  if (!plan.placesAreApart) {
    values.changed.insert(statement().tensor);
    emitInMemory(0);
  } else if (plan.sums()) {
    emitSum();
  } else {
    emitAssigned();
  }
  for (unsigned index : statement().indices)
    values.unbind(index);
}

llvm::Value *StatementCode::placeOf() {
  return values.get(termOf(program, plan.place));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The value of an assignment.
llvm::Value *StatementCode::assignedValue() {
  llvm::Value *holds = values.all(guards);
  if (!holds)
    return values.get(statement().value);
  llvm::Value *other = statement().otherwise ? values.get(statement().otherwise)
                                             : values.literal(0);
  llvm::Value *variable = values.variable(other);
  values.openIf(holds, "inside");
  values.isGuarded = true;
  values.builder.CreateStore(values.get(statement().value), variable);
  values.isGuarded = false;
  values.close();
  return values.read(variable);
}

void StatementCode::emitAssigned() {
  llvm::Value *value = assignedValue();
  llvm::Value *inside = values.all(placeGuards);
  if (inside)
    values.openIf(inside);
  values.store(statement().tensor, placeOf(), value, program.computes);
  if (inside)
    values.close();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

llvm::Value *StatementCode::combined(llvm::Value *sum, llvm::Value *term) {
  llvm::IRBuilder<> &builder = values.builder;
  const bool isReal = values.isReal();
  auto truth = [&](bool isOr) {
    llvm::Value *a = values.truth(sum), *b = values.truth(term);
    return builder.CreateSelect(isOr ? builder.CreateOr(a, b)
                                     : builder.CreateAnd(a, b),
                                values.literal(1), values.literal(0));
  };
  switch (statement().combine) {
  case ReductionKind::Product:
    return isReal ? builder.CreateFMul(sum, term)
                  : builder.CreateMul(sum, term);
  case ReductionKind::Max:
    return values.call("max", {term, sum});
  case ReductionKind::Min:
    return values.call("min", {term, sum});
  case ReductionKind::Or:
    return truth(true);
  case ReductionKind::And:
    return truth(false);
  default:
    return isReal ? builder.CreateFAdd(sum, term)
                  : builder.CreateAdd(sum, term);
  }
}

llvm::Value *StatementCode::nextGuards() {
  std::vector<Term> next;
  for (Term guard : guards)
    if (values.isKnown(guard) && tested.insert(guard.get()).second)
      next.push_back(guard);
  return values.all(next);
}

void StatementCode::emitSum() {
  llvm::IRBuilder<> &builder = values.builder;
  const bool isIndex = givesIndex(statement().combine);
  const ElementKind kind = program.tensors[statement().tensor].kind;
  sum = values.variable(
      values.literal(isIndex ? 0 : identityOf(statement().combine, kind)));
  if (isIndex)
    best = values.variable(builder.getInt64(~0ull));
  if (statement().combine == ReductionKind::Mean)
    terms = values.variable(builder.getInt64(0));
  sums(0);
  llvm::Value *value = isIndex ? values.read(best) : finished();
  llvm::Value *inside = values.all(placeGuards);
  if (inside)
    values.openIf(inside);
  // The place of an element is a whole number, whatever the kind is in which
  // elements are compared.
  values.store(statement().tensor, placeOf(), value,
               isIndex ? ElementKind::I64 : program.computes);
  if (inside)
    values.close();
}

/// Opens the loop over an index, within its bounds.
void StatementCode::openLoop(unsigned index) {
  Term low = program.number(0), high = program.end(index);
  if (const Bounds *given = statement().boundsOf(index)) {
    if (given->fails) {
      Term inside = make(Op::Both, {make(Op::LessEqual, {low, given->low}),
                                    make(Op::LessEqual, {given->high, high})});
      Term isFine = make(
          Op::Either, {make(Op::LessEqual, {given->high, given->low}), inside});
      values.checkInside(values.get(isFine));
    }
    low = expr::max(given->low, low);
    high = expr::min(given->high, high);
  }
  llvm::Type *type = values.builder.getInt32Ty();
  llvm::Value *from = values.builder.CreateSExtOrTrunc(values.get(low), type),
              *to = values.builder.CreateSExtOrTrunc(values.get(high), type);
  values.bind(index, values.openLoop(from, to));
}

void StatementCode::sums(size_t depth) {
  const std::set<const Node *> before = tested;
  llvm::Value *holds = nextGuards();
  if (holds)
    values.openIf(holds, "inside");
  if (depth < plan.summed.size()) {
    openLoop(plan.summed[depth]);
    sums(depth + 1);
    values.unbind(plan.summed[depth]);
    values.close();
  } else {
    values.isGuarded = true;
    if (givesIndex(statement().combine))
      addPlace();
    else
      addTerm();
    values.isGuarded = false;
  }
  if (holds)
    values.close();
  tested = before;
}

void StatementCode::addTerm() {
  llvm::IRBuilder<> &builder = values.builder;
  Term value = statement().value;
  const bool isSum = statement().combine == ReductionKind::Sum ||
                     statement().combine == ReductionKind::Mean;
  llvm::Value *next = nullptr;
  if (isSum && value->op == Op::Multiply && values.isReal()) {
    llvm::Value *a = values.get(value->operands[0]),
                *b = values.get(value->operands[1]);
    next = builder.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()},
                                   {a, b, values.read(sum)});
  } else {
    llvm::Value *term = values.get(value);
    next = combined(values.read(sum), term);
  }
  builder.CreateStore(next, sum);
  if (terms)
    builder.CreateStore(
        builder.CreateAdd(values.read(terms), builder.getInt64(1)), terms);
}

/// Keeps the better of two terms, and its index: NaN wins, then the largest (or
/// least) term, then the first. A term without an index does not count.
void StatementCode::addPlace() {
  llvm::IRBuilder<> &builder = values.builder;
  llvm::Value *term = values.get(statement().value);
  llvm::Value *its = values.getLong(statement().index);
  llvm::Value *old = values.read(sum), *place = values.read(best);
  const bool isMax = statement().combine == ReductionKind::ArgMax;
  llvm::Value *leads, *same;
  if (values.isReal()) {
    llvm::Value *isNan = builder.CreateFCmpUNO(term, term),
                *wasNan = builder.CreateFCmpUNO(old, old);
    leads = isMax ? builder.CreateFCmpOGT(term, old)
                  : builder.CreateFCmpOLT(term, old);
    leads = builder.CreateOr(
        leads, builder.CreateAnd(isNan, builder.CreateNot(wasNan)));
    same = builder.CreateOr(builder.CreateFCmpOEQ(term, old),
                            builder.CreateAnd(isNan, wasNan));
  } else {
    const bool hasSign = isSigned(program.computes);
    llvm::Value *a = isMax ? old : term, *b = isMax ? term : old;
    leads = hasSign ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
    same = builder.CreateICmpEQ(term, old);
  }
  llvm::Value *none = builder.getInt64(0);
  llvm::Value *isBetter = builder.CreateOr(
      builder.CreateOr(builder.CreateICmpSLT(place, none), leads),
      builder.CreateAnd(same, builder.CreateICmpSLT(its, place)));
  isBetter = builder.CreateAnd(builder.CreateICmpSGE(its, none), isBetter);
  builder.CreateStore(builder.CreateSelect(isBetter, term, old), sum);
  builder.CreateStore(builder.CreateSelect(isBetter, its, place), best);
}

llvm::Value *StatementCode::finished() {
  llvm::IRBuilder<> &builder = values.builder;
  llvm::Value *value = values.read(sum);
  if (statement().combine == ReductionKind::Mean) {
    llvm::Value *count = values.read(terms);
    llvm::Value *isNone = builder.CreateICmpEQ(count, builder.getInt64(0));
    llvm::Value *divisor =
        builder.CreateSelect(isNone, builder.getInt64(1), count);
    llvm::Value *mean =
        values.isReal()
            ? builder.CreateFDiv(
                  value, builder.CreateSIToFP(divisor, value->getType()))
        : isSigned(program.computes) ? builder.CreateSDiv(value, divisor)
                                     : builder.CreateUDiv(value, divisor);
    value = builder.CreateSelect(isNone, values.literal(0), mean);
  }
  if (statement().accumulates) {
    llvm::Value *place = placeOf(), *inside = values.all(placeGuards);
    if (inside)
      place = builder.CreateSelect(
          inside, place, llvm::Constant::getNullValue(place->getType()));
    llvm::Value *stored =
        values.load(statement().tensor, place, /*asIndex=*/false);
    value = combined(stored, value);
  }
  if (statement().finish) {
    values.resultOf = statement().tensor;
    values.result = value;
    value = values.get(statement().finish);
    values.resultOf.reset();
  }
  return value;
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

void StatementCode::emitInMemory(size_t depth) {
  if (depth < plan.summed.size()) {
    openLoop(plan.summed[depth]);
    emitInMemory(depth + 1);
    values.unbind(plan.summed[depth]);
    values.close();
    return;
  }
  const bool isFound =
      llvm::any_of(treesOf(statement().subscripts),
                   [](Term term) { return term->op == Op::Load; });
  llvm::Value *inside = values.all(placeGuards);
  if (isFound && inside)
    values.checkInside(inside);
  if (inside)
    values.openIf(inside);
  if (!plan.sums()) {
    llvm::Value *value = assignedValue();
    values.store(statement().tensor, placeOf(), value, program.computes);
  } else {
    llvm::Value *holds = values.all(guards);
    if (holds)
      values.openIf(holds, "inside");
    values.isGuarded = true;
    llvm::Value *place = placeOf();
    llvm::Value *old =
        values.load(statement().tensor, place, /*asIndex=*/false);
    llvm::Value *next = combined(old, values.get(statement().value));
    values.store(statement().tensor, place, next, program.computes);
    values.isGuarded = false;
    if (holds)
      values.close();
  }
  if (inside)
    values.close();
}

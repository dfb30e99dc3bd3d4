//===- LoopValues.cpp - trees over indices as LLVM IR ---------------------===//
// SPDX-License-Identifier: MIT

#include "LoopValues.h"
#include "common/Library.h"
#include "glow/Base/Scalar.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Form;
using loops::Op;
using loops::Outside;
using loops::Term;

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

/// The bytes of an element if elements are only moved; else 0.
static int64_t movedBytes(const loops::Program &program) {
  if (program.statements.empty())
    return 0;
  const ElementKind kind =
      program.tensors[program.statements.front().tensor].kind;
  bool moves = all_of(program.statements, [&](const loops::Statement &one) {
    return one.combine == loops::ReductionKind::Assign && !one.otherwise &&
           one.value->op == Op::Load && one.value->form == Form::Element &&
           program.tensors[one.tensor].kind == kind &&
           program.tensors[size_t(one.value->integer)].kind == kind;
  });
  return moves ? int64_t(byteSize(kind)) : 0;
}

static Type *typeOf(Emitter &code, ElementKind computes) {
  if (computes == ElementKind::F32)
    return code.getFloatTy();
  if (computes == ElementKind::I32)
    return code.getInt32Ty();
  return computes == ElementKind::F64 ? code.getDoubleTy()
                                      : cast<Type>(code.getInt64Ty());
}

LoopValues::LoopValues(Emitter &code, const LoopPlan &plan, unsigned failed)
    : code(code), plan(plan), failed(failed), moved(movedBytes(plan.program)),
      ops(code,
          moved ? code.getIntNTy(unsigned(moved) * 8)
                : typeOf(code, plan.program.computes),
          plan.program.computes == ElementKind::U64) {
  ops.roundsProducts = code.module.math == Math::Strict;
  scopes.emplace_back();
  auto tensorOf = [&](unsigned tensor) -> const loops::Tensor & {
    buffers.try_emplace(tensor, nullptr);
    return plan.program.tensors[tensor];
  };
  target = offsetOf(plan.statement.subscripts, tensorOf(plan.statement.tensor));
  trees = treesOf(plan.statement);
  for (auto [number, bounds] : enumerate(plan.statement.bounds))
    for (Term term : treesOf({bounds.low, bounds.high}))
      around.try_emplace(term.get(), number);
  for (Term term : trees)
    if (term->op == Op::Load)
      offsets[term.get()] =
          offsetOf(placeOf(term), tensorOf(unsigned(term->integer)));
  addresses = treesOf(addressTrees());
  auto isLeaf = [](Term term) {
    return term->isNumber() || term->op == Op::Index;
  };
  erase_if(trees, isLeaf);
  erase_if(addresses, isLeaf);
  // The terms of `finish` are not needed before the end of the sum.
  loops::Statement terms = plan.statement;
  terms.finish = Term();
  if (plan.statement.finish) {
    std::vector<Term> early = treesOf(terms);
    erase_if(trees, [&](Term term) { return !is_contained(early, term); });
  }
  for (auto &[tensor, buffer] : buffers) {
    auto place = plan.program.tensors[tensor].place;
    buffer = code.buffer(place ? failed : tensor);
    if (place)
      buffer = code.CreateGEP(code.getInt8Ty(), buffer, code.integer(*place));
  }
}

/// The address computations that are uniform over all lanes.
loops::Terms LoopValues::addressTrees() const {
  loops::Terms result;
  auto add = [&](const Offset &offset) {
    if (!plan.lanes || !offset.affine.isOpaqueIn(plan.lanes->index))
      result.push_back(offset.ordered);
  };
  add(target);
  for (const auto &[load, offset] : offsets)
    add(offset);
  return result;
}

void LoopValues::enter() { scopes.emplace_back(); }
void LoopValues::leave() { scopes.pop_back(); }

void LoopValues::bind(unsigned index, Value *value) { bound[index] = value; }
void LoopValues::rebind(unsigned index, Value *value) {
  bound[index] = value;
  scopes.back().rebound |= plan.program.indexTerm(index)->indices;
}

void LoopValues::setTail(int64_t vectors, int64_t count) {
  tailVector = count ? vectors - 1 : -1;
  tailCount = count;
}

void LoopValues::assume(Term condition) {
  scopes.back().assumed.insert(condition.get());
}
bool LoopValues::isAssumed(Term condition) const {
  return any_of(scopes, [&](const Scope &scope) {
    return scope.assumed.contains(condition.get());
  });
}

bool LoopValues::isKnown(Term term) const {
  return all_of(plan.statement.indices, [&](unsigned index) {
    return !term->dependsOn(index) || isBound(index);
  });
}

void LoopValues::hoist() {
  auto isFixed = [&](Term term) {
    return isKnown(term) && isReachKnown(term) &&
           !(plan.lanes && term->dependsOn(plan.lanes->index));
  };
  for (Term term : trees)
    if (isFixed(term))
      value(term, {});
  for (Term term : addresses)
    if (isFixed(term))
      index(term);
}

void LoopValues::hoist(ArrayRef<Copy> copies) {
  for (Copy copy : copies) {
    for (Term term : trees)
      if (isKnown(term) && isReachKnown(term))
        value(term, copy);
    for (Term term : addresses)
      if (isKnown(term) && isReachKnown(term))
        index(term, copy);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The key of a cached value. Only the parts of `copy` that the tree depends on
/// are in it.
LoopValues::Key LoopValues::keyOf(Term term, Copy copy, bool firstLane) const {
  std::array<int64_t, 4> key = {};
  for (auto [i, row] : enumerate(plan.rows))
    if (term->dependsOn(row.index))
      key[i] = copy[i];
  if (plan.lanes && term->dependsOn(plan.lanes->index)) {
    key[2] = copy[2];
    key[3] = firstLane;
  }
  return {term.get(), key};
}

Value *LoopValues::get(Term term, Copy copy, bool firstLane) {
  Key key = keyOf(term, copy, firstLane);
  for (const Scope &scope : reverse(scopes)) {
    if (auto found = scope.values.find(key); found != scope.values.end())
      return found->second;
    if (scope.rebound & term->indices)
      break;
  }
  Value *made = make(term, copy, firstLane);
  scopes.back().values[key] = made;
  return made;
}

Value *LoopValues::index(Term term, Copy copy) {
  return get(term, copy, /*firstLane=*/true);
}
Value *LoopValues::value(Term term, Copy copy) {
  return get(term, copy, /*firstLane=*/false);
}

Value *LoopValues::make(Term term, Copy copy, bool firstLane) {
  if (term->op == Op::Load)
    return load(term, copy, firstLane);
  if (looked.contains(term.get()))
    return lookAt(term, copy, firstLane);
  if (term->form == Form::Index && term->op != Op::Select)
    return makeIndex(term, copy, firstLane);
  SmallVector<Value *> x;
  for (Term operand : term->operands)
    x.push_back(get(operand, copy, firstLane));
  return ops.apply(*term, x);
}

Value *LoopValues::iota(Type *element, int64_t step) {
  return perLane(element, [&](int64_t lane) { return lane * step; });
}

Value *LoopValues::perLane(Type *element,
                           function_ref<int64_t(int64_t lane)> valueOf) {
  SmallVector<Constant *> values;
  for (int64_t i = 0; i < code.lanes; ++i)
    values.push_back(ConstantInt::get(element, uint64_t(valueOf(i))));
  return ConstantVector::get(values);
}

/// The quotient or remainder of consecutive lanes. If the first lane is a
/// multiple of the divisor, remainders are constants.
Value *LoopValues::divideLanes(Term term, Copy copy) {
  int64_t by = term->operands[1]->integer;
  auto perLane = [&](auto valueOf) {
    return this->perLane(code.getInt64Ty(), valueOf);
  };
  if (term->op == Op::Modulo)
    return perLane([&](int64_t lane) { return lane % by; });
  return code.CreateAdd(ops.spread(index(term, copy)),
                        perLane([&](int64_t lane) { return lane / by; }));
}

bool LoopValues::dividesLanes(Term term) const {
  return (term->op == Op::Divide || term->op == Op::Modulo) &&
         plan.alignsLanes() &&
         term->operands[0] == plan.program.indexTerm(plan.lanes->index) &&
         term->operands[1]->isNumber() && term->operands[1]->integer > 0 &&
         code.lanes % term->operands[1]->integer == 0;
}

//===----------------------------------------------------------------------===//
// Indices and booleans
//===----------------------------------------------------------------------===//

Value *LoopValues::makeIndex(Term term, Copy copy, bool firstLane) {
  if (term->isNumber())
    return code.integer(term->integer);
  if (term->op == Op::Size)
    return sizeOf(code, plan.program.sizes[size_t(term->integer)]);
  if (term->op == Op::Index) {
    unsigned index = unsigned(term->integer);
    Value *value = bound.at(index);
    for (auto [i, row] : enumerate(plan.rows))
      if (row.index == index && copy[i])
        value = code.add(value, code.integer(copy[i]));
    if (!plan.isLane(index))
      return value;
    if (copy[2])
      value = code.add(value, code.integer(copy[2] * code.lanes));
    return firstLane
               ? value
               : code.CreateAdd(ops.spread(value), iota(code.getInt64Ty(), 1));
  }
  if (!firstLane && dividesLanes(term))
    return divideLanes(term, copy);
  auto [a, b] = ops.alike(get(term->operands[0], copy, firstLane),
                          get(term->operands[1], copy, firstLane));
  switch (term->op) {
  case Op::Add:
    return code.CreateAdd(a, b);
  case Op::Subtract:
    return code.CreateSub(a, b);
  case Op::Multiply:
    return code.CreateMul(a, b);
  default:
    return floorDivide(code, a, b, term->op == Op::Modulo);
  }
}

Term LoopValues::unassumed(ArrayRef<Term> conditions) const {
  Term all;
  for (Term condition : conditions)
    if (!isAssumed(condition))
      all = all ? loops::make(Op::Both, {all, condition}) : condition;
  return all;
}

Value *LoopValues::all(ArrayRef<Term> conditions, Copy copy) {
  Term all = unassumed(conditions);
  return all ? value(all, copy) : nullptr;
}

Value *LoopValues::lanesWhere(Value *holds, Copy copy) {
  Value *there = mask;
  if (tailVector >= 0 && copy[2] == tailVector) {
    SmallVector<Constant *> first;
    for (int64_t i = 0; i < code.lanes; ++i)
      first.push_back(code.getInt1(i < tailCount));
    there = ConstantVector::get(first);
  }
  if (!holds || !there)
    return holds ? ops.spread(holds) : there;
  return code.CreateAnd(ops.spread(holds), there);
}

Value *LoopValues::below(Value *count) {
  return code.CreateICmpSLT(iota(code.getInt64Ty(), 1), ops.spread(count));
}

//===----------------------------------------------------------------------===//
// Code that can be made
//===----------------------------------------------------------------------===//

static bool hasCode(const loops::Program &program, Term term) {
  if (term->op == Op::Remainder && term->form == Form::Element)
    return hasScalarFunction("fmod", program.computes);
  return term->op != Op::Call ||
         hasScalarFunction(term->name, program.computes);
}

//===----------------------------------------------------------------------===//
// Integers of 32 bits
//===----------------------------------------------------------------------===//

static bool isNarrow(ElementKind kind) {
  return !isFloat(kind) && !isSmall(kind) &&
         (byteSize(kind) < 4 || kind == ElementKind::I32);
}

/// Whether an element has at most 32 bits in memory.
static bool isPlain(Term term) {
  return term->isNumber() ||
         (term->op == Op::Load && term->form == Form::Element) ||
         (term->op == Op::Convert && term->operands[0]->form == Form::Boolean);
}

/// Whether the lower 32 bits of an element depend only on those of its
/// operands: for sums, differences and products, and for operations on loaded
/// elements.
static bool isNarrow(const loops::Program &program, Term term) {
  switch (term->op) {
  case Op::Number:
    return term->form != Form::Element ||
           std::abs(term->real) <= double(INT32_MAX);
  case Op::Load:
    return term->form != Form::Element ||
           isNarrow(program.tensors[size_t(term->integer)].kind);
  case Op::Less:
  case Op::LessEqual:
  case Op::Equal:
    return term->operands[0]->form == Form::Index ||
           all_of(term->operands, isPlain);
  case Op::Call:
    return (term->name == "max" || term->name == "min") &&
           all_of(term->operands, isPlain);
  case Op::Convert:
    return term->operands[0]->form == Form::Boolean ||
           (term->operands[0]->form == Form::Element &&
            isPlain(term->operands[0]));
  case Op::Divide:
  case Op::Remainder:
    return term->form != Form::Element;
  default:
    return true;
  }
}

bool cpu::isNarrow(const loops::Program &program) {
  return program.computes == ElementKind::I64 && !program.statements.empty() &&
         all_of(program.statements, [&](const loops::Statement &statement) {
           const ElementKind kind = program.tensors[statement.tensor].kind;
           bool wraps = statement.combine == loops::ReductionKind::Assign ||
                        (kind != ElementKind::Bool &&
                         (statement.combine == loops::ReductionKind::Sum ||
                          statement.combine == loops::ReductionKind::Product));
           bool isBoolean = kind == ElementKind::Bool;
           return wraps && ::isNarrow(kind) &&
                  (!isBoolean || isPlain(statement.value)) &&
                  all_of(treesOf(statement),
                         [&](Term term) { return ::isNarrow(program, term); });
         });
}

bool cpu::hasLoopCode(const loops::Program &program) {
  return all_of(program.statements, [&](const loops::Statement &statement) {
    return writesNothing(program, statement) ||
           all_of(treesOf(statement),
                  [&](Term term) { return hasCode(program, term); });
  });
}

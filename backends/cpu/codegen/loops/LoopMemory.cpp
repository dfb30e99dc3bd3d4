//===- LoopMemory.cpp - loads and stores of loops -------------------------===//
// SPDX-License-Identifier: MIT
//
// An address is a sum of contributions of indices, the outermost first, so that
// the innermost loop computes only the last one. No element outside of a tensor
// is read: a vector has a mask, and a single element is replaced by the first
// element of its tensor.
//
//===----------------------------------------------------------------------===//

#include "LoopValues.h"
#include "codegen/emit/ElementMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Affine;
using loops::Form;
using loops::Op;
using loops::Outside;
using loops::Term;

/// The bytes of a cache line.
static constexpr int64_t lineBytes = 64;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

Type *LoopValues::memoryType(ElementKind kind) {
  bool isMoved = moved && moved == int64_t(byteSize(kind));
  return isMoved ? ops.type() : cpu::memoryType(code, kind);
}

Value *LoopValues::fromMemory(Value *value, ElementKind kind, bool asIndex) {
  if (moved && !asIndex)
    return value;
  return cpu::fromMemory(code, value, kind,
                         asIndex ? code.getInt64Ty() : ops.type());
}

Value *LoopValues::toMemory(Value *value, ElementKind kind) {
  return moved ? value : cpu::toMemory(code, value, kind, ops.isUnsigned());
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

LoopValues::Offset LoopValues::offsetOf(const loops::Terms &subscripts,
                                        const loops::Tensor &tensor) {
  loops::Program &program = plan.program;
  loops::Affine sum = affineOf(loops::offsetOf(program, subscripts, tensor));
  return {sum, loops::termOf(program, sum, plan.nesting())};
}

/// Whether a load needs no mask, because its index is uniform over all lanes
/// and is checked separately.
bool LoopValues::leadsInside(Term load) const {
  const loops::Tensor &tensor = plan.program.tensors[size_t(load->integer)];
  return load->outside == Outside::Fails && !is_contained(tensor.shape, 0) &&
         none_of(conditionsOf(load->operands, tensor), [&](Term condition) {
           return plan.lanes && condition->dependsOn(plan.lanes->index);
         });
}

/// The subscripts of a load. A subscript out of range is replaced by 0, and
/// ends the run with an error. So loads need no masks and no selects.
loops::Terms LoopValues::placeOf(Term load) {
  loops::Terms place = load->operands;
  const loops::Tensor &tensor = plan.program.tensors[size_t(load->integer)];
  if (!leadsInside(load) || place.size() != tensor.shape.size())
    return place;
  for (auto [i, subscript] : enumerate(place))
    if (Term inside =
            unassumed(loops::conditionsOf(subscript, tensor.length(i)))) {
      subscript =
          loops::make(Op::Select, {inside, subscript, plan.program.number(0)});
      looked.insert(subscript.get());
      around[subscript.get()] =
          std::min(rangesAround(subscript), rangesAround(load));
    }
  return place;
}

/// Checks a subscript. A branch makes the run fail, and the result is then 0;
/// loads do not wait for the branch.
Value *LoopValues::lookAt(Term subscript, Copy copy, bool firstLane) {
  Value *inside = value(subscript->operands[0], copy);
  Value *given = get(subscript->operands[1], copy, firstLane);
  if (isAhead || isa<Constant>(inside))
    return code.CreateSelect(inside, given, code.integer(0));
  BasicBlock *before = code.GetInsertBlock();
  checkInside(inside, copy, rangesAround(subscript));
  if (code.GetInsertBlock() == before)
    return code.CreateSelect(inside, given, code.integer(0));
  PHINode *place = code.CreatePHI(given->getType(), 2);
  for (BasicBlock *from : predecessors(code.GetInsertBlock()))
    place->addIncoming(from == before ? given : code.integer(0), from);
  return place;
}

/// Whether lanes are contiguous.
bool LoopValues::isNeighbours(const Offset &offset) const {
  unsigned lane = plan.lanes->index;
  return offset.affine.of(lane) == 1 && !offset.affine.isOpaqueIn(lane);
}

Value *LoopValues::firstAddress(unsigned tensor, const Offset &offset,
                                Copy copy) {
  Type *type = memoryType(plan.program.tensors[tensor].kind);
  bool isFar = any_of(plan.rows, [&](const LoopTile &row) {
    return offset.affine.isOpaqueIn(row.index) ||
           offset.affine.open.contains(row.index);
  });
  if (code.lanes > 1 || isFar)
    return code.CreateGEP(type, buffers.at(tensor),
                          index(offset.ordered, copy));
  // The constant distance from the first copy, which is part of the
  // instruction.
  int64_t further = 0;
  for (auto [i, row] : enumerate(plan.rows))
    further += copy[i] * offset.affine.of(row.index);
  Value *first =
      code.CreateGEP(type, buffers.at(tensor), index(offset.ordered, Copy{}));
  return further ? code.CreateGEP(type, first, code.integer(further)) : first;
}

/// The addresses of lanes that are not contiguous.
Value *LoopValues::addressesOf(unsigned tensor, const Offset &offset,
                               Copy copy) {
  unsigned lane = plan.lanes->index;
  auto steps = [&]() -> Value * {
    const Length step = offset.affine.factorOf(lane);
    if (step.isFixed())
      return iota(code.getInt64Ty(), step.fixed());
    return code.CreateMul(iota(code.getInt64Ty(), 1),
                          ops.spread(index(plan.program.size(step))));
  };
  Type *type = memoryType(plan.program.tensors[tensor].kind);
  Value *first = buffers.at(tensor);
  if (!offset.affine.isOpaqueIn(lane))
    return code.CreateGEP(
        type, first,
        code.CreateAdd(ops.spread(index(offset.ordered, copy)), steps()));
  // The part that all lanes share is added to the address once.
  Term place = offset.ordered;
  while (place->op == Op::Add) {
    const auto &[a, b] = std::tie(place->operands[0], place->operands[1]);
    if (a->dependsOn(lane) && b->dependsOn(lane))
      break;
    first =
        code.CreateGEP(type, first, index(a->dependsOn(lane) ? b : a, copy));
    place = a->dependsOn(lane) ? a : b;
  }
  return code.CreateGEP(type, first, ops.spread(value(place, copy)));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

Value *LoopValues::load(Term term, Copy copy, bool firstLane) {
  if (result && unsigned(term->integer) == plan.statement.tensor)
    return result;
  const loops::Tensor &tensor = plan.program.tensors[size_t(term->integer)];
  bool isOne = firstLane || !plan.lanes || !term->dependsOn(plan.lanes->index);
  bool isLine =
      !isOne && code.lanes * int64_t(byteSize(tensor.kind)) >= lineBytes;
  bool isLookedAt = leadsInside(term);
  Term inside;
  // After stores, whole lines are read faster with a mask than without one.
  if (term->outside != Outside::Never && (!isLookedAt || isLine))
    inside = unassumed(conditionsOf(term->operands, tensor));
  Value *holds = inside ? value(inside, copy) : nullptr;
  if (holds && term->outside == Outside::Fails && !isAhead && !isLookedAt &&
      !isChecked(inside, copy, rangesAround(term)))
    checkInside(holds, copy, rangesAround(term));
  // A tensor without elements is never read.
  if (is_contained(tensor.shape, 0))
    return term->form == Form::Element ? ops.number(0)
           : isOne                     ? cast<Value>(code.integer(0))
                                       : ops.place(0);
  Value *loaded =
      isOne ? loadOne(term, holds, copy) : loadLanes(term, holds, copy);
  return isOne && term->form == Form::Element ? ops.spread(loaded) : loaded;
}

Value *LoopValues::loadOne(Term term, Value *holds, Copy copy) {
  unsigned tensor = unsigned(term->integer);
  ElementKind kind = plan.program.tensors[tensor].kind;
  Type *type = memoryType(kind);
  auto chosen = [&] {
    Value *at = index(offsetOf(term).ordered, copy);
    at = code.CreateSelect(holds, at, code.integer(0));
    return code.CreateGEP(type, buffers.at(tensor), at);
  };
  Value *loaded = code.CreateAlignedLoad(
      type, holds ? chosen() : firstAddress(tensor, offsetOf(term), copy),
      Align(byteSize(kind)));
  loaded = fromMemory(loaded, kind, term->form == Form::Index);
  if (holds && term->outside == Outside::Zero)
    loaded = code.CreateSelect(holds, loaded,
                               Constant::getNullValue(loaded->getType()));
  return loaded;
}

/// Loads contiguous elements, each repeated in `repeats` lanes.
Value *LoopValues::loadRepeated(unsigned tensor, const Offset &offset,
                                int64_t repeats, Value *where, Copy copy) {
  ElementKind kind = plan.program.tensors[tensor].kind;
  const int64_t count = code.lanes / repeats;
  auto *type = FixedVectorType::get(memoryType(kind), unsigned(count));
  SmallVector<int> firsts, each;
  for (int64_t i = 0; i < count; ++i)
    firsts.push_back(int(i * repeats));
  for (int64_t i = 0; i < code.lanes; ++i)
    each.push_back(int(i / repeats));
  Value *from = firstAddress(tensor, offset, copy);
  Align align(byteSize(kind));
  // A shuffle of a mask is many instructions.
  if (auto *choice = dyn_cast_or_null<SelectInst>(where);
      choice && !choice->getCondition()->getType()->isVectorTy())
    where = code.CreateSelect(
        choice->getCondition(),
        code.CreateShuffleVector(choice->getTrueValue(), firsts),
        code.CreateShuffleVector(choice->getFalseValue(), firsts));
  else if (where)
    where = code.CreateShuffleVector(where, firsts);
  Value *loaded = where
                      ? code.CreateMaskedLoad(type, from, align, where,
                                              Constant::getNullValue(type))
                      : cast<Value>(code.CreateAlignedLoad(type, from, align));
  return code.CreateShuffleVector(loaded, each);
}

/// Loads the lanes of `where`, or all if it is null; other lanes are 0.
Value *LoopValues::loadVector(unsigned tensor, const Offset &offset,
                              Value *where, Copy copy) {
  ElementKind kind = plan.program.tensors[tensor].kind;
  FixedVectorType *type = ops.vectorOf(memoryType(kind));
  Align align(byteSize(kind));
  Value *none = Constant::getNullValue(type);
  if (plan.alignsLanes())
    if (auto repeats = repeatsOf(offset.affine, plan.lanes->index, plan.width))
      return loadRepeated(tensor, offset, *repeats, where, copy);
  if (!isNeighbours(offset))
    return code.CreateMaskedGather(
        type, addressesOf(tensor, offset, copy), align,
        where ? where : ops.spread(code.getTrue()), none);
  Value *from = firstAddress(tensor, offset, copy);
  if (!where)
    return code.CreateAlignedLoad(type, from, align);
  // For AVX2, LLVM 22 reads lanes that it knows to be no part of a load if they
  // are 0 otherwise.
  const Target &target = code.module.target;
  if (!target.has("avx2") || target.has("avx512f"))
    return code.CreateMaskedLoad(type, from, align, where, none);
  Value *loaded =
      code.CreateMaskedLoad(type, from, align, where, PoisonValue::get(type));
  return code.CreateSelect(where, loaded, none);
}

Value *LoopValues::loadLanes(Term term, Value *holds, Copy copy) {
  unsigned tensor = unsigned(term->integer);
  return fromMemory(
      loadVector(tensor, offsetOf(term), lanesWhere(holds, copy), copy),
      plan.program.tensors[tensor].kind, term->form == Form::Index);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

void LoopValues::store(Value *vector, Value *where, Copy copy) {
  unsigned tensor = plan.statement.tensor;
  ElementKind kind = plan.program.tensors[tensor].kind;
  Value *stored = toMemory(vector, kind);
  Align align(byteSize(kind));
  if (!isNeighbours(target)) {
    code.CreateMaskedScatter(stored, addressesOf(tensor, target, copy), align,
                             where ? where : ops.spread(code.getTrue()));
    return;
  }
  Value *to = firstAddress(tensor, target, copy);
  if (where)
    code.CreateMaskedStore(stored, to, align, where);
  else
    code.CreateAlignedStore(stored, to, align);
}

Value *LoopValues::loadPlace(Value *holds, Copy copy) {
  unsigned tensor = plan.statement.tensor;
  ElementKind kind = plan.program.tensors[tensor].kind;
  if (plan.lanes && !plan.sumsLanes())
    return fromMemory(loadVector(tensor, target, lanesWhere(holds, copy), copy),
                      kind, false);
  Value *from = firstAddress(tensor, target, copy);
  if (holds)
    from = code.CreateSelect(holds, from, buffers.at(tensor));
  Value *loaded =
      code.CreateAlignedLoad(memoryType(kind), from, Align(byteSize(kind)));
  return ops.spread(fromMemory(loaded, kind, false));
}

void LoopValues::storeFirst(Value *vector, Value *holds, Copy copy) {
  unsigned tensor = plan.statement.tensor;
  ElementKind kind = plan.program.tensors[tensor].kind;
  auto write = [&] {
    Value *first = code.CreateExtractElement(vector, uint64_t(0));
    code.CreateAlignedStore(toMemory(first, kind),
                            firstAddress(tensor, target, copy),
                            Align(byteSize(kind)));
  };
  if (!holds)
    return write();
  code.when(holds, [&] {
    enter();
    write();
    leave();
  });
}

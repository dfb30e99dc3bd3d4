//===- LoopMemory.cpp - loads and stores of loops -------------------------===//
//
// An address is the sum of what each index adds to it, the outermost first, so
// that only the last of it is computed in the innermost loop. Nothing outside
// of a tensor is read: a vector has a mask, and a single element is the first
// of its tensor then.
//
//===----------------------------------------------------------------------===//

#include "LoopValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Affine;
using loops::Form;
using loops::Op;
using loops::Outside;
using loops::Term;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

Type *LoopValues::memoryType(ElementKind kind) {
  if (moved && moved == int64_t(byteSize(kind)))
    return ops.type();
  switch (kind) {
  case ElementKind::F32:
    return code.getFloatTy();
  case ElementKind::F64:
    return code.getDoubleTy();
  case ElementKind::F16:
    return code.getHalfTy();
  default:
    return code.getIntNTy(unsigned(byteSize(kind)) * 8);
  }
}

static bool isUnsigned(ElementKind kind) {
  return kind == ElementKind::U8 || kind == ElementKind::U16 ||
         kind == ElementKind::U32 || kind == ElementKind::Bool;
}

/// One type for one value, and its vector for a vector.
static Type *like(Value *value, Type *element) {
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
    return FixedVectorType::get(element, vector->getNumElements());
  return element;
}

Value *LoopValues::fromMemory(Value *value, ElementKind kind, bool asIndex) {
  if (moved && !asIndex)
    return value;
  if (kind == ElementKind::BF16) {
    Type *bits = like(value, code.getInt32Ty());
    value = code.CreateShl(code.CreateZExt(value, bits),
                           ConstantInt::get(bits, 16));
    value = code.CreateBitCast(value, like(value, code.getFloatTy()));
  }
  Type *wanted = like(value, asIndex ? code.getInt64Ty() : ops.type());
  if (value->getType()->isFPOrFPVectorTy())
    return wanted->isFPOrFPVectorTy() ? code.CreateFPCast(value, wanted)
                                      : code.CreateFPToSI(value, wanted);
  Type *wide =
      wanted->isFPOrFPVectorTy() ? like(value, code.getInt64Ty()) : wanted;
  value = isUnsigned(kind) ? code.CreateZExtOrTrunc(value, wide)
                           : code.CreateSExtOrTrunc(value, wide);
  return wanted->isFPOrFPVectorTy() ? code.CreateSIToFP(value, wanted) : value;
}

/// bf16 is the upper half of f32, rounded to the nearest, halves to even.
static Value *toBFloat(Emitter &code, Value *value) {
  Value *bits = code.CreateBitCast(value, like(value, code.getInt32Ty()));
  Type *type = bits->getType();
  auto number = [&](uint64_t n) { return ConstantInt::get(type, n); };
  Value *odd = code.CreateAnd(code.CreateLShr(bits, 16), number(1));
  Value *rounded = code.CreateAdd(bits, code.CreateAdd(odd, number(0x7fff)));
  // Of NaN, rounding could make infinity.
  Value *isNan = code.CreateFCmpUNO(value, value);
  Value *quiet = code.CreateOr(bits, number(0x400000));
  Value *upper = code.CreateLShr(code.CreateSelect(isNan, quiet, rounded), 16);
  return code.CreateTrunc(upper, like(value, code.getInt16Ty()));
}

Value *LoopValues::toMemory(Value *value, ElementKind kind) {
  if (moved)
    return value;
  bool isReal = value->getType()->isFPOrFPVectorTy();
  if (kind == ElementKind::Bool) {
    Value *zero = Constant::getNullValue(value->getType());
    Value *truth = isReal ? code.CreateFCmpUNE(value, zero)
                          : code.CreateICmpNE(value, zero);
    return code.CreateZExt(truth, like(value, code.getInt8Ty()));
  }
  if (isFloat(kind) && !isReal)
    value = code.CreateSIToFP(value, like(value, code.getFloatTy()));
  if (kind == ElementKind::BF16)
    return toBFloat(code,
                    code.CreateFPCast(value, like(value, code.getFloatTy())));
  Type *wanted = like(value, memoryType(kind));
  if (isFloat(kind))
    return code.CreateFPCast(value, wanted);
  if (isReal)
    value = code.CreateIntrinsic(
        Intrinsic::fptosi_sat,
        {like(value, code.getInt64Ty()), value->getType()}, {value});
  return code.CreateTrunc(value, wanted);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

LoopValues::Offset LoopValues::offsetOf(const loops::Terms &subscripts,
                                        const Ints &shape) {
  loops::Program &program = plan.program;
  loops::Affine sum = affineOf(loops::offsetOf(program, subscripts, shape));
  return {sum, loops::termOf(program, sum, plan.nesting())};
}

/// Whether lanes lie one behind the other.
bool LoopValues::isNeighbours(const Offset &offset) const {
  unsigned lane = plan.lanes->index;
  return offset.affine.of(lane) == 1 && !offset.affine.isOpaqueIn(lane);
}

Value *LoopValues::firstAddress(unsigned tensor, const Offset &offset,
                                Copy copy) {
  return code.CreateGEP(memoryType(plan.program.tensors[tensor].kind),
                        buffers.at(tensor), index(offset.ordered, copy));
}

/// The addresses of lanes that are not neighbours.
Value *LoopValues::addressesOf(unsigned tensor, const Offset &offset,
                               Copy copy) {
  unsigned lane = plan.lanes->index;
  Value *at =
      offset.affine.isOpaqueIn(lane)
          ? ops.spread(value(offset.ordered, copy))
          : code.CreateAdd(ops.spread(index(offset.ordered, copy)),
                           iota(code.getInt64Ty(), offset.affine.of(lane)));
  return code.CreateGEP(memoryType(plan.program.tensors[tensor].kind),
                        buffers.at(tensor), at);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void LoopValues::checkInside(Value *holds, Copy copy) {
  Value *outside = code.CreateNot(holds);
  if (outside->getType()->isVectorTy()) {
    if (Value *there = lanesWhere(nullptr, copy))
      outside = code.CreateAnd(outside, there);
    outside = code.CreateOrReduce(outside);
  }
  code.when(outside,
            [&] { code.CreateStore(code.integer(1), code.buffer(failed)); });
}

Value *LoopValues::load(Term term, Copy copy, bool firstLane) {
  const loops::Tensor &tensor = plan.program.tensors[size_t(term->integer)];
  Value *holds = nullptr;
  if (term->outside != Outside::Never)
    holds = all(conditionsOf(term->operands, tensor.shape), copy);
  if (holds && term->outside == Outside::Fails)
    checkInside(holds, copy);
  bool isOne = firstLane || !plan.lanes || !term->dependsOn(plan.lanes->index);
  Value *loaded =
      isOne ? loadOne(term, holds, copy) : loadLanes(term, holds, copy);
  return isOne && term->form == Form::Element ? ops.spread(loaded) : loaded;
}

Value *LoopValues::loadOne(Term term, Value *holds, Copy copy) {
  unsigned tensor = unsigned(term->integer);
  ElementKind kind = plan.program.tensors[tensor].kind;
  Value *at = index(offsetOf(term).ordered, copy);
  if (holds)
    at = code.CreateSelect(holds, at, code.integer(0));
  Type *type = memoryType(kind);
  Value *loaded =
      code.CreateAlignedLoad(type, code.CreateGEP(type, buffers.at(tensor), at),
                             Align(byteSize(kind)));
  loaded = fromMemory(loaded, kind, term->form == Form::Index);
  if (holds && term->outside == Outside::Zero)
    loaded = code.CreateSelect(holds, loaded,
                               Constant::getNullValue(loaded->getType()));
  return loaded;
}

/// The lanes of `where`, all if it is null, and 0 in others.
Value *LoopValues::loadVector(unsigned tensor, const Offset &offset,
                              Value *where, Copy copy) {
  ElementKind kind = plan.program.tensors[tensor].kind;
  FixedVectorType *type = ops.vectorOf(memoryType(kind));
  Align align(byteSize(kind));
  Value *none = Constant::getNullValue(type);
  if (!isNeighbours(offset))
    return code.CreateMaskedGather(
        type, addressesOf(tensor, offset, copy), align,
        where ? where : ops.spread(code.getTrue()), none);
  Value *from = firstAddress(tensor, offset, copy);
  return where ? code.CreateMaskedLoad(type, from, align, where, none)
               : cast<Value>(code.CreateAlignedLoad(type, from, align));
}

Value *LoopValues::loadLanes(Term term, Value *holds, Copy copy) {
  unsigned tensor = unsigned(term->integer);
  return fromMemory(
      loadVector(tensor, offsetOf(term), lanesWhere(holds, copy), copy),
      plan.program.tensors[tensor].kind, term->form == Form::Index);
}

//===----------------------------------------------------------------------===//
// The place
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

Value *LoopValues::loadPlace(Value *where, Copy copy) {
  unsigned tensor = plan.statement.tensor;
  ElementKind kind = plan.program.tensors[tensor].kind;
  if (plan.lanes && !plan.sumsLanes())
    return fromMemory(loadVector(tensor, target, where, copy), kind, false);
  Value *loaded = code.CreateAlignedLoad(memoryType(kind),
                                         firstAddress(tensor, target, copy),
                                         Align(byteSize(kind)));
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

//===- ValueMemory.cpp - elements in memory, as LLVM IR -------------------===//
// SPDX-License-Identifier: MIT

#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include <cmath>

using namespace glow;
using namespace glow::cuda;
using namespace glow::loops;

//===----------------------------------------------------------------------===//
// Types and numbers
//===----------------------------------------------------------------------===//

llvm::Type *Values::realType(ElementKind kind) const {
  llvm::LLVMContext &context = builder.getContext();
  return kind == ElementKind::F64 ? llvm::Type::getDoubleTy(context)
                                  : llvm::Type::getFloatTy(context);
}

/// The integer that an element takes in memory.
static llvm::Type *memoryType(llvm::IRBuilder<> &builder, ElementKind kind) {
  return builder.getIntNTy(unsigned(8 * byteSize(kind)));
}

llvm::Type *Values::elementType() const {
  llvm::LLVMContext &context = builder.getContext();
  if (moves)
    return llvm::IntegerType::get(context, unsigned(8 * byteSize(*moved)));
  return isFloat(program.computes) ? realType(program.computes)
                                   : llvm::Type::getInt64Ty(context);
}

/// A number of the launch, at its place behind those before it.
llvm::Value *Values::launchNumber(size_t place) {
  llvm::IRBuilder<> first(entry);
  llvm::Type *type = first.getInt64Ty();
  const unsigned buffers = unsigned(tensors.size());
  llvm::Value *begin = function->getArg(buffers + 2);
  llvm::Value *at = first.CreateAdd(begin, first.getInt64(place));
  auto *value = first.CreateAlignedLoad(
      type, first.CreateGEP(type, function->getArg(buffers + 1), at),
      llvm::Align(8));
  value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(first.getContext(), {}));
  return value;
}

llvm::Value *Values::number(int64_t value) {
  const bool fits = value >= INT32_MIN && value <= INT32_MAX;
  if (value >= -1 && value <= 1)
    return builder.getInt32(uint32_t(value));
  llvm::Value *&its = known[value];
  if (its)
    return its;
  its = launchNumber(1 + tensors.size() + numbers.size());
  numbers.push_back(value);
  if (fits) {
    llvm::IRBuilder<> first(entry);
    its = first.CreateTrunc(its, first.getInt32Ty());
  }
  return its;
}

llvm::Value *Values::step() {
  llvm::IRBuilder<> first(entry);
  llvm::Value *number = launchNumber(0);
  return first.CreateTrunc(number, first.getInt32Ty());
}

llvm::Constant *Values::literal(double value) const {
  llvm::Type *type = elementType();
  if (isReal())
    return type->isFloatTy() ? llvm::ConstantFP::get(type, double(float(value)))
                             : llvm::ConstantFP::get(type, value);
  if (moves)
    return llvm::Constant::getNullValue(type);
  uint64_t whole = 0;
  if (program.computes == ElementKind::U64 && value >= 0x1p63)
    whole = value >= 0x1p64 ? UINT64_MAX : uint64_t(value);
  else if (!std::isnan(value))
    whole = uint64_t(value >= 0x1p63    ? INT64_MAX
                     : value <= -0x1p63 ? INT64_MIN
                                        : int64_t(value));
  return llvm::ConstantInt::get(type, whole);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Value *Values::pointer(unsigned tensor, llvm::Value *place,
                             llvm::Type *type) {
  const size_t number = size_t(llvm::find(tensors, tensor) - tensors.begin());
  llvm::Value *&begin = pointers[tensor];
  if (!begin) {
    llvm::Value *offset = launchNumber(1 + number);
    llvm::IRBuilder<> first(entry);
    begin = first.CreateGEP(first.getInt8Ty(),
                            function->getArg(unsigned(number)), offset);
  }
  return builder.CreateGEP(type, begin, widened(place));
}

llvm::Value *Values::load(unsigned tensor, llvm::Value *place, bool asIndex) {
  const ElementKind kind = program.tensors[tensor].kind;
  llvm::Type *type = kind == ElementKind::F16 && !moves ? builder.getHalfTy()
                     : isFloat(kind) && byteSize(kind) >= 4 && !moves
                         ? realType(kind)
                         : memoryType(builder, kind);
  llvm::Value *value = builder.CreateAlignedLoad(
      type, pointer(tensor, place, type), llvm::Align(byteSize(kind)));
  if (moves && !asIndex)
    return value;
  if (kind == ElementKind::BF16)
    value = builder.CreateBitCast(
        builder.CreateShl(builder.CreateZExt(value, builder.getInt32Ty()), 16),
        builder.getFloatTy());
  if (isFloat(kind)) {
    if (isReal() && !asIndex)
      return builder.CreateFPCast(value, elementType());
    return builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat,
                                   {builder.getInt64Ty(), value->getType()},
                                   {value});
  }
  if (isSmall(kind)) {
    llvm::Type *few = builder.getIntNTy(unsigned(bitWidth(kind)));
    value = builder.CreateTrunc(value, few);
  }
  const bool hasSign = isSigned(kind) && kind != ElementKind::Bool;
  value = hasSign ? builder.CreateSExt(value, builder.getInt64Ty())
                  : builder.CreateZExt(value, builder.getInt64Ty());
  if (asIndex || !isReal())
    return value;
  return hasSign ? builder.CreateSIToFP(value, elementType())
                 : builder.CreateUIToFP(value, elementType());
}

/// A double as a float that rounds once more to the nearest of fewer bits.
llvm::Value *Values::asSingle(llvm::Value *value) {
  if (!value->getType()->isDoubleTy())
    return value;
  llvm::Value *near = builder.CreateFPTrunc(value, builder.getFloatTy());
  llvm::Value *bits = builder.CreateBitCast(near, builder.getInt32Ty());
  llvm::Value *again = builder.CreateFPExt(near, value->getType());
  llvm::Value *isDone =
      builder.CreateOr(builder.CreateFCmpUEQ(again, value),
                       builder.CreateTrunc(bits, builder.getInt1Ty()));
  auto size = [&](llvm::Value *real) {
    return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, real);
  };
  llvm::Value *isAbove = builder.CreateFCmpOGT(size(again), size(value));
  llvm::Value *odd = builder.CreateSelect(
      isAbove, builder.CreateSub(bits, builder.getInt32(1)),
      builder.CreateAdd(bits, builder.getInt32(1)));
  return builder.CreateSelect(isDone, near,
                              builder.CreateBitCast(odd, builder.getFloatTy()));
}

/// The bits of a float in bf16, to the nearest.
llvm::Value *Values::toBfloat(llvm::Value *value) {
  llvm::Value *bits = builder.CreateBitCast(value, builder.getInt32Ty());
  llvm::Value *last =
      builder.CreateAnd(builder.CreateLShr(bits, 16), builder.getInt32(1));
  llvm::Value *rounded = builder.CreateAdd(
      bits, builder.CreateAdd(last, builder.getInt32(0x7fff)));
  llvm::Value *quiet = builder.CreateOr(bits, builder.getInt32(0x400000));
  llvm::Value *kept =
      builder.CreateSelect(builder.CreateFCmpUNO(value, value), quiet, rounded);
  return builder.CreateTrunc(builder.CreateLShr(kept, 16),
                             builder.getInt16Ty());
}

void Values::store(unsigned tensor, llvm::Value *place, llvm::Value *value,
                   ElementKind computes) {
  const ElementKind kind = program.tensors[tensor].kind;
  const bool fromReal = value->getType()->isFloatingPointTy();
  llvm::Type *type = memoryType(builder, kind);
  if (moves) {
    // The element has its bits already.
  } else if (kind == ElementKind::Bool) {
    value = builder.CreateZExt(truth(value), type);
  } else if (isFloat(kind)) {
    if (!fromReal)
      value = isSigned(computes)
                  ? builder.CreateSIToFP(value, builder.getDoubleTy())
                  : builder.CreateUIToFP(value, builder.getDoubleTy());
    if (kind == ElementKind::F16)
      value = builder.CreateFPTrunc(asSingle(value), builder.getHalfTy());
    else if (kind == ElementKind::BF16)
      value = toBfloat(asSingle(value));
    else
      value = builder.CreateFPCast(value, realType(kind));
  } else if (isSmall(kind)) {
    llvm::Type *few = builder.getIntNTy(unsigned(bitWidth(kind)));
    if (fromReal)
      value =
          builder.CreateIntrinsic(isSigned(kind) ? llvm::Intrinsic::fptosi_sat
                                                 : llvm::Intrinsic::fptoui_sat,
                                  {few, value->getType()}, {value});
    else
      value = builder.CreateTrunc(value, few);
    value = builder.CreateZExt(value, type);
  } else if (fromReal) {
    value =
        builder.CreateIntrinsic(isSigned(kind) ? llvm::Intrinsic::fptosi_sat
                                               : llvm::Intrinsic::fptoui_sat,
                                {type, value->getType()}, {value});
  } else {
    value = builder.CreateTrunc(value, type);
  }
  builder.CreateAlignedStore(value, pointer(tensor, place, value->getType()),
                             llvm::Align(byteSize(kind)));
}

void Values::checkInside(llvm::Value *holds) {
  llvm::Value *number = step();
  openIf(builder.CreateNot(holds), "fails");
  llvm::Value *failed = function->getArg(unsigned(tensors.size()));
  builder.CreateAtomicCmpXchg(failed, builder.getInt32(0), number,
                              llvm::Align(4), llvm::AtomicOrdering::Monotonic,
                              llvm::AtomicOrdering::Monotonic);
  close();
}

llvm::Value *Values::loaded(Term term) {
  const unsigned tensor = unsigned(term->integer);
  const Tensor &its = program.tensors[tensor];
  const bool asIndex = term->form == Form::Index;
  llvm::Value *none = asIndex ? builder.getInt64(0) : literal(0);
  if (llvm::is_contained(its.shape, 0)) {
    if (term->outside == Outside::Fails)
      checkInside(builder.getFalse());
    return none;
  }
  llvm::Value *holds = nullptr;
  if (term->outside == Outside::Fails || term->outside == Outside::Zero ||
      (term->outside == Outside::Skips && !isGuarded))
    holds = all(conditionsOf(term->operands, its));
  Affine offset = affineOf(offsetOf(program, term->operands, its));
  llvm::Value *place = get(termOf(program, offset));
  if (!refused.empty())
    return none;
  if (!holds)
    return load(tensor, place, asIndex);
  if (term->outside == Outside::Fails)
    checkInside(holds);
  // Outside, the first element is read, and not used.
  llvm::Value *safe = builder.CreateSelect(
      holds, place, llvm::Constant::getNullValue(place->getType()));
  return builder.CreateSelect(holds, load(tensor, safe, asIndex), none);
}

//===- Cast.cpp - conversion between element kinds ------------------------===//
// SPDX-License-Identifier: MIT
//
// The library has a function of 16 elements for pairs of the most frequent
// kinds. Other pairs are converted by way of f32, f64 or i64, which hold both
// kinds.
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/ElementMemory.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/step/Step.h"
#include "common/Library.h"
#include "glow/Base/Functions.h"
#include "glow/Loops/Program.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

class CastEmitter {
public:
  CastEmitter(CodeModule &module, ElementKind from, ElementKind to,
              const expr::Size &elements, const Twine &name)
      : from(from), to(to),
        code(module, module.addStep(name), module.target.lanes),
        elements(elements.extent()), inRun(elements.length()) {}

  NativeStep emit() {
    // Passed by address: sixteen i64 are two registers of AVX-512, and passing
    // them by value depends on the processor.
    if (calls() && from == ElementKind::I64)
      operand = code.CreateAlloca(vectorOf(from));
    if (calls() && to == ElementKind::I64)
      result = code.CreateAlloca(vectorOf(to));
    const int64_t lanes = code.lanes;
    Value *first = code.times(code.function->getArg(2), piece);
    Value *end = code.smaller(code.times(code.function->getArg(3), piece),
                              valueOf(code, quotient(inRun, lanes)));
    code.loop(
        first, end, [&](Value *v) { emitVector(v, firstLanes(lanes)); },
        /*maybeNone=*/true);
    emitRest();
    emitMeasure(code, chunks());
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, chunks().range().high});
    // A narrower element is rounded and clamped, and its bytes are packed.
    bool isNarrow = byteSize(to) < 4;
    step.work = Work();
    step.work->operations = double(elements) / cpu::lanes * (isNarrow ? 8 : 2);
    return step;
  }

private:
  static constexpr int64_t piece = 1024; // vectors of a chunk

  Length chunks() const {
    Length whole = quotient(inRun, code.lanes);
    return greater(quotient(whole + (piece - 1), piece), 1);
  }

  /// The elements behind the last whole vector, in the last chunk.
  void emitRest() {
    Length rest = remainder(inRun, code.lanes);
    if (rest.isFixed() && !rest.fixed())
      return;
    Value *isLast =
        code.CreateICmpEQ(code.function->getArg(3), valueOf(code, chunks()));
    Value *whole = valueOf(code, quotient(inRun, code.lanes));
    if (rest.isFixed())
      return code.when(isLast,
                       [&] { emitVector(whole, firstLanes(rest.fixed())); });
    SmallVector<Constant *> numbers;
    for (int64_t i = 0; i < code.lanes; ++i)
      numbers.push_back(code.getInt64(uint64_t(i)));
    Value *count = valueOf(code, rest);
    isLast = code.CreateAnd(isLast, code.CreateICmpNE(count, code.integer(0)));
    code.when(isLast, [&] {
      emitVector(whole, code.CreateICmpULT(ConstantVector::get(numbers),
                                           code.splat(count)));
    });
  }

  FixedVectorType *vectorOf(ElementKind kind) {
    return FixedVectorType::get(memoryType(code, kind), unsigned(code.lanes));
  }
  bool calls() const { return hasCastFunction(from, to) && !isExtended(); }

  /// Whether every element of the first kind is in the range of the second,
  /// exactly or rounded.
  bool isExtended() const {
    auto isInteger = [](ElementKind kind) {
      return kind == ElementKind::I8 || kind == ElementKind::U8 ||
             kind == ElementKind::I32;
    };
    return isInteger(from) &&
           (to == ElementKind::F32 ||
            (isInteger(to) && byteSize(to) > byteSize(from)));
  }
  Value *extended(Value *value) {
    auto *integers =
        FixedVectorType::get(code.getInt32Ty(), unsigned(code.lanes));
    value = code.CreateIntCast(value, integers, from != ElementKind::U8);
    return to == ElementKind::F32 ? code.CreateSIToFP(value, code.vector)
                                  : value;
  }

  /// Converts by way of the computation type of the first kind.
  Value *convertedBetween(Value *value) {
    if (from == to)
      return value;
    ElementKind computes = loops::computedIn(from);
    llvm::Type *between = computes == ElementKind::F32 ? code.getFloatTy()
                          : computes == ElementKind::F64
                              ? code.getDoubleTy()
                              : cast<Type>(code.getInt64Ty());
    return toMemory(code, fromMemory(code, value, from, between), to,
                    computes == ElementKind::U64, Beyond::Nearest);
  }

  Value *firstLanes(int64_t count) {
    SmallVector<Constant *> first;
    for (int64_t i = 0; i < code.lanes; ++i)
      first.push_back(code.getInt1(i < count));
    return ConstantVector::get(first);
  }

  /// The elements of vector `v` whose lanes are `there`.
  void emitVector(Value *v, Value *there) {
    FixedVectorType *in = vectorOf(from), *out = vectorOf(to);
    Value *value = code.CreateMaskedLoad(
        in, code.CreateGEP(in, code.buffer(1), v), Align(byteSize(from)), there,
        ConstantAggregateZero::get(in));
    code.CreateMaskedStore(converted(value, out),
                           code.CreateGEP(out, code.buffer(0), v),
                           Align(byteSize(to)), there);
  }

  Value *converted(Value *value, FixedVectorType *out) {
    if (isExtended())
      return extended(value);
    if (!calls())
      return convertedBetween(value);
    SmallVector<Value *> arguments;
    if (result)
      arguments.push_back(result);
    if (operand)
      code.CreateStore(value, operand);
    arguments.push_back(operand ? operand : value);
    Value *given = code.callLibrary(castFunction(from, to),
                                    result ? code.getVoidTy() : cast<Type>(out),
                                    arguments);
    return result ? code.CreateLoad(out, result) : given;
  }

  const ElementKind from, to;
  Emitter code;
  int64_t elements;                            ///< at most
  const Length inRun;                          ///< the elements of a run
  Value *operand = nullptr, *result = nullptr; // of vectors given by address
};

} // namespace

NativeStep cpu::emitCast(CodeModule &module, const calls::CastCall &call,
                         const Twine &name) {
  return CastEmitter(module, call.in.kind(), call.out.kind(),
                     expr::prod(call.out.sizes()), name)
      .emit();
}

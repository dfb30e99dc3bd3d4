//===- Cast.cpp - conversion between element kinds ------------------------===//
// SPDX-License-Identifier: MIT
//
// The library has a function of 16 elements for pairs of the most frequent
// kinds. Other pairs are converted by way of f32, f64 or i64, which hold both
// kinds.
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/ElementMemory.h"
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
              int64_t elements, const Twine &name)
      : from(from), to(to),
        code(module, module.addStep(name), module.target.lanes),
        elements(elements) {}

  NativeStep emit() {
    // Passed by address: sixteen i64 are two registers of AVX-512, and passing
    // them by value depends on the processor.
    if (calls() && from == ElementKind::I64)
      operand = code.CreateAlloca(vectorOf(from));
    if (calls() && to == ElementKind::I64)
      result = code.CreateAlloca(vectorOf(to));
    constexpr int64_t piece = 1024; // vectors of a chunk
    const int64_t lanes = code.lanes;
    int64_t whole = elements / lanes;
    int64_t chunks = std::max<int64_t>((whole + piece - 1) / piece, 1);
    Value *first = code.times(code.function->getArg(2), piece);
    Value *end = code.smaller(code.times(code.function->getArg(3), piece),
                              code.integer(whole));
    code.loop(
        first, end, [&](Value *v) { emitVector(v, lanes); },
        /*maybeNone=*/true);
    if (int64_t rest = elements % lanes)
      code.when(
          code.CreateICmpEQ(code.function->getArg(3), code.integer(chunks)),
          [&] { emitVector(code.integer(whole), rest); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, chunks});
    // A narrower element is rounded and clamped, and its bytes are packed.
    bool isNarrow = byteSize(to) < 4;
    step.work = Work();
    step.work->operations = double(elements) / cpu::lanes * (isNarrow ? 8 : 2);
    return step;
  }

private:
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

  /// `count` elements from vector `v` on.
  void emitVector(Value *v, int64_t count) {
    SmallVector<Constant *> first;
    for (int64_t i = 0; i < code.lanes; ++i)
      first.push_back(code.getInt1(i < count));
    Value *there = ConstantVector::get(first);
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
  int64_t elements;
  Value *operand = nullptr, *result = nullptr; // of vectors given by address
};

} // namespace

NativeStep cpu::emitCast(CodeModule &module, const calls::CastCall &call,
                         const Twine &name) {
  return CastEmitter(module, call.in.kind(), call.out.kind(),
                     expr::prod(call.out.shape()), name)
      .emit();
}

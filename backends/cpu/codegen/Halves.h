//===- Halves.h - products of bf16, two at a time -------------*- C++ -*-===//
//
// With Math::Fast, where the processor multiplies bf16: what is multiplied is
// rounded to bf16, products are summed in f32. A pair of neighbouring channels
// takes the place of one element of f32, so tiles count pairs.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_HALVES_H
#define GLOW_BACKENDS_CPU_CODEGEN_HALVES_H

#include "Step.h"

namespace glow::cpu {

/// Whether a sum over `inner` channels for each of `columns` results is made of
/// pairs: the image is rounded first, which few columns would not pay for.
bool usesHalves(const Target &target, int64_t inner, int64_t columns);

/// Adds a first phase that writes a buffer as bf16 to the step's shared memory.
void roundFirst(CodeModule &unit, const Operand &buffer,
                const llvm::Twine &name, NativeStep &step);

/// Two numbers as bf16, the nearest even, with the bits of one of f32. What is
/// finite stays so.
float halvesOf(float low, float high);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_HALVES_H

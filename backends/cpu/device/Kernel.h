//===- Kernel.h - calling convention of a CPU step --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Included by the compile half, by the device, and by the library of kernels,
// which is compiled to bitcode for any target: nothing here may need a library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_KERNEL_H
#define GLOW_BACKENDS_CPU_DEVICE_KERNEL_H

#include <stdint.h>

namespace glow::cpu {

/// The shape of one buffer, and its elements' kind: a number in
/// Base/ElementKind.h.
struct Shape {
  const int64_t *sizes;
  int64_t rank;
  int64_t kind;
};

/// The value of one attribute, in the order of the instruction's record. A
/// list has its length in `count`; an element kind is its number in
/// Base/ElementKind.h; a flag is 0 or 1.
struct Attribute {
  const int64_t *ints;
  const double *reals;
  const char *text;
  int64_t integer;
  double real;
  int64_t count;
};

/// The facts about a step that are known when it is compiled, in constants, and
/// the sizes of a run.
struct StepInfo {
  const Shape *shapes; ///< one a buffer
  const Attribute *attributes;
  const int64_t *segments; ///< number of buffers of each declared operand
  int64_t buffers;
  /// The values of the step's size variables in a run; null for a step of
  /// fixed sizes.
  const int64_t *sizes = nullptr;
};

/// Executes chunks [begin, end) of a step. `buffers` are in the instruction's
/// order, absent optional ones left out. `scratch` has the bytes the step asked
/// for, belongs to the calling thread, is aligned to 64 bytes and undefined.
/// Chunks may run on any thread in any order; results do not depend on it.
using StepKernel = void (*)(const StepInfo *info, char *const *buffers,
                            int64_t begin, int64_t end, char *scratch);

/// How a step may be cut: asked once, when it is compiled for a device.
struct StepWork {
  int64_t chunks;       ///< at least 1
  int64_t scratchBytes; ///< of each thread
};
using StepMeasure = void (*)(const StepInfo *info, StepWork *work);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_KERNEL_H

//===- LibraryHelpers.h - one step by the library and by the reference ----===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_CPU_LIBRARYHELPERS_H
#define GLOW_TEST_CPU_LIBRARYHELPERS_H

#include "device/Kernel.h"
#include "glow/Program/KernelRegistry.h"
#include <functional>
#include <random>
#include <vector>

/// Declares a kernel of the library.
#define LIBRARY_KERNEL(name)                                                   \
  extern "C" void name(const glow::cpu::StepInfo *, char *const *, int64_t,    \
                       int64_t, char *);                                       \
  extern "C" void name##_work(const glow::cpu::StepInfo *,                     \
                              glow::cpu::StepWork *);
#define LIBRARY(name)                                                          \
  LibraryKernel { #name, name, name##_work }

struct LibraryKernel {
  const char *name;
  glow::cpu::StepKernel kernel;
  glow::cpu::StepMeasure work;
};

/// One instruction on random values; results first.
struct Step {
  std::vector<glow::TensorType> types;
  std::vector<int32_t> segments; ///< buffers of each operand
  std::vector<glow::AttributeValue> attributes;
  int results = 1;
  double tolerance = 1e-5; ///< relative to the largest element
  bool odd = false;        ///< with some infinities and NaN
};

/// Runs a step by the library, chunk by chunk in any order, and by the
/// reference; reports where they differ and what was written outside.
void compare(const LibraryKernel &library, const glow::Kernel &reference,
             const Step &step);
/// The same, with the interpreter's kernel.
void compare(const LibraryKernel &library, const char *instruction,
             const Step &step);

#endif // GLOW_TEST_CPU_LIBRARYHELPERS_H

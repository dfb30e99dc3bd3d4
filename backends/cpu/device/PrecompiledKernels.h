//===- PrecompiledKernels.h - kernels that need not be compiled -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The library's kernels as they were compiled when Glow was built, for the
// levels of x86-64 that most machines have: a model that is compiled to run
// here does not wait for them. Files that are written get them from the
// bitcode. Also included by library/precompiled/Table.cpp, which nothing may
// need a library for.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_PRECOMPILEDKERNELS_H
#define GLOW_BACKENDS_CPU_DEVICE_PRECOMPILEDKERNELS_H

#include "Kernel.h"

namespace glow::cpu {

struct PrecompiledKernel {
  const char *name; ///< null behind the last one
  StepKernel run;
  StepMeasure measure;
};

} // namespace glow::cpu

// Of x86-64-v3 (AVX2) and x86-64-v4 (AVX-512).
extern "C" {
[[gnu::visibility(
    "hidden")]] extern const glow::cpu::PrecompiledKernel glow_precompiled_v3[],
    glow_precompiled_v4[];
}

#endif // GLOW_BACKENDS_CPU_DEVICE_PRECOMPILEDKERNELS_H

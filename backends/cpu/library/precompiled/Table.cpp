//===- Table.cpp - the kernels of one level, by name ----------------------===//
// SPDX-License-Identifier: MIT
//
// GLOW_PRECOMPILED_TABLE is the name of the level's table.
//
//===----------------------------------------------------------------------===//

#include "../../device/PrecompiledKernels.h"

using namespace glow::cpu;

// A kernel of several element kinds is declared and listed once for each.
#define GLOW_LIBRARY_KERNEL(mnemonic, kind, ofResult, function, failure)       \
  extern "C" void function(const StepInfo *, char *const *, int64_t, int64_t,  \
                           char *);                                            \
  extern "C" void function##_work(const StepInfo *, StepWork *);
#include "glow/Generated/CpuLibraryKernels.cpp.inc"
#undef GLOW_LIBRARY_KERNEL

#define GLOW_LIBRARY_KERNEL(mnemonic, kind, ofResult, function, failure)       \
  {#function, function, function##_work},
extern "C" const PrecompiledKernel GLOW_PRECOMPILED_TABLE[] = {
#include "glow/Generated/CpuLibraryKernels.cpp.inc"
    {nullptr, nullptr, nullptr}};

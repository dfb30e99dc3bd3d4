//===- Computed.cpp - kernels from the records' index notation ------------===//
//
// The loops that the interpreter runs, for nodes that no other kernel here is
// for: one chunk, one element at a time.
//
// They are the last resort, also in bundles and as C, where there is no
// interpreter. The same text is compiled twice, against two small headers that
// say what a call is. Each kind takes room in every installed file: kernels
// that compute are there in four kinds, those that only move elements once for
// each size.
//
//===----------------------------------------------------------------------===//

// The interpreter has other classes of the same names, and a program of the
// tests links both: here all names are in a namespace of their own.
#define glow glow_library

#include "Call.h"
#include "Support.h"

#include "../../interpreter/device/IndexNotation.h"

using namespace glow;

/// The last buffer is where a kernel tells that it found a wrong value.
#define GLOW_COMPUTED(mnemonic, count)                                         \
  static_assert(count <= KernelCall::most);                                    \
  GLOW_STEP_WORK(computed_##mnemonic) { *work = {1, 0}; }                      \
  GLOW_STEP_KERNEL(computed_##mnemonic) {                                      \
    if (begin < end && !mnemonic##Kernel(KernelCall(*info, buffers)).ok)       \
      *reinterpret_cast<int64_t *>(buffers[info->buffers]) = 1;                \
  }
#include "glow/Generated/GlowComputedKernels.cpp.inc"

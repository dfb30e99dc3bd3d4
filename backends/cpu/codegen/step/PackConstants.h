//===- PackConstants.h - constants packed for their kernels -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_STEP_PACKCONSTANTS_H
#define GLOW_BACKENDS_CPU_CODEGEN_STEP_PACKCONSTANTS_H

#include "Step.h"
#include "glow/IR/Structure.h"
#include "glow/Program/Program.h"
#include "glow/Program/Steps.h"
#include "llvm/ADT/ArrayRef.h"

namespace glow::cpu {

struct StepPacking : Packing {
  size_t step;
};

/// Replaces constants of the program by packed constants for the steps, all in
/// one block of memory, in the order of `packings`. Packings of one constant
/// and form share the packed constant. If the function's module
/// ends soon (LastReader.h), constants that only packings read are freed.
Status packConstants(llvm::ArrayRef<StepPacking> packings, ir::FuncOp function,
                     StepCode &steps, Program &program);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_STEP_PACKCONSTANTS_H

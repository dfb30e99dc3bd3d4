//===- ScalarCode.h - code of processors without vectors -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Code for processors with vectors is used as emitted: its tiles fill
// registers, and optimisation would take most of the compile time. A processor
// without vector registers runs loops over elements, which the passes of LLVM
// optimise.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_AOT_SCALARCODE_H
#define GLOW_BACKENDS_CPU_AOT_SCALARCODE_H

#include "compile/Native.h"

namespace glow::cpu {

/// Inlines functions of the library, replaces vectors of one lane by scalars,
/// and propagates the arguments of each step. Only entry points stay visible.
/// With `shares`, steps that differ only in sizes become calls of one function.
void simplifyScalars(CodeModule &module, bool shares);

/// Narrows indices to 32 bits, and gives loops the form that C printing needs.
void shapeLoops(CodeModule &module);

/// Optimises loops for the target, whose addresses the module has.
void optimiseScalars(CodeModule &module, bool forSize);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_SCALARCODE_H

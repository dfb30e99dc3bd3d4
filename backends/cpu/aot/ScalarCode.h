//===- ScalarCode.h - code of processors without vectors -------*- C++ -*-===//
//
// Other processors have code as it is emitted: their tiles fill registers, and
// looking for something better would take most of the time. A processor without
// registers of vectors runs loops over elements, which the passes of LLVM know.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_AOT_SCALARCODE_H
#define GLOW_BACKENDS_CPU_AOT_SCALARCODE_H

#include "compile/Native.h"

namespace glow::cpu {

/// Puts functions of the library where they are called, makes vectors of one
/// lane numbers, and finds out what each step is called with. Entry points are
/// the only functions that others see.
void simplifyScalars(CodeModule &unit);

/// Makes indices numbers of 32 bits, and gives loops the form that C prints.
void shapeLoops(CodeModule &unit);

/// Optimises loops for the target, whose addresses the module has.
void optimiseScalars(CodeModule &unit, bool forSize);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_SCALARCODE_H

//===- LoopFactors.h - factors that are computed once -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPFACTORS_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPFACTORS_H

#include "codegen/emit/Emit.h"
#include "glow/Loops/Program.h"
#include <vector>

namespace glow::cpu {

/// An estimate of the instructions of a vector of elements, without its loads.
/// Subscripts do not count, as loops increment them.
unsigned operationsIn(loops::Term element);

/// The statement, preceded by statements that write its computed factors to
/// tensors in the step's shared memory. A factor is written if it takes several
/// operations and is used in many terms. `bytes` is the used shared memory, and
/// is increased.
std::vector<loops::Statement> withFactors(const CodeModule &module,
                                          loops::Program &program,
                                          loops::Statement statement,
                                          int64_t &bytes);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPFACTORS_H

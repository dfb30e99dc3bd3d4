//===- LoopFactors.h - factors that are computed once -----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPFACTORS_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPFACTORS_H

#include "codegen/emit/Emit.h"
#include "glow/Loops/Program.h"
#include <vector>

namespace glow::cpu {

/// About how many instructions a vector of elements takes beside its loads.
/// Subscripts are not counted: they move along with loops.
unsigned operationsIn(loops::Term element);

/// The statement, behind those that write its computed factors to tensors of
/// the step's shared memory. A factor is written where it takes several
/// operations and is used in many terms. `bytes` of that memory are taken, and
/// become more.
std::vector<loops::Statement> withFactors(const CodeModule &unit,
                                          loops::Program &program,
                                          loops::Statement statement,
                                          int64_t &bytes);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPFACTORS_H

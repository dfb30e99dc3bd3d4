//===- Algorithm.h - the code that the record has for a node ----*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_GRAPH_ALGORITHM_H
#define GLOW_BACKENDS_CPU_GRAPH_ALGORITHM_H

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

namespace glow::cpu {

/// The algorithm by which this backend runs a node by code of its own, as the
/// first CodeFor record that holds says; "" where none does.
llvm::StringRef algorithmOf(mlir::Operation *node);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_ALGORITHM_H

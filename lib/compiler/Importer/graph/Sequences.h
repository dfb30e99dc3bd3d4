//===- Sequences.h - sequences of known tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_SEQUENCES_H
#define GLOW_LIB_IMPORTER_GRAPH_SEQUENCES_H

#include "mlir/IR/Value.h"

namespace glow {

/// Whether a value of the import is a sequence. Its elements are the operands
/// of the cast that makes it.
bool isSequence(mlir::Value value);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_SEQUENCES_H

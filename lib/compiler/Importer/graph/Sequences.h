//===- Sequences.h - sequences of known tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_SEQUENCES_H
#define GLOW_LIB_IMPORTER_GRAPH_SEQUENCES_H

#include "glow/Importer/ImportContext.h"

namespace glow {

/// Whether a value of the import is a sequence. Its elements are the operands
/// of the cast that makes it.
bool isSequence(mlir::Value value);

/// The elements of a sequence.
llvm::SmallVector<mlir::Value> elementsIn(mlir::Value sequence);

/// The most tensors that an operator makes elements of a sequence.
constexpr int64_t mostElements = 4096;

/// Sets an output to a sequence of elements of one kind, by default that of the
/// first.
mlir::LogicalResult setSequence(ImportContext &context,
                                mlir::ValueRange elements, mlir::Type kind = {},
                                unsigned output = 0);

/// The kind of a sequence's elements; null if nothing gives it.
mlir::Type kindOfSequence(mlir::Value sequence);

/// Makes a sequence for the body of a loop that carries one. It has no elements
/// yet, and gets those that a trip appends, of this kind. All operators but
/// `SequenceInsert` at the end leave it to the host.
mlir::Value startAppending(ImportContext &context, mlir::Type kind);
/// Whether a value is such a sequence, with what was appended.
bool isAppended(mlir::Value value);
/// Whether a value is `start`, with elements that were appended to it.
bool isAppendedTo(mlir::Value value, mlir::Value start);

/// The sequence with further elements at its end.
mlir::FailureOr<mlir::Value> appendAll(ImportContext &context,
                                       mlir::Value sequence,
                                       mlir::ValueRange elements);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_SEQUENCES_H

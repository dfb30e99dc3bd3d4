//===- ImportedLoop.h - a loop during its import ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_IMPORTEDLOOP_H
#define GLOW_LIB_IMPORTER_GRAPH_IMPORTEDLOOP_H

#include "Sequences.h"

namespace glow {

/// The parts of a loop during its import.
struct ImportedLoop {
  /// A sequence among the carried values, to which each trip appends.
  struct Sequence {
    size_t place; ///< among the carried values
    mlir::Value initial;
    mlir::Value start = {};      ///< that a trip begins with
    size_t first = 0, count = 0; ///< stacked tensors with its new elements
  };

  mlir::Value trips, condition;                   ///< null if there is none
  llvm::SmallVector<mlir::Value> initial, sliced; ///< tensors
  llvm::SmallVector<Sequence, 1> sequences;
  std::optional<Size> count; ///< the greatest number of trips
  bool isChecked = false;    ///< whether more trips than `count` are an error
  llvm::SmallVector<int64_t> backwards;
  size_t stacked = 0;
  bool givesGoing = false;
  ImportContext::Function body = {};

  /// Whether fewer than `count` trips may be done.
  bool mayEndEarly() const { return trips || condition || givesGoing; }
  /// The number of carried values, tensors and sequences.
  size_t carried() const { return initial.size() + sequences.size(); }
  /// The sequence at a place; null for a tensor.
  Sequence *sequenceAt(size_t place) {
    auto *found = llvm::find_if(
        sequences, [&](const Sequence &one) { return one.place == place; });
    return found == sequences.end() ? nullptr : found;
  }
};

/// Divides the carried values into tensors and sequences.
void addCarried(ImportedLoop &parts, llvm::ArrayRef<mlir::Value> carried);

/// The values that a trip begins with: for each sequence one without elements.
llvm::SmallVector<mlir::Value> carriedIn(ImportContext &context,
                                         ImportedLoop &parts,
                                         mlir::ValueRange tensors);

/// Moves the elements that a trip appends to sequences behind the results of
/// the body, to be stacked.
mlir::LogicalResult stackElements(ImportContext &context, ImportedLoop &parts,
                                  llvm::SmallVectorImpl<mlir::Value> &results);

/// Sets an output to a sequence to which all trips of a loop have appended.
/// `stacked` are all tensors that the loop stacks.
mlir::LogicalResult setAppended(ImportContext &context,
                                const ImportedLoop::Sequence &sequence,
                                mlir::ValueRange stacked, int64_t trips);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_IMPORTEDLOOP_H

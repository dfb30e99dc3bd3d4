//===- BodyLoops.h - a loop as statements of index notation ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SCANS_BODYLOOPS_H
#define GLOW_LIB_SCANS_BODYLOOPS_H

#include "BodyNodes.h"

namespace glow {

/// A loop as the text of a program. Its tensors are the results of the loop but
/// the number of trips, memory, and `inputs`.
struct ComposedLoop {
  std::string text;
  llvm::SmallVector<mlir::Value> inputs; ///< of the loop's own function
  /// Constants that the loop's function reads, which are inputs behind them.
  llvm::SmallVector<ReadOp> constants;
};

/// The statements of a loop with a fixed number of trips. Nothing if they have
/// too many indices.
std::optional<ComposedLoop> compose(LoopOp loop, CalledBody &body,
                                    const BodyNodes &nodes);

} // namespace glow

#endif // GLOW_LIB_SCANS_BODYLOOPS_H

//===- BodyLoops.h - a loop as statements of index notation ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SCANS_BODYLOOPS_H
#define GLOW_LIB_SCANS_BODYLOOPS_H

#include "BodyNodes.h"

namespace glow {

/// A loop as the text of a program. The tensors are the results of the loop
/// without the number of trips, memory, the inputs and the constants.
struct ComposedLoop {
  std::string text;
  llvm::SmallVector<mlir::Value> inputs; ///< operands of the loop
  /// Reads of constants in the function of the loop.
  llvm::SmallVector<ReadOp> constants;
};

/// The statements of a loop with a fixed number of trips. Nothing if they have
/// too many indices.
std::optional<ComposedLoop> compose(LoopOp loop, CalledBody &body,
                                    const BodyNodes &nodes);

} // namespace glow

#endif // GLOW_LIB_SCANS_BODYLOOPS_H

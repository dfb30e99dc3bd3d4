//===- TurnGroups.h - transposed convolutions in groups ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_GRAPH_TURNGROUPS_H
#define GLOW_BACKENDS_CPU_GRAPH_TURNGROUPS_H

#include "mlir/IR/PatternMatch.h"

namespace glow::cpu {

/// Adds the pattern that makes convolutions of transposed ones in groups, on
/// images in blocks of channels.
void addTurnedGroups(mlir::RewritePatternSet &patterns);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_TURNGROUPS_H

//===- Halves.h - nodes on numbers of 16 bits, in f32 -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_LOWERING_HALVES_H
#define GLOW_LIB_LOWERING_HALVES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace glow {

/// Whether an operand of the node is of f16 or bf16.
bool takesHalves(mlir::Operation *node);

/// Replaces a node on f16 or bf16 by the same node on f32, between casts.
/// Returns the new node; null, with nothing changed, where the record of the
/// node has no such form.
mlir::Operation *widenNode(mlir::OpBuilder &builder, mlir::Operation *node);

} // namespace glow

#endif // GLOW_LIB_LOWERING_HALVES_H

//===- WeightRoot.h - the constant behind moved weights ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_WEIGHTROOT_H
#define GLOW_LIB_QUANTIZATION_NODES_WEIGHTROOT_H

#include "KnownValues.h"
#include "mlir/IR/Builders.h"

namespace glow {

/// The constant of which nodes make weights by moving elements. Integers in its
/// place keep the name and the order that the model gives them.
struct WeightRoot {
  mlir::Value value;
  int64_t axis; ///< axis of the channels in `value`; -1: there is none
  llvm::SmallVector<mlir::Operation *> movers; ///< the first is next to `value`

  /// The same nodes on another constant of the same shape.
  mlir::Value moved(mlir::OpBuilder &builder, mlir::Value other) const;
};

/// The root of constant weights with channels on an axis, or -1. With
/// `mayJoin`, a channel of the root may be several of the weights, as those of
/// both directions of a recurrent layer.
WeightRoot rootOf(mlir::Value weights, int64_t axis, const KnownValues &known,
                  bool mayJoin = false);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_WEIGHTROOT_H

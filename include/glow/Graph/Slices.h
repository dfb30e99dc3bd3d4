//===- Slices.h - slices of nodes' results ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A slice of a node's result often equals the node on slices of its operands.
// This header has the parts of that equation: slices of operands and their
// cost.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_SLICES_H
#define GLOW_GRAPH_SLICES_H

#include "glow/Graph/Build.h"

namespace glow {

class MatMul;
class Slice;

/// The attributes of a Slice.
struct SlicePart {
  Ints starts, steps, sizes;

  static SlicePart of(Slice slice);
  /// The slice with this part along the axes from `first` up to `last`,
  /// exclusive, and all of `shape` along the others.
  SlicePart along(int64_t first, int64_t last, const Ints &shape) const;
  bool isAll(const Ints &shape) const;
};

/// The slice of a tensor of shape `before` that becomes `part` after a reshape
/// to shape `after`. The reshape changes rows and keeps columns, the last axis.
/// Nothing if no slice has these rows.
std::optional<SlicePart> beforeReshape(const SlicePart &part,
                                       const Ints &before, const Ints &after);

/// A slice of `tensor`, which has the rank of `part`. A Splat or a Broadcast
/// becomes one of the smaller sizes.
mlir::Value slicedBy(mlir::OpBuilder &builder, mlir::Location location,
                     mlir::Value tensor, const SlicePart &part);

/// The number of elements that slicedBy copies when the model runs.
int64_t elementsCopied(mlir::Value tensor, const SlicePart &part);

/// Whether a slice of the product is cheaper as a product of slices: of columns
/// of a constant matrix, or of at most half of the rows.
bool isCheaperSliced(MatMul product, const SlicePart &part);

} // namespace glow

#endif // GLOW_GRAPH_SLICES_H

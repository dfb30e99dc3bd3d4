//===- Slices.h - slices of what nodes make ---------------------*- C++ -*-===//
//
// A slice of a node's result is often the node on slices of its operands. Here
// are the parts of that equation: slices of operands, and what these cost.
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
  /// The same elements along the axes from `first` on, before `last`, and all
  /// of `shape` along the others.
  SlicePart along(int64_t first, int64_t last, const Ints &shape) const;
  bool isAll(const Ints &shape) const;
};

/// The slice of a tensor of shape `before` that becomes `part` of a tensor of
/// shape `after` when rows are reshaped and columns, the last axis, stay.
/// Returns nothing if no slice has these rows.
std::optional<SlicePart> beforeReshape(const SlicePart &part,
                                       const Ints &before, const Ints &after);

/// A slice of `tensor`, of the rank of `part`: a Splat or a Broadcast stays
/// one, of the smaller sizes.
mlir::Value slicedBy(mlir::OpBuilder &builder, mlir::Location location,
                     mlir::Value tensor, const SlicePart &part);

/// The number of elements that slicedBy copies when a model runs.
int64_t elementsCopied(mlir::Value tensor, const SlicePart &part);

/// Whether a slice of the product is cheaper as a product of slices: of columns
/// of a constant matrix, or of at most half of the rows.
bool isCheaperSliced(MatMul product, const SlicePart &part);

} // namespace glow

#endif // GLOW_GRAPH_SLICES_H

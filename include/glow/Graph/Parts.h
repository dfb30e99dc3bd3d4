//===- Parts.h - helpers for patterns on slices -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Conditions and values of defs/patterns/Patterns.td over any number of
// tensors. Attribute arguments are those of the nodes that a pattern has
// matched.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_PARTS_H
#define GLOW_GRAPH_PARTS_H

#include "glow/Graph/Build.h"

namespace glow {

/// Whether the tensors are all results of one Split along `axis`, in order.
bool areAllParts(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// Whether the tensors have these sizes along `axis`.
bool cutsBetween(mlir::ValueRange parts, mlir::IntegerAttr axis,
                 mlir::Attribute sizes);

/// Whether the tensors are two or more Slices of one tensor that differ along
/// `axis` only, in equal steps. Each must begin after the last element of the
/// one before.
bool areNeighbours(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// The tensor that the parts are cut from.
mlir::Value sourceOf(mlir::ValueRange parts);

/// The attributes of the single Slice that covers neighbouring Slices.
mlir::Attribute startsOf(mlir::ValueRange parts);
mlir::Attribute stepsOf(mlir::ValueRange parts);
mlir::Attribute sizesOf(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// Whether one of the tensors is the result of a Concat along `axis` that has
/// no other use.
bool hasInnerConcat(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// The Concat of all parts, in which the result of such an inner Concat is
/// replaced by the parts of that Concat.
mlir::Value flattenedConcat(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::ValueRange parts, mlir::IntegerAttr axis);

/// Whether `slice` is a non-empty Slice of a Concat, with all elements from one
/// part.
bool liesInPart(mlir::Value slice);

/// The same elements as a Slice of that part.
mlir::Value sliceOfPart(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::Value slice);

/// Whether `conv` is a Conv with a constant filter in which some outermost taps
/// along an axis read only padding, for every pixel of the result.
bool hasDeadTaps(mlir::Value conv);

/// The same Conv without the dead taps.
mlir::Value withoutDeadTaps(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value conv);

/// Whether `slice` is a Slice of a MatMul without other uses, and is cheaper as
/// a product of slices.
bool takesPartOfProduct(mlir::Value slice);

/// The same elements as that product.
mlir::Value productOfSlices(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value slice);

/// Whether the tensors are two or more products of one tensor with constant
/// matrices, and `axis` is the axis of the columns. Each may have a constant
/// bias of its columns. A product may have no other use.
bool areProductsOfOne(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// The same products as slices of one wide product.
mlir::Value joinedProducts(mlir::OpBuilder &builder, mlir::Location location,
                           mlir::ValueRange parts);

} // namespace glow

#endif // GLOW_GRAPH_PARTS_H

//===- Parts.h - what patterns ask of parts and wholes --------*- C++ -*-===//
//
// Conditions and values of defs/patterns/Patterns.td that are about any number
// of tensors. Attributes are those of the nodes that a pattern has matched.
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
                 mlir::DenseI64ArrayAttr sizes);

/// Whether the tensors are two or more Slices of one tensor that differ along
/// `axis` only, in equal steps, where each begins after the last element of the
/// one before.
bool areNeighbours(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// The tensor of which these are parts.
mlir::Value sourceOf(mlir::ValueRange parts);

/// Of the Slice that neighbours make together.
mlir::DenseI64ArrayAttr startsOf(mlir::ValueRange parts);
mlir::DenseI64ArrayAttr stepsOf(mlir::ValueRange parts);
mlir::DenseI64ArrayAttr sizesOf(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// Whether one of the tensors is made by a Concat along `axis` that nothing
/// else reads.
bool hasInnerConcat(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// The Concat of all parts, and of the parts of those that such a Concat makes.
mlir::Value flattenedConcat(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::ValueRange parts, mlir::IntegerAttr axis);

/// Whether `slice` is a Slice of a Concat that has elements, all of one part.
bool liesInPart(mlir::Value slice);

/// The same elements as a Slice of that part.
mlir::Value sliceOfPart(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::Value slice);

/// Whether `conv` is a Conv with a constant filter of which some outermost taps
/// along an axis read padding for every pixel of the result.
bool hasDeadTaps(mlir::Value conv);

/// The same Conv without these taps.
mlir::Value withoutDeadTaps(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value conv);

/// Whether `slice` is a Slice of a MatMul that nothing else reads and that is
/// cheaper as a product of slices.
bool takesPartOfProduct(mlir::Value slice);

/// The same elements as that product.
mlir::Value productOfSlices(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value slice);

/// Whether the tensors are two or more products of one tensor with constant
/// matrices, each with a constant bias of its columns or without, that nothing
/// else reads, and `axis` is that of the columns.
bool areProductsOfOne(mlir::ValueRange parts, mlir::IntegerAttr axis);

/// These side by side, as one product.
mlir::Value joinedProducts(mlir::OpBuilder &builder, mlir::Location location,
                           mlir::ValueRange parts);

} // namespace glow

#endif // GLOW_GRAPH_PARTS_H

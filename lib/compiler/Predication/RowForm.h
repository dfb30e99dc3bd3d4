//===- RowForm.h - nodes that compute rows one by one ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PREDICATION_ROWFORM_H
#define GLOW_LIB_PREDICATION_ROWFORM_H

#include "glow/Graph/Shape.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace glow {

/// The operands of a node whose row i, along axis 0, is all that row i of each
/// result depends on; the node reads others whole. Nothing if a result depends
/// on other rows, or on the number of rows.
std::optional<llvm::SmallBitVector> rowOperandsOf(mlir::Operation *node);

/// The node on fewer rows, `rows` of them, of these operands. Null if it cannot
/// have any number of rows.
mlir::Operation *onRows(mlir::OpBuilder &builder, mlir::Operation *node,
                        mlir::ValueRange operands, const Size &rows);

/// A type with another number of rows.
mlir::RankedTensorType withRows(mlir::Type type, const Size &rows);

} // namespace glow

#endif // GLOW_LIB_PREDICATION_ROWFORM_H

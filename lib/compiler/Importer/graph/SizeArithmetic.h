//===- SizeArithmetic.h - shapes that depend on a run -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_SIZEARITHMETIC_H
#define GLOW_LIB_IMPORTER_GRAPH_SIZEARITHMETIC_H

#include "CompileTimeValues.h"
#include "glow/Program/Size.h"

namespace glow {

/// Evaluates the shape arithmetic of exporters on lengths: integers that the
/// sizes of a run determine, such as the operand of a Reshape that a Shape, a
/// Gather and a Concat compute. Every value is visited once.
class SizeArithmetic {
public:
  explicit SizeArithmetic(CompileTimeValues &values) : values(values) {}

  /// The elements of a value, in row-major order; nothing if they are not
  /// integers that sizes determine, or too many to be a shape.
  std::optional<Sizes> elementsOf(mlir::Value value);

private:
  using Elements = std::optional<Sizes>;

  Elements compute(mlir::OpResult result);
  Elements numbersOf(mlir::OpResult result);
  Elements moved(mlir::OpResult result);
  Elements converted(mlir::OpResult result);
  std::optional<llvm::SmallVector<Sizes>> operandsOf(mlir::Operation *op);

  CompileTimeValues &values;
  llvm::DenseMap<mlir::Value, Elements> known;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_SIZEARITHMETIC_H

//===- NodeLayers.h - nodes that may read integers --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_NODELAYERS_H
#define GLOW_LIB_QUANTIZATION_NODES_NODELAYERS_H

#include "KnownValues.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Graph/QuantizedForm.h"
#include "glow/Quantization/Options.h"
#include "mlir/IR/Operation.h"

namespace glow {

/// An operand of a node that may be integers.
struct LayerOperand {
  unsigned number; ///< among all operands of the node
  mlir::Value value;
  int64_t axis; ///< of its channels, from the first one; -1: none

  /// The node that reads `value`, and the number of its operand: a node of the
  /// same operator of the file that moves the elements. Null: the layer's node.
  mlir::Operation *reader = nullptr;
  unsigned place = 0;
};

/// A node whose record permits integers, with a varying operand, or with
/// weights only: such a node computes in floats.
struct NodeLayer {
  mlir::Operation *node;
  llvm::SmallVector<LayerOperand> activations; ///< varying operands
  llvm::SmallVector<LayerOperand> others; ///< constants that are no weights
  std::optional<LayerOperand> weights, bias;

  /// The value of the layer: the result of the node or, where the only reader
  /// of a product adds a constant, the sum. A sum with a bias in integers would
  /// round the product before it.
  mlir::Value result;
  int64_t resultAxis = 1; ///< axis of the result's channels
  Wish wish = Wish::None; ///< of the user

  /// Whether the node reads integers, and not just weights.
  bool isWhole() const { return !activations.empty(); }

  /// Reads the values of all operands again, after other nodes have changed.
  void refresh();

  /// The operand that is read as integers.
  mlir::OpOperand &at(const LayerOperand &operand) const;

  /// The result as the file has it: behind nodes of the same operator that move
  /// its elements.
  mlir::Value shown(const KnownValues &known) const;

  /// Whether the addend is an input of the same operator of the file, as that
  /// of a Gemm is: then it is integers as a bias.
  bool hasOwnAddend() const;

  /// The node that adds a constant, which may be `node`, and the number of its
  /// operand. Empty if the layer has no addend.
  std::optional<std::pair<mlir::Operation *, unsigned>> addend() const;
};

/// The facts of a node. An operation that is no node stays in floats.
const QuantizedForm &formOf(mlir::Operation *op);

/// An axis counted from the first one; -1 if the value has no such axis.
int64_t wrapped(int64_t axis, mlir::Value value);

/// Whether a value is a tensor of f32.
bool isFloats(mlir::Value value);

/// The layers of a module, in order. A product that is part of a node with
/// integer weights only, as in a recurrent layer, is itself such a node: a
/// model of ONNX has one operator for both.
std::vector<NodeLayer> layersOf(mlir::ModuleOp module,
                                const KnownValues &known);

/// The only varying operand of floats; null if there are several or none.
mlir::Value onlyFloats(mlir::Operation *op, const KnownValues &known);

/// Whether the elements of the result are those of `onlyFloats`, or between
/// them.
bool keepsRange(mlir::Operation *op, const KnownValues &known);

/// Leaves layers without weights in floats that `besideFloats` finds. Returns
/// their number.
size_t keepBetween(mlir::ModuleOp module, std::vector<NodeLayer> &layers,
                   const KnownValues &known);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_NODELAYERS_H

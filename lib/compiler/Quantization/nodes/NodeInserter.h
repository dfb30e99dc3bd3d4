//===- NodeInserter.h - nodes that quantize ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_NODEINSERTER_H
#define GLOW_LIB_QUANTIZATION_NODES_NODEINSERTER_H

#include "NodeSource.h"
#include "glow/Quantization/Weights.h"
#include <array>

namespace glow {

/// Puts quantizing nodes around layers. A value is quantized once for all
/// readers with the same number of bits, and equal constants are made once.
class NodeInserter {
public:
  explicit NodeInserter(NodeSource &source)
      : source(source), known(source.known), options(source.request.options) {}

  /// The integers of a value. Values with the same elements have one scale,
  /// which follows from the first of them. The first call for a value comes
  /// before the graph changes.
  Parameters choose(mlir::Value value, unsigned bits);

  /// Lets a layer read numbers of a kind. Updates the node of the layer and its
  /// result.
  void quantize(NodeLayer &layer, LayerKind kind);

  /// The name of the constant behind weights in blocks.
  std::string blocksName(const NodeLayer &layer) const;

  /// Lets a node between a value and its integer readers move integers.
  void move(mlir::Operation *node, unsigned bits);

private:
  mlir::Value activation(mlir::Value value, unsigned bits);
  mlir::Value half(mlir::Value value, InsertionPlace &place);
  mlir::Value constantHalf(mlir::Value value, InsertionPlace &place);
  void addHalves(NodeLayer &layer);
  void addBlocks(NodeLayer &layer);
  Integers blocksOf(const std::string &name, mlir::Value matrix);
  void replace(NodeLayer &layer, mlir::Operation *made, mlir::Value result);
  mlir::Value weights(const NodeLayer &layer, unsigned bits,
                      std::vector<Parameters> &made);
  mlir::Value other(const NodeLayer &layer, const LayerOperand &operand,
                    unsigned bits);
  mlir::Value biasOf(const NodeLayer &layer);
  mlir::Value bias(const NodeLayer &layer, mlir::Value value, unsigned bits,
                   std::span<const Parameters> weights);
  void quantizeBias(NodeLayer &layer, unsigned bits,
                    std::span<const Parameters> weights);
  void correct(NodeLayer &layer, unsigned bits);
  float inputScale(const NodeLayer &layer, unsigned bits);
  std::vector<float> addends(const NodeLayer &layer);
  mlir::Value dequantized(InsertionPlace &place, mlir::Value real,
                          const Integers &integers, int64_t axis);
  std::pair<mlir::Value, mlir::Value>
  scaleAndZero(InsertionPlace &place, std::span<const Parameters> parameters,
               bool isScalar);

  NodeSource &source;
  KnownValues &known;
  const QuantizeOptions &options;
  std::map<std::pair<std::string, unsigned>, mlir::Value> activations;
  std::map<std::string, mlir::Value> made; ///< constants by their contents
  std::map<std::string, std::array<mlir::Value, 3>> blocksMade;
  llvm::DenseMap<mlir::Value, mlir::Value> halves;
};

/// A text that equal constants of one function have in common.
std::string keyOf(mlir::Operation *function, const Ints &shape,
                  const Integers &integers, int64_t axis);

/// Whether the weights of a layer have a scale for each block.
bool hasBlocks(const NodeLayer &layer, const QuantizeOptions &options);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_NODEINSERTER_H

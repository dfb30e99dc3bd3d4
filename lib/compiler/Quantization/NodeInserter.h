//===- NodeInserter.h - nodes that quantize ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODEINSERTER_H
#define GLOW_LIB_QUANTIZATION_NODEINSERTER_H

#include "NodeLayers.h"
#include "ValueNames.h"
#include "glow/Quantization/Profile.h"
#include "glow/Quantization/Weights.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace glow {

/// Puts quantizing nodes around layers. A value is quantized once for all
/// readers.
class NodeInserter {
public:
  NodeInserter(KnownValues &known, const ValueNames &names,
               const std::map<std::string, ValueProfile> &values,
               const QuantizeOptions &options)
      : known(known), names(names), values(values), options(options) {}

  /// The profile of a value; null if there is none.
  const ValueProfile *profileOf(mlir::Value value) const;

  /// Chooses the integers of a value, for all activations before the graph
  /// changes. Values with the same elements have one scale, which follows from
  /// the first of them.
  void choose(mlir::Value value);

  /// Lets a layer read integers.
  void quantize(const NodeLayer &layer);

  /// Lets a node between a value and its integer readers move integers.
  void move(mlir::Operation *node);

private:
  /// Where the next nodes are made, and the value for which they are.
  struct InsertionPlace {
    mlir::OpBuilder builder;
    mlir::Location location;
    std::string name;

    /// The location of a node, with the name of the value and a suffix.
    mlir::Location named(llvm::StringRef suffix);
  };
  InsertionPlace before(mlir::Operation *node, mlir::Value value) const;

  mlir::Value activation(mlir::Value value);
  mlir::Value weights(const NodeLayer &layer, std::vector<Parameters> &made);
  mlir::Value other(const NodeLayer &layer, const LayerOperand &operand);
  mlir::Value bias(const NodeLayer &layer, std::span<const Parameters> weights);
  float inputScale(const NodeLayer &layer) const;
  mlir::Value dequantized(InsertionPlace &place, mlir::Value real,
                          const Integers &integers, int64_t axis);
  mlir::Value constant(InsertionPlace &place, llvm::StringRef suffix,
                       ElementKind kind, mlir::ArrayRef<int64_t> shape,
                       std::string bytes);
  std::pair<mlir::Value, mlir::Value>
  scaleAndZero(InsertionPlace &place, std::span<const Parameters> parameters,
               bool isScalar);

  KnownValues &known;
  const ValueNames &names;
  const std::map<std::string, ValueProfile> &values;
  const QuantizeOptions &options;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Value, Parameters> parameters;
  llvm::DenseMap<mlir::Value, mlir::Value> activations;
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODEINSERTER_H

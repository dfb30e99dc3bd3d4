//===- Insert.h - nodes that quantize, in a model ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_INSERT_INSERT_H
#define GLOW_LIB_QUANTIZER_INSERT_INSERT_H

#include "glow/Quantization/Weights.h"
#include "glow/Quantizer/Quantize.h"
#include "model/Layers.h"

namespace glow {

/// The common data of all quantized versions of a model.
struct Source {
  ModelEdit model;
  std::vector<Layer> layers;
  std::map<std::string, Tensor> constants; ///< of layers
  std::map<std::string, ValueProfile> values;
  QuantizeOptions options;
  std::map<std::string, Integers> fitted; ///< weights in blocks, by name

  /// Cached results of `parametersOf`, since a calibration takes time.
  mutable std::map<std::pair<std::string, unsigned>, Parameters> parameters;
};

/// By layer, whether it may be bf16: it has weights, and the model has, or may
/// be raised to, an opset with its operator on bf16.
std::vector<bool> mayBeBF16(const Source &source);

/// Whether the weights of a layer have a scale for each block.
bool hasBlocks(const Source &source, const Layer &layer);

/// The columns of a matrix one after the other, each padded with zeros to whole
/// blocks.
std::vector<float> columnsOf(const Tensor &matrix, size_t block);

/// The parameters of a value that is read with `bits` bits.
Parameters parametersOf(const Source &source, const std::string &value,
                        unsigned bits);

/// The model with quantizing nodes around its layers. Existing names stay; new
/// names are derived from them.
ModelEdit quantized(const Source &source, const LayerKinds &kinds);

/// Adds a copy of each layer in the form of `quantized`, which reads the
/// floating-point values. The model has a new output for each copy, named in
/// `results`.
ModelEdit shadowed(const Source &source, const LayerKinds &kinds,
                   std::vector<std::string> &results);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_INSERT_INSERT_H

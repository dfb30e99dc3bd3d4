//===- Insert.h - nodes that quantize, in a model ---------------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_INSERT_H
#define GLOW_LIB_QUANTIZATION_INSERT_H

#include "Layers.h"
#include "Weights.h"

namespace glow {

/// What all versions of a model that is quantized share.
struct Source {
  ModelEdit model;
  std::vector<Layer> layers;
  std::map<std::string, Tensor> constants; ///< of layers
  std::map<std::string, ValueProfile> values;
  QuantizeOptions options;
  std::map<std::string, Integers> fitted; ///< weights in blocks, by name

  /// What `parametersOf` found; a calibration takes time.
  mutable std::map<std::pair<std::string, unsigned>, Parameters> parameters;
};

/// The numbers that each layer reads. Where activations stay floats, those of
/// its weights alone count.
using LayerKinds = std::vector<LayerKind>;

constexpr LayerKind floats, bf16{16, true};

/// Of each layer, whether it may be bf16: it has weights, and there is an opset
/// with its operator on bf16 that the model has or may be raised to.
std::vector<bool> mayBeBF16(const Source &source);

/// Whether the weights of a layer have a scale for each block.
bool hasBlocks(const Source &source, const Layer &layer);

/// The columns of a matrix one after the other, each filled up with zeros to
/// whole blocks.
std::vector<float> columnsOf(const Tensor &matrix, size_t block);

/// The parameters of a value that is read with so many bits.
Parameters parametersOf(const Source &source, const std::string &value,
                        unsigned bits);

/// The model with nodes around its layers. Everything has the name it had;
/// what is new has names of its own, made of those.
ModelEdit quantized(const Source &source, const LayerKinds &kinds);

/// For each layer, a copy of it as `quantized` has it that reads what floats
/// give: the model has a new output for each, whose name is in the list.
ModelEdit shadowed(const Source &source, const LayerKinds &kinds,
                   std::vector<std::string> &results);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_INSERT_H

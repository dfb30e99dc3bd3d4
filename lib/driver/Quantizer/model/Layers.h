//===- Layers.h - the nodes that may be integers ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MODEL_LAYERS_H
#define GLOW_LIB_QUANTIZER_MODEL_LAYERS_H

#include "ModelEdit.h"

namespace glow {

/// An input of a node that may be integers.
struct Operand {
  int input; ///< its place
  std::string value;
  int64_t axis; ///< of its channels; from the last if negative
};

/// A node whose import record permits integers, with a varying operand, or with
/// weights only: such a node computes in floats.
struct Layer {
  int node; ///< its place in the graph
  std::string name, op;
  std::vector<Operand> activations; ///< that depend on inputs of the model
  std::vector<Operand> others;      ///< constants that are no weights, or more
                                    ///< weights of a node without activations
  std::optional<Operand> weights, bias;
  std::string result;
  int64_t resultAxis = 1; ///< axis of the result's channels
  bool isAsked = false;   ///< the user wants integers of this one
};

/// The layers of a model, in the order of the graph.
std::vector<Layer> layersOf(const ModelEdit &model);

/// The axis of channels, by value, for the inputs and results of layers with
/// weights.
std::map<std::string, int64_t> channelAxes(const std::vector<Layer> &layers);

/// The axis counted from the first one; -1 if there is none.
int64_t wrapped(int64_t axis, size_t rank);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_LAYERS_H

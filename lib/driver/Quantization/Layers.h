//===- Layers.h - the nodes that may be integers ----------------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_LAYERS_H
#define GLOW_LIB_QUANTIZATION_LAYERS_H

#include "ModelEdit.h"

namespace glow {

/// An input of a node that may be integers.
struct Operand {
  int input; ///< its place
  std::string value;
  int64_t axis; ///< of its channels; from the last if negative
};

/// A node whose import record names integers, with an operand that varies, or
/// with weights alone: such a node computes in floats.
struct Layer {
  int node; ///< its place in the graph
  std::string name, op;
  std::vector<Operand> activations; ///< that depend on inputs of the model
  std::vector<Operand> others;      ///< constants that are no weights, or more
                                    ///< weights of a node without activations
  std::optional<Operand> weights, bias;
  std::string result;
  int64_t resultAxis = 1; ///< of the channels of the result
  bool isAsked = false;   ///< the user wants integers of this one
};

/// In the order of the graph.
std::vector<Layer> layersOf(const ModelEdit &model);

/// The axis of the channels of each value that weights are applied to, or make.
std::map<std::string, int64_t> channelAxes(const std::vector<Layer> &layers);

/// An axis counted from the first; -1 if there is none.
int64_t wrapped(int64_t axis, size_t rank);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_LAYERS_H

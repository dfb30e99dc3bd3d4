//===- GraphQuantization.h - a request to quantize nodes --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The pass quantize-graph as a tool calls it: the tool states the version of
// the module, and the pass reports the layers. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_QUANTIZATION_GRAPHQUANTIZATION_H
#define GLOW_QUANTIZATION_GRAPHQUANTIZATION_H

#include "glow/Program/Tensor.h"
#include "glow/Quantization/FitBlocks.h"
#include "glow/Quantization/LayerKind.h"
#include <optional>

namespace glow {

/// A node that may be integers, by the names of its values in a profile.
struct GraphLayer {
  std::string name, op; ///< `op` is the mnemonic of the node
  std::vector<std::string> activations;
  std::string result;
  bool mayBeBF16 = false;
  std::string blocks; ///< the name of weights that are in blocks; "" for others
  size_t inner = 0;   ///< weights of a column of these
  double work = 0;    ///< products, or elements, of a run
  double clipped = 0; ///< share of its inputs that are out of range
  std::vector<int64_t> outliers; ///< channels that need most of the range
};

/// Adds `clipped` and `outliers` of an activation, from its profile.
void addStatistics(GraphLayer &layer, const ValueProfile &value,
                   const QuantizeOptions &options);

/// Whether all elements are 0, and a remark on that.
bool isZero(const ValueProfile &value);
std::string zeroRemark(const std::string &name, const ValueProfile &value);

/// A node of the module, for a drawing.
struct GraphNode {
  std::string name;
  int layer = -1; ///< index of its layer; -1: the node is none
  std::vector<std::pair<int, std::string>> operands; ///< their nodes and names
};

/// A request to the pass, and its results. A request may be repeated for
/// another version of the same module: calibrated ranges and fitted weights are
/// kept.
struct GraphQuantization {
  enum Version {
    Quantized, ///< layers read numbers of `kinds`
    Beside,    ///< a copy of each layer does, and its result is an output
    Plain      ///< none does
  };

  QuantizeOptions options;
  std::map<std::string, ValueProfile> values; ///< a profile, by name
  Version version = Quantized;
  std::optional<LayerKinds> kinds; ///< nothing: all layers as `options` state
  std::vector<std::string> shown;  ///< values that become outputs
  bool showsAll = false;           ///< all values of floats become outputs

  /// By the name of weights in blocks: the moments to which they are fitted.
  std::map<std::string, Moments> moments;
  unsigned threads = 1; ///< for fitting

  /// The types of values of a model of ONNX that the host computes, by name;
  /// and the names of such values whose types the import missed.
  std::map<std::string, TensorType> given;
  std::vector<std::string> missing;

  // Results.
  std::vector<GraphLayer> layers;
  std::vector<GraphNode> nodes;
  std::vector<std::string> remarks;
  std::vector<std::string> copies;     ///< outputs of Beside, by layer
  std::map<std::string, int64_t> axes; ///< of channels, by value
  std::map<std::string, Integers> fitted;
  std::map<std::pair<std::string, unsigned>, Parameters> parameters;
};

} // namespace glow

#endif // GLOW_QUANTIZATION_GRAPHQUANTIZATION_H

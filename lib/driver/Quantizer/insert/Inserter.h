//===- Inserter.h - writes the nodes of a quantized model -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_INSERT_INSERTER_H
#define GLOW_LIB_QUANTIZER_INSERT_INSERTER_H

#include "Insert.h"

namespace glow {

/// Writes the nodes of a quantized model, one after the other.
class Inserter {
public:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

  /// `base` is a copy of the model with its nodes in the same order.
  Inserter(const Source &source, ModelEdit base)
      : source(source), made(std::move(base)) {
    given.Swap(made.graph().mutable_node());
  }

  /// The nodes of the model. The inserter does not write them.
  const Nodes &nodes() const { return given; }

  /// Adds the layer, reading numbers of this kind; `addNode` adds a node
  /// unchanged.
  void addLayer(const Layer &layer, LayerKind kind, onnx::NodeProto node);
  void addNode(const onnx::NodeProto &node) { *made.graph().add_node() = node; }

  /// Adds a node between a value and its integer readers, which moves integers.
  void addMover(onnx::NodeProto node, unsigned bits);

  ModelEdit finish();
  std::string freshName(const std::string &hint) {
    return made.freshName(hint);
  }

private:
  /// The names of a blocked product's inputs.
  struct Blocks {
    std::string codes, scales, zeros; ///< no zeros: all are in the middle
  };
  void addIntegers(const std::string &weights, const Ints &shape,
                   Blocks &blocks);
  void addBlocks(const Layer &layer, const onnx::NodeProto &node);
  void addIntegerLayer(const Layer &layer, unsigned bits, onnx::NodeProto node);
  void addHalves(const Layer &layer, onnx::NodeProto node);
  std::string half(const Operand &operand);
  void addCast(const std::string &from, const std::string &to, int32_t kind);
  std::string activation(const std::string &value, unsigned bits);
  std::string weights(const Layer &layer, const Operand &operand, unsigned bits,
                      std::vector<Parameters> &parameters);
  std::string constant(const Operand &operand, unsigned bits);
  std::string bias(const Layer &layer, unsigned bits,
                   std::span<const Parameters> weights);
  float inputScale(const Layer &layer, unsigned bits) const;
  std::string addInteger(const std::string &name, const Ints &shape,
                         const Integers &integers, int64_t axis, bool hasZeros);
  void addLinear(const char *op, const std::string &from,
                 const std::string &scale, const std::string &zero,
                 const std::string &to, int64_t axis);
  void addScalar(const std::string &name, const Parameters &parameters,
                 std::string &scale, std::string &zero);
  std::vector<float> corrected(const Layer &layer, std::vector<float> bias);

  const Source &source;
  ModelEdit made;
  Nodes given;
  std::map<std::string, std::string> halves; ///< values as bf16
  std::map<std::pair<std::string, unsigned>, std::string> activations;
  std::map<std::string, std::string> known; ///< constants by their contents
  std::map<std::string, Blocks> blocksOf;   ///< by the names of weights
  std::vector<onnx::NodeProto *> linear;    ///< that the end gives a domain
  unsigned opset = 10;                      ///< that those need
  bool needsDomain = false; ///< whether some node is no operator of ONNX
  std::map<const Layer *, std::vector<float>> rounded; ///< weights
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_INSERT_INSERTER_H

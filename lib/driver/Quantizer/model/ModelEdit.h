//===- ModelEdit.h - an ONNX model that is changed --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MODEL_MODELEDIT_H
#define GLOW_LIB_QUANTIZER_MODEL_MODELEDIT_H

#include "glow/Base/Hash.h"
#include "glow/Importer/NodeName.h"
#include "glow/Importer/QuantizedForm.h"
#include "model/ModelRun.h"
#include <map>
#include <onnx/onnx_pb.h>
#include <optional>
#include <set>

namespace glow {

/// The value of an integer attribute, or `missing` without one.
int64_t intAttribute(const onnx::NodeProto &node, std::string_view name,
                     int64_t missing);

/// Whether the first output is the only one in use.
bool hasOneResult(const onnx::NodeProto &node);

/// A model in one message, weights included. Nodes are those of the outer
/// graph.
class ModelEdit {
public:
  /// Reads a model. Fails as a session that opens the model does. Also fails,
  /// naming the file, if it is no ONNX model or is larger than a protobuf
  /// message may be.
  static Result<ModelEdit> read(const std::string &path,
                                const QuantizationRun &run);

  onnx::GraphProto &graph() { return *proto.mutable_graph(); }
  const onnx::GraphProto &graph() const { return proto.graph(); }

  int64_t opset(std::string_view domain) const; ///< 0: it imports none
  const QuantizedForm &form(const onnx::NodeProto &node) const;

  /// Values that depend on an input of the model.
  std::set<std::string> varying() const;

  /// The indices of the nodes that read a value, including reads in inner
  /// graphs; `isOutput` is true for an output of the model.
  std::vector<int> readersOf(const std::string &value) const;
  bool isOutput(const std::string &value) const;

  /// The index of the node that computes a value, or -1.
  int producerOf(const std::string &value) const;

  /// The weights of this name, or null.
  const onnx::TensorProto *initializer(const std::string &name) const;
  onnx::TensorProto *initializer(const std::string &name);

  /// Adds weights; `dims` and `bytes` have the form of TensorProto.
  void addInitializer(const std::string &name, int32_t dataType,
                      const Ints &dims, std::string bytes);
  void addFloats(const std::string &name, const Ints &dims,
                 std::span<const float> values);

  /// A name without a value or node, derived from `hint`.
  std::string freshName(const std::string &hint);

  /// Removes unread nodes that depend on no input, such as float weights that
  /// integers have replaced.
  void dropUnreadNodes();

  /// Removes unread weights. In old models, also removes the inputs that list
  /// them.
  void tidy();

  /// The bytes of the file. Fails if it has more than 2 GB.
  Result<std::string> bytes() const;

  std::string path;
  Hash hash; ///< hash of the file and of its external weights
  onnx::ModelProto proto;

private:
  /// Outputs, and the values that nodes and their inner graphs read.
  std::set<std::string> allRead() const;

  std::set<std::string> names;
};

/// One tensor of a file, including the numbers.
Result<Tensor> tensorOf(const onnx::TensorProto &proto);

/// The values that depend on no input, by name; values that are no tensors are
/// left out.
Result<std::map<std::string, Tensor>>
constantsOf(const ModelEdit &model, const std::set<std::string> &names,
            const QuantizationRun &run);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_MODELEDIT_H

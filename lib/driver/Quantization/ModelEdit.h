//===- ModelEdit.h - an ONNX model that is changed --------------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_MODELEDIT_H
#define GLOW_LIB_QUANTIZATION_MODELEDIT_H

#include "glow/Base/Hash.h"
#include "glow/Importer/NodeName.h"
#include "glow/Importer/QuantizedForm.h"
#include "glow/Quantization/Profile.h"
#include <map>
#include <onnx/onnx_pb.h>
#include <optional>
#include <set>

namespace glow {

class StepObserver;

/// The values of an attribute, or what it is without.
int64_t intAttribute(const onnx::NodeProto &node, std::string_view name,
                     int64_t missing);

/// Whether it gives the first of its outputs alone.
bool hasOneResult(const onnx::NodeProto &node);

/// A model with its weights in it. Nodes are those of the outer graph.
class ModelEdit {
public:
  /// Fails as a session does that opens the model, and, naming the file, if it
  /// is no ONNX model or is larger than a message of protobuf may be.
  static Result<ModelEdit> read(const std::string &path,
                                const QuantizationRun &run);

  onnx::GraphProto &graph() { return *proto.mutable_graph(); }
  const onnx::GraphProto &graph() const { return proto.graph(); }

  int64_t opset(std::string_view domain) const; ///< 0: it imports none
  const QuantizedForm &form(const onnx::NodeProto &node) const;

  /// Values that depend on an input of the model.
  std::set<std::string> varying() const;

  /// The places among the nodes of those that read a value, graphs in nodes
  /// included, and whether it is an output of the model.
  std::vector<int> readersOf(const std::string &value) const;
  bool isOutput(const std::string &value) const;

  /// The node that gives a value, or -1.
  int producerOf(const std::string &value) const;

  /// The weights of that name, or null.
  const onnx::TensorProto *initializer(const std::string &name) const;
  onnx::TensorProto *initializer(const std::string &name);

  /// Adds weights; `dims` and `bytes` as TensorProto has them.
  void addInitializer(const std::string &name, int32_t dataType,
                      const Ints &dims, std::string bytes);
  void addFloats(const std::string &name, const Ints &dims,
                 std::span<const float> values);

  /// A name that no value and no node has, made of one that may.
  std::string freshName(const std::string &hint);

  /// Takes away nodes that depend on no input and whose results nothing reads,
  /// such as weights in nodes of which integers were made.
  void dropUnreadNodes();

  /// Takes away weights that nothing reads, and of old models the listing of
  /// weights as inputs, which only they need.
  void tidy();

  std::string path;
  Hash hash; ///< of the file, and of the weights it has elsewhere
  onnx::ModelProto proto;

private:
  /// Values that a node reads, in graphs of nodes too, and outputs.
  std::set<std::string> allRead() const;

  std::set<std::string> names;
};

/// One tensor of a file with its numbers in place.
Result<Tensor> tensorOf(const onnx::TensorProto &proto);

/// A model in memory that is run.
class ModelRun {
public:
  static Result<std::unique_ptr<ModelRun>> of(const onnx::ModelProto &model,
                                              const QuantizationRun &run);
  ~ModelRun();

  /// Fails as compiling and running do.
  Status run(std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs);

  /// As Host::observe.
  void observe(std::shared_ptr<StepObserver> observer);

private:
  struct State;
  explicit ModelRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The model in memory, as a file that a path names for as long as this lives.
class FileInMemory {
public:
  explicit FileInMemory(std::string_view bytes);
  FileInMemory(const FileInMemory &) = delete;
  ~FileInMemory();
  std::string path() const;
  bool isWhole() const { return whole; }

private:
  int descriptor;
  bool whole;
};

/// The values of names that depend on no input, by name; those that are no
/// tensors are left out.
Result<std::map<std::string, Tensor>>
constantsOf(const ModelEdit &model, const std::set<std::string> &names,
            const QuantizationRun &run);

/// The elements as floats, if the kind is a float of up to 64 bits.
std::optional<std::vector<float>> floatsOf(const Tensor &tensor);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_MODELEDIT_H

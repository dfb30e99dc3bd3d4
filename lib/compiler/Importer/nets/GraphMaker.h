//===- GraphMaker.h - from operators of nets to nodes -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_NETS_GRAPHMAKER_H
#define GLOW_LIB_IMPORTER_NETS_GRAPHMAKER_H

#include "NetPorts.h"
#include "NetSteps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace glow {

/// Makes the nodes of a graph of the operators of nets. Blobs are found in the
/// innermost net that has them: a net inside of an operator reads those around
/// it.
class GraphMaker {
public:
  GraphMaker(ParsedModel &model, const NetPorts &ports)
      : model(model), ports(ports), main(*model.proto->mutable_graph()) {}

  Status run(caffe2::Net *init, caffe2::Net &predict);

private:
  /// The values that have the scale and the zero point of another value.
  struct Steps {
    std::string scale, zero;
  };

  void countWrites(const caffe2::Net &net);
  /// `place` follows the number of an operator in messages.
  Status addNodes(caffe2::Net &net, const std::string &place);
  Status addNode(caffe2::Operator &op, const std::string &place);
  onnx::NodeProto &newNode(const caffe2::Operator &op,
                           const std::string &place);
  void addAttribute(caffe2::Argument &argument, onnx::NodeProto &node);
  Status addResults(const caffe2::Net &predict);
  Status addInput(const std::string &blob, const std::string &place,
                  onnx::NodeProto &node);
  Status addInputs(const caffe2::Operator &op, const std::string &place,
                   onnx::NodeProto &node);
  void addOutputs(const caffe2::Operator &op, onnx::NodeProto &node);

  /// Adds the node of a net that runs once for each step of a sequence.
  Status addRecurrence(caffe2::Operator &op, const std::string &place);
  Status addStep(StepNet &step, const std::string &place,
                 onnx::GraphProto &body);

  Status read(const std::string &blob, const std::string &place);
  const std::string *find(llvm::StringRef blob) const;
  std::string written(const std::string &blob);
  std::string freeName(std::string name);

  ParsedModel &model;
  const NetPorts &ports;
  onnx::GraphProto &main;
  onnx::GraphProto *graph = &main;  ///< takes the nodes
  llvm::StringMap<unsigned> writes; ///< the writes of each blob, in both nets
  llvm::StringMap<unsigned> writesSoFar;

  /// The present values of blobs, by net from the outermost on.
  std::vector<llvm::StringMap<std::string>> scopes{1};
  llvm::StringSet<> inner;          ///< names of values in inner nets
  llvm::StringSet<> readers;        ///< values that a node reads
  llvm::StringMap<Steps> quantized; ///< values that are integers
  llvm::StringSet<> declared;       ///< external inputs
  llvm::StringSet<> inputs;         ///< blobs that nothing writes first
  bool inInit = false;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_NETS_GRAPHMAKER_H

//===- Model.h - an ONNX file, read -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// This file and Tensors.h contain all code that knows the file format. Later
// code sees protobuf messages without numbers in them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_FILE_MODEL_H
#define GLOW_LIB_IMPORTER_FILE_MODEL_H

#include "MappedFile.h"
#include "WireFormat.h"
#include "glow/Base/Status.h"
#include "glow/Importer/NodeName.h"
#include "onnx/onnx_pb.h"
#include <list>
#include <map>
#include <optional>
#include <unordered_map>

namespace glow {

/// The domain under its canonical name: the default domain is "ai.onnx".
std::string_view domainName(std::string_view domain);

/// The domain of Caffe2's operators, in nets and in files of ONNX.
inline constexpr const char *caffe2Domain = "org.pytorch._caffe2";

/// No release up to opset 28 has a newer version of the format: 13 came with
/// opset 25, and each release has one more at most.
constexpr int64_t newestIrVersion = 16;

/// The opsets that nodes are written for, by domain.
using Opsets = std::map<std::string, int64_t, std::less<>>;

/// Adds the opsets that a model or a function imports. If a domain is listed
/// twice, as exporters do, the newest counts. Adds all of them, and fails if
/// one is newer than the newest known opset.
Status
addOpsets(Opsets &opsets,
          const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>
              &imports);

/// The opsets of functions, and of nodes that were in a function.
struct FunctionOpsets {
  std::list<Opsets> functions;
  std::unordered_map<const onnx::NodeProto *, const Opsets *> nodes;
};

struct ParsedModel {
  /// Maps and parses the file, expands its functions and numbers its labels.
  /// Fails with a message that follows its name.
  static Result<ParsedModel> read(const std::string &path);

  /// The opset of the node's domain: that of the function it comes from, or the
  /// model's.
  std::optional<int64_t> opset(const onnx::NodeProto &node) const;

  /// Whether the files of the model are unchanged since they were read.
  bool isAsRead() const;

  /// The files of the model, and those of its external data.
  std::vector<std::string> files() const;

  /// The node in messages: its name in quotes, and its place in a net.
  std::string label(const onnx::NodeProto &node) const;

  std::shared_ptr<MappedFile> file;
  std::vector<std::shared_ptr<MappedFile>> others; ///< other files of nets
  std::vector<std::string> paths;                  ///< the files of the model
  std::vector<TensorChunks> tensors; ///< of TensorProtos with a `segment`
  std::vector<TensorBytes> elements; ///< of TensorProtos with a `segment.end`
  std::unique_ptr<onnx::ModelProto> proto;
  ExternalFiles external;
  FunctionOpsets functionOpsets;

  /// The place of a node in a net: "operator 3, 'Relu'".
  std::unordered_map<const onnx::NodeProto *, std::string> places;

private:
  explicit ParsedModel(const std::string &path) : paths{path}, external(path) {}
  Opsets opsets;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FILE_MODEL_H

//===- Model.h - an ONNX file, read ----------------------------*- C++ -*-===//
//
// With Tensors.h, all that is known of the file: what follows sees messages of
// protobuf without numbers in them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_MODEL_H
#define GLOW_LIB_IMPORTER_MODEL_H

#include "MappedFile.h"
#include "WireFormat.h"
#include "glow/Base/Status.h"
#include "onnx/onnx_pb.h"
#include <map>
#include <optional>

namespace glow {

/// The domain under its one name: the default domain is "ai.onnx".
std::string_view domainName(std::string_view domain);

/// A node's name; without one, that of its first output, in whose absence "?".
std::string nodeName(const onnx::NodeProto &node);

/// The file at `path`, and those in which it says weights are.
std::vector<std::string> filesOf(const std::string &path,
                                 const onnx::ModelProto &model);

struct Model {
  /// Maps and parses the file. Fails with a message that follows its name.
  static Result<Model> read(const std::string &path);

  /// The opset that the model imports of a domain.
  std::optional<int64_t> opset(std::string_view domain) const;

  std::shared_ptr<MappedFile> file;
  std::vector<TensorChunks> tensors; ///< of TensorProtos with a `segment`
  std::unique_ptr<onnx::ModelProto> proto;
  ExternalFiles external;

private:
  explicit Model(const std::string &path) : external(path) {}
  std::map<std::string, int64_t, std::less<>> opsets;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_MODEL_H

//===- WholeModel.cpp - an ONNX file that will be changed -----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Importer/WholeModel.h"
#include "MappedFile.h"
#include "onnx/onnx_pb.h"
#include <algorithm>
#include <limits>
#include <optional>

using namespace glow;

static std::optional<uint64_t> numberOf(const std::string &text) {
  if (text.empty() || text.size() > 18 ||
      text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(text);
}

/// Copies external data of a tensor into the message.
static Status takeIn(onnx::TensorProto &tensor, ExternalFiles &files) {
  std::string location;
  std::optional<uint64_t> offset = 0, length;
  for (const auto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      location = entry.value();
    if (entry.key() == "offset")
      offset = numberOf(entry.value());
    if (entry.key() == "length")
      length = numberOf(entry.value());
  }
  Result<std::shared_ptr<MappedFile>> file = files.open(location);
  if (!file)
    return file.status();
  const std::span<const char> bytes = (*file)->bytes();
  if (!offset || *offset > bytes.size() ||
      (length && *length > bytes.size() - *offset))
    return failure(Code::InvalidArgument, "tensor '", tensor.name(),
                   "' ends behind the end of '", location, "'");
  tensor.set_raw_data(bytes.data() + *offset,
                      length.value_or(bytes.size() - *offset));
  tensor.clear_external_data();
  tensor.clear_data_location();
  return Status();
}

/// The same for all tensors of a graph, and of graphs in it.
static Status takeIn(onnx::GraphProto &graph, ExternalFiles &files) {
  for (onnx::TensorProto &tensor : *graph.mutable_initializer())
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL)
      if (Status status = takeIn(tensor, files); !status.ok())
        return status;
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      Status status;
      if (attribute.has_t() &&
          attribute.t().data_location() == onnx::TensorProto::EXTERNAL)
        status = takeIn(*attribute.mutable_t(), files);
      if (attribute.has_g() && status.ok())
        status = takeIn(*attribute.mutable_g(), files);
      if (!status.ok())
        return status;
    }
  return Status();
}

Status glow::readWhole(const std::string &path, onnx::ModelProto &model) {
  Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
  if (!file)
    return file.status().prefixed(path + ": ");
  const std::span<const char> bytes = (*file)->bytes();
  if (bytes.size() > size_t(std::numeric_limits<int>::max()) ||
      !model.ParseFromArray(bytes.data(), int(bytes.size())) ||
      !model.has_graph())
    return failure(Code::InvalidArgument, path,
                   ": not an ONNX model of at most 2 GB; glow compile "
                   "--emit=onnx writes other models as one");
  ExternalFiles others(path);
  return takeIn(*model.mutable_graph(), others).prefixed(path + ": ");
}

int64_t glow::opsetOf(const onnx::ModelProto &model) {
  int64_t version = 0;
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx")
      version = std::max(version, int64_t(set.version()));
  return version;
}

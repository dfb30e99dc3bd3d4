//===- WeightFile.cpp - the weights of an ONNX file -----------------------===//
// SPDX-License-Identifier: MIT

#include "WeightFile.h"
#include "glow/Importer/WholeModel.h"
#include "glow/Program/Failure.h"
#include "glow/TensorFiles/OnnxTensor.h"
#include <algorithm>
#include <onnx/onnx_pb.h>

using namespace glow;

WeightFile::WeightFile(std::string path)
    : path(std::move(path)), model(std::make_unique<onnx::ModelProto>()) {}
WeightFile::WeightFile(WeightFile &&) = default;
WeightFile::~WeightFile() = default;

Result<WeightFile> WeightFile::open(const std::string &path) {
  WeightFile file(path);
  if (Status status = readWhole(path, *file.model); !status.ok())
    return status;
  return file;
}

/// The tensor of a Constant node; null for any other node.
static onnx::TensorProto *constantOf(onnx::NodeProto &node) {
  if (node.op_type() != "Constant" || !node.domain().empty() ||
      node.output_size() != 1)
    return nullptr;
  for (onnx::AttributeProto &attribute : *node.mutable_attribute())
    if (attribute.name() == "value" && attribute.has_t())
      return attribute.mutable_t();
  return nullptr;
}

onnx::TensorProto *WeightFile::find(const std::string &name) const {
  onnx::GraphProto &graph = *model->mutable_graph();
  for (onnx::TensorProto &tensor : *graph.mutable_initializer())
    if (tensor.name() == name)
      return &tensor;
  for (onnx::NodeProto &node : *graph.mutable_node())
    if (onnx::TensorProto *tensor = constantOf(node);
        tensor && node.output(0) == name)
      return tensor;
  return nullptr;
}

static bool isTrainable(const onnx::TensorProto &tensor) {
  return tensor.data_type() == onnx::TensorProto::FLOAT ||
         tensor.data_type() == onnx::TensorProto::DOUBLE;
}

std::vector<std::string> WeightFile::names() const {
  std::vector<std::string> names;
  onnx::GraphProto &graph = *model->mutable_graph();
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (isTrainable(tensor))
      names.push_back(tensor.name());
  for (onnx::NodeProto &node : *graph.mutable_node())
    if (onnx::TensorProto *tensor = constantOf(node);
        tensor && isTrainable(*tensor))
      names.push_back(node.output(0));
  return names;
}

static Status noWeight(const std::string &path, const std::string &name) {
  return failureOf(Code::NotFound,
                   {path, ": no initializer is named '", name, "'"});
}

Result<Tensor> WeightFile::value(const std::string &name) const {
  const onnx::TensorProto *tensor = find(name);
  if (!tensor)
    return noWeight(path, name);
  Result<NamedTensor> parsed = parseOnnxTensor(tensor->SerializeAsString());
  if (!parsed)
    return parsed.status().prefixed(path + ": weight '" + name + "': ");
  return std::move(parsed->tensor);
}

Status WeightFile::set(const std::string &name, TensorView value) {
  onnx::TensorProto *tensor = find(name);
  if (!tensor)
    return noWeight(path, name);
  tensor->clear_float_data(), tensor->clear_double_data();
  tensor->set_raw_data(value.data, size_t(value.type->bytes()));
  return Status();
}

int64_t WeightFile::rowsOf(const std::string &input) const {
  for (const onnx::ValueInfoProto &port : model->graph().input()) {
    const onnx::TensorShapeProto &shape = port.type().tensor_type().shape();
    if (port.name() == input && shape.dim_size() > 0 &&
        shape.dim(0).has_dim_value())
      return shape.dim(0).dim_value();
  }
  return -1;
}

Result<std::string>
WeightFile::bytesForRows(const std::vector<std::string> &inputs) const {
  onnx::ModelProto other = *model;
  onnx::GraphProto &graph = *other.mutable_graph();
  for (onnx::ValueInfoProto &port : *graph.mutable_input())
    if (std::ranges::find(inputs, port.name()) != inputs.end())
      port.mutable_type()
          ->mutable_tensor_type()
          ->mutable_shape()
          ->mutable_dim(0)
          ->set_dim_param("training.batch");
  for (onnx::ValueInfoProto &port : *graph.mutable_output())
    port.mutable_type()->mutable_tensor_type()->clear_shape();
  graph.clear_value_info();
  std::string bytes;
  if (!other.SerializeToString(&bytes))
    return failureOf(Code::Unsupported,
                     {path, " would have more than 2 GB in one message"});
  return bytes;
}

Result<std::string> WeightFile::bytes() const {
  std::string bytes;
  if (!model->SerializeToString(&bytes))
    return failureOf(Code::Unsupported,
                     {path, " would have more than 2 GB in one message"});
  return bytes;
}

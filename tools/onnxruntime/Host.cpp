//===- Host.cpp - the runtime that loaded the provider --------------------===//
// SPDX-License-Identifier: MIT

#include "Host.h"

using namespace glow;
using namespace glow::ort;

void Host::check(Status *status) const {
  if (!status)
    return;
  std::string text = api.GetErrorMessage(status);
  api.ReleaseStatus(status);
  throw Failure(ORT_EP_FAIL, text);
}

void Host::log(const Logger *logger, int level, const std::string &text) const {
  // A message that cannot be logged is no reason to fail.
  if (Status *status =
          api.Logger_LogMessage(logger, level, text.c_str(), "glow", 0, "glow"))
    api.ReleaseStatus(status);
}

std::vector<const Node *> Host::nodesOf(const Graph *graph) const {
  return list<Node>(api.Graph_GetNumNodes, api.Graph_GetNodes, graph);
}

std::vector<const ValueInfo *> Host::inputsOf(const Node *node) const {
  return list<ValueInfo>(api.Node_GetNumInputs, api.Node_GetInputs, node);
}

std::vector<const ValueInfo *> Host::outputsOf(const Node *node) const {
  return list<ValueInfo>(api.Node_GetNumOutputs, api.Node_GetOutputs, node);
}

std::vector<const ValueInfo *> Host::implicitInputsOf(const Node *node) const {
  return list<ValueInfo>(api.Node_GetNumImplicitInputs,
                         api.Node_GetImplicitInputs, node);
}

std::string Host::nameOf(const ValueInfo *value) const {
  return value ? get<const char *>(api.GetValueInfoName, value) : "";
}

bool Host::isConstant(const ValueInfo *value) const {
  return get<bool>(api.ValueInfo_IsConstantInitializer, value);
}

std::optional<TensorType> Host::typeOf(const ValueInfo *value) const {
  const TypeInfo *wrapped =
      get<const TypeInfo *>(api.GetValueInfoTypeInfo, value);
  if (!wrapped ||
      get<int>(api.GetOnnxTypeFromTypeInfo, wrapped) != ONNX_TYPE_TENSOR)
    return std::nullopt;
  const TensorInfo *info =
      get<const TensorInfo *>(api.CastTypeInfoToTensorInfo, wrapped);
  TensorType type;
  type.element = get<int>(api.GetTensorElementType, info);
  type.hasRank = api.TensorTypeAndShape_HasShape(info);
  type.shape.resize(get<size_t>(api.GetDimensionsCount, info));
  check(api.GetDimensions(info, type.shape.data(), type.shape.size()));
  std::vector<const char *> names(type.shape.size(), "");
  check(api.GetSymbolicDimensions(info, names.data(), names.size()));
  type.names.assign(names.begin(), names.end());
  return type;
}

Tensor Host::tensorOf(const Value *value) const {
  Tensor tensor;
  const int64_t *sizes;
  size_t rank;
  check(api.GetTensorElementTypeAndShapeDataReference(value, &tensor.element,
                                                      &sizes, &rank));
  tensor.shape = {sizes, rank};
  tensor.data = dataOf(value);
  return tensor;
}

void *Host::dataOf(const Value *value) const {
  void *data = nullptr;
  check(api.GetTensorMutableData(const_cast<Value *>(value), &data));
  return data;
}

//===- Host.cpp - the runtime that loaded the provider --------------------===//
// SPDX-License-Identifier: MIT

#include "Host.h"
#include <algorithm>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct Element {
  int onnx;
  std::optional<glow_kind> kind;
  const char *name;
};
} // namespace

static constexpr Element elements[] = {
    {1, GLOW_F32, "f32"},
    {2, GLOW_U8, "u8"},
    {3, GLOW_I8, "i8"},
    {4, GLOW_U16, "u16"},
    {5, GLOW_I16, "i16"},
    {6, GLOW_I32, "i32"},
    {7, GLOW_I64, "i64"},
    {8, {}, "string"},
    {9, GLOW_BOOL, "bool"},
    {10, GLOW_F16, "f16"},
    {11, GLOW_F64, "f64"},
    {12, GLOW_U32, "u32"},
    {13, GLOW_U64, "u64"},
    {14, {}, "complex64"},
    {15, {}, "complex128"},
    {16, GLOW_BF16, "bf16"},
    {17, GLOW_F8E4M3FN, "f8E4M3FN"},
    {18, GLOW_F8E4M3FNUZ, "f8E4M3FNUZ"},
    {19, GLOW_F8E5M2, "f8E5M2"},
    {20, GLOW_F8E5M2FNUZ, "f8E5M2FNUZ"},
    {21, {}, "u4"},
    {22, {}, "i4"},
    {23, {}, "f4E2M1FN"},
};

static const Element *elementOf(int onnx) {
  auto found = std::ranges::find(elements, onnx, &Element::onnx);
  return found == std::end(elements) ? nullptr : found;
}

std::string ort::elementName(int element) {
  const Element *found = elementOf(element);
  return found ? found->name : "element type " + std::to_string(element);
}

std::optional<glow_kind> ort::kindOf(int element) {
  const Element *found = elementOf(element);
  return found ? found->kind : std::nullopt;
}

bool TensorType::isOpen() const {
  return std::ranges::any_of(shape, [](int64_t size) { return size < 0; });
}

std::string TensorType::text() const {
  if (!hasRank)
    return elementName(element) + " of unknown rank";
  std::string text = elementName(element) + "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += i ? "," : "";
    if (shape[i] >= 0)
      text += std::to_string(shape[i]);
    else
      text += i < names.size() && !names[i].empty() ? names[i] : "?";
  }
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Host::check(Status *status) const {
  if (!status)
    return;
  std::string text = api.errorMessage()(status);
  api.releaseStatus()(status);
  throw Failure(EpFail, text);
}

void Host::log(const Logger *logger, LogLevel level,
               const std::string &text) const {
  // A message that cannot be logged is no reason to fail.
  if (Status *status =
          api.log()(logger, level, text.c_str(), "glow", 0, "glow"))
    api.releaseStatus()(status);
}

std::vector<const Node *> Host::nodesOf(const Graph *graph) const {
  return list<Node>(api.nodeCount(), api.nodes(), graph);
}

std::vector<const ValueInfo *> Host::inputsOf(const Node *node) const {
  return list<ValueInfo>(api.inputCountOf(), api.inputsOf(), node);
}

std::vector<const ValueInfo *> Host::outputsOf(const Node *node) const {
  return list<ValueInfo>(api.outputCountOf(), api.outputsOf(), node);
}

std::vector<const ValueInfo *> Host::implicitInputsOf(const Node *node) const {
  return list<ValueInfo>(api.implicitCountOf(), api.implicitInputsOf(), node);
}

std::string Host::nameOf(const ValueInfo *value) const {
  return value ? get<const char *>(api.valueName(), value) : "";
}

bool Host::isConstant(const ValueInfo *value) const {
  return get<bool>(api.isConstant(), value);
}

std::optional<TensorType> Host::typeOf(const ValueInfo *value) const {
  const TypeInfo *wrapped = get<const TypeInfo *>(api.valueType(), value);
  if (!wrapped || get<int>(api.valueTypeOf(), wrapped) != TensorValue)
    return std::nullopt;
  const TensorInfo *info = get<const TensorInfo *>(api.tensorInfoOf(), wrapped);
  TensorType type;
  type.element = get<int>(api.elementType(), info);
  type.hasRank = api.hasShape()(info);
  type.shape.resize(get<size_t>(api.rank(), info));
  check(api.sizes()(info, type.shape.data(), type.shape.size()));
  std::vector<const char *> names(type.shape.size(), "");
  check(api.sizeNames()(info, names.data(), names.size()));
  type.names.assign(names.begin(), names.end());
  return type;
}

Tensor Host::tensorOf(const Value *value) const {
  Tensor tensor;
  const int64_t *sizes;
  size_t rank;
  check(api.typeOf()(value, &tensor.element, &sizes, &rank));
  tensor.shape = {sizes, rank};
  tensor.data = dataOf(value);
  return tensor;
}

void *Host::dataOf(const Value *value) const {
  void *data = nullptr;
  check(api.tensorData()(const_cast<Value *>(value), &data));
  return data;
}

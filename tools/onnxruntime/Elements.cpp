//===- Elements.cpp - tensors and failures in ONNX Runtime ----------------===//
// SPDX-License-Identifier: MIT

#include "Elements.h"
#include <algorithm>

using namespace glow;
using namespace glow::ort;

namespace {
/// A kind is absent where ONNX Runtime and Glow differ in the form.
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

static const Element *find(int onnx) {
  auto found = std::ranges::find(elements, onnx, &Element::onnx);
  return found == std::end(elements) ? nullptr : found;
}

std::string ort::elementName(int element) {
  const Element *found = find(element);
  return found ? found->name : "element type " + std::to_string(element);
}

std::optional<glow_kind> ort::kindOf(int element) {
  const Element *found = find(element);
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

int ort::elementOf(glow_kind kind) {
  switch (kind) {
  case GLOW_STRING:
    return ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING;
  case GLOW_U4:
    return 21;
  case GLOW_I4:
    return 22;
  case GLOW_F4E2M1FN:
    return 23;
  case GLOW_F8E8M0FNU:
    return 24;
  case GLOW_U2:
    return 25;
  case GLOW_I2:
    return 26;
  default:
    break;
  }
  auto found = std::ranges::find(elements, kind, &Element::kind);
  return found == std::end(elements) ? 0 : found->onnx;
}

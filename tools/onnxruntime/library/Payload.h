//===- Payload.h - values of an application ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_LIBRARY_PAYLOAD_H
#define GLOW_TOOLS_ONNXRUNTIME_LIBRARY_PAYLOAD_H

#include "Elements.h"
#include <functional>

namespace glow::ort {

using GlowValue = api::Handle<glow_value, glow_value_free>;

/// A tensor, a sequence, a map or nothing. Handles share it.
struct Payload {
  int kind = ONNX_TYPE_TENSOR;
  // Of tensors.
  int element = 0;
  std::vector<int64_t> shape;
  void *data = nullptr; ///< null for texts
  size_t bytes = 0;
  std::vector<std::string> texts;
  std::function<void()> release; ///< frees `data`; may be empty
  /// The elements of a sequence; the keys and the values of a map.
  std::vector<std::shared_ptr<Payload>> parts;

  Payload() = default;
  Payload(const Payload &) = delete;
  Payload &operator=(const Payload &) = delete;
  ~Payload() {
    if (release)
      release();
  }

  bool isTensor() const { return kind == ONNX_TYPE_TENSOR; }
  bool isText() const {
    return isTensor() && element == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING;
  }
  size_t count() const; ///< elements of a tensor
  Tensor tensor() const { return {element, shape, data}; }
  TensorType type() const;
};

/// The number of elements. Throws Failure for a negative size, or too many.
size_t elementCount(std::span<const int64_t> shape);

/// Bytes of an element. Throws Failure for elements that Glow takes in another
/// form.
size_t bytesOf(int element);

/// A tensor in memory of its own, whose elements are unset, or empty texts.
std::shared_ptr<Payload> makeTensor(int element, std::vector<int64_t> shape);

/// Glow's copy of a value.
GlowValue glowValueOf(const Payload &payload);

/// The copy of a value of Glow.
std::shared_ptr<Payload> payloadOf(const glow_value *value);

} // namespace glow::ort

struct OrtValue {
  std::shared_ptr<glow::ort::Payload> payload;
};

#endif

//===- Elements.h - tensors and failures in ONNX Runtime --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_ELEMENTS_H
#define GLOW_TOOLS_ONNXRUNTIME_ELEMENTS_H

#include "Interface.h"
#include "glow/glow.hpp"
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace glow::ort {

/// A failure that becomes a status of ONNX Runtime.
class Failure : public std::runtime_error {
public:
  Failure(int code, const std::string &text)
      : std::runtime_error(text), code(code) {}
  int code;
};

/// The type of a tensor, with names of open sizes.
struct TensorType {
  int element = 0; ///< as in ONNX; 0: unknown
  bool hasRank = true;
  std::vector<int64_t> shape; ///< -1: open
  std::vector<std::string> names;
  bool isOpen() const;
  std::string text() const; ///< "f32[2,n]"
};

/// A tensor of ONNX Runtime, which owns all of it.
struct Tensor {
  int element;
  std::span<const int64_t> shape;
  const void *data;
};

/// Describes an element type of ONNX to people, as "f32".
std::string elementName(int element);

/// The kind of an element type of ONNX. Strings, complex numbers and elements
/// of less than a byte, which ONNX Runtime packs, have none.
std::optional<glow_kind> kindOf(int element);

/// The element type of ONNX for a kind of tensors; 0 for kinds from
/// GLOW_SEQUENCE on.
int elementOf(glow_kind kind);

} // namespace glow::ort

#endif

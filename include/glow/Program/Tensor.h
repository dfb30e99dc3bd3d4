//===- Tensor.h - tensor types and views ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_TENSOR_H
#define GLOW_PROGRAM_TENSOR_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include <cstdint>
#include <string>

namespace glow {

/// Element kind and shape. A shape without dimensions is one element. An
/// unknown dimension, as in the binding of a symbolic model, is negative.
struct TensorType {
  ElementKind kind = ElementKind::F32;
  Ints shape;

  /// Whether every dimension is known and `bytes()` fits in 63 bits. Check this
  /// on types from outside before asking for sizes.
  bool isStatic() const;

  /// The number of elements; 0 if the type is not static.
  int64_t elements() const;

  /// The bytes of a dense tensor; 0 if the type is not static.
  uint64_t bytes() const;

  /// "f32[2,3]"; "f32[]" for one element; "?" for an unknown dimension.
  std::string text() const;

  bool operator==(const TensorType &) const = default;
};

/// A tensor with another owner: dense, row-major, the last dimension adjacent.
/// `data` is aligned for the element kind and may be null if there are no
/// elements.
struct TensorView {
  void *data = nullptr;
  const TensorType *type = nullptr;

  /// The elements, whose C++ type the caller knows.
  template <typename T> T *as() const { return static_cast<T *>(data); }
};

} // namespace glow

#endif // GLOW_PROGRAM_TENSOR_H

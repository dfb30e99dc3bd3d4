//===- Tensor.h - a tensor that owns its memory -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_VALUES_TENSOR_H
#define GLOW_VALUES_TENSOR_H

#include "glow/Base/Half.h"
#include "glow/Base/Status.h"
#include "glow/Program/Tensor.h"
#include <cassert>
#include <memory>
#include <span>
#include <string>

namespace glow {

/// A dense, row-major tensor whose memory is aligned to 64 bytes.
///
/// It can be moved, but is copied only by `copyOf`. As with a standard
/// container, several threads may read it, or one thread may write it.
class Tensor {
public:
  /// f32[0].
  Tensor() = default;

  /// Makes a tensor of zeros. Fails with
  ///   Code::InvalidArgument  if the type is not static;
  ///   Code::OutOfMemory      if the host lacks the bytes, or the MemoryBudget
  ///                          of the thread does.
  static Result<Tensor> zeros(TensorType type);

  /// Copies a tensor of another owner; fails as `zeros` does.
  static Result<Tensor> copyOf(TensorView view);

  const TensorType &type() const { return theType; }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

  /// The view that programs take, valid until the tensor is moved or destroyed.
  /// The view of a const tensor must not be written to.
  TensorView view() const { return {memory.get(), &theType}; }

  /// The elements; `T` is the C++ type of the tensor's kind.
  template <typename T> std::span<T> elements() {
    assert(kindOf<T>() == theType.kind && "elements of another kind");
    return {static_cast<T *>(data()), size_t(theType.elements())};
  }
  template <typename T> std::span<const T> elements() const {
    assert(kindOf<T>() == theType.kind && "elements of another kind");
    return {static_cast<const T *>(data()), size_t(theType.elements())};
  }

  /// Changes the shape without moving elements. Fails with Code::ShapeMismatch,
  /// changing nothing, if the number of elements differs.
  Status reshape(Ints shape);

  /// Keeps the first elements, as a tensor of another shape. Fails with
  /// Code::ShapeMismatch, changing nothing, if there are not as many.
  Status shrink(Ints shape);

  /// Reinterprets the bytes as elements of another kind. Fails with
  /// Code::ShapeMismatch, changing nothing, if the element size differs.
  Status reinterpret(ElementKind kind);

private:
  TensorType theType{ElementKind::F32, {0}};
  std::shared_ptr<void> memory; // single owner; has its own deleter
};

/// A tensor and its name in the model.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

} // namespace glow

#endif // GLOW_VALUES_TENSOR_H

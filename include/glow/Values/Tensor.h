//===- Tensor.h - a tensor that owns its memory -----------------*- C++ -*-===//

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
/// Moves, but is copied only by `copyOf`. Like a standard container: may be
/// read from several threads, or written from one.
class Tensor {
public:
  /// f32[0].
  Tensor() = default;

  /// A tensor of zeros. Fails with
  ///   Code::InvalidArgument  if the type is not static;
  ///   Code::OutOfMemory      if the host has not that many bytes, or the
  ///                          MemoryBudget of the thread has not.
  static Result<Tensor> zeros(TensorType type);

  /// A copy of what has another owner; fails as `zeros` does.
  static Result<Tensor> copyOf(TensorView view);

  const TensorType &type() const { return theType; }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

  /// The tensor as programs take it, valid until the tensor moves or dies. What
  /// gets the view of a const tensor must not write to it.
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

  /// Gives the same elements another shape. Fails with Code::ShapeMismatch,
  /// changing nothing, if it has another number of them.
  Status reshape(Ints shape);

  /// Takes the same bytes as elements of another kind. Fails with
  /// Code::ShapeMismatch, changing nothing, if those have another size.
  Status reinterpret(ElementKind kind);

private:
  TensorType theType{ElementKind::F32, {0}};
  std::shared_ptr<void> memory; // of one owner; keeps its own deleter
};

/// A tensor and the model's name of it.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

} // namespace glow

#endif // GLOW_VALUES_TENSOR_H

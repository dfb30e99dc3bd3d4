//===- Tensor.cpp - a tensor that owns its memory -------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Values/Tensor.h"
#include "glow/Base/Memory.h"
#include "glow/Values/MemoryBudget.h"
#include <cstring>

using namespace glow;

/// Zeroed memory that keeps `share` for as long as it lives.
static std::shared_ptr<void> zeroedMemory(size_t bytes,
                                          MemoryBudget::Share share) {
  std::shared_ptr<void> memory = glow::zeroedMemory(bytes);
  if (!memory)
    return nullptr;
  void *start = memory.get();
  return std::shared_ptr<void>(
      start, [memory = std::move(memory),
              share = std::move(share)](void *) mutable { memory.reset(); });
}

Result<Tensor> Tensor::zeros(TensorType type) {
  if (!type.isStatic())
    return failure(Code::InvalidArgument, "a tensor of type ", type.text(),
                   " has no size that fits in memory");
  // The overhead around the elements counts too: there may be many small
  // tensors.
  constexpr uint64_t around = 192;
  Result<MemoryBudget::Share> share = MemoryBudget::take(type.bytes() + around);
  if (!share)
    return share.status().prefixed("no memory for a tensor of type " +
                                   type.text() + ": ");
  Tensor tensor;
  tensor.memory = ::zeroedMemory(type.bytes(), share.take());
  if (!tensor.memory)
    return failure(Code::OutOfMemory, "no memory for a tensor of type ",
                   type.text(), ": ", type.bytes(), " bytes");
  tensor.theType = std::move(type);
  return tensor;
}

Result<Tensor> Tensor::copyOf(TensorView view) {
  Result<Tensor> copy = zeros(*view.type);
  if (copy && view.type->bytes() != 0)
    std::memcpy(copy->data(), view.data, view.type->bytes());
  return copy;
}

Status Tensor::reinterpret(ElementKind kind) {
  if (byteSize(kind) != byteSize(theType.kind))
    return failure(Code::ShapeMismatch, "elements of ", name(theType.kind),
                   " cannot be taken as ", name(kind));
  theType.kind = kind;
  return Status();
}

Status Tensor::shrink(Ints shape) {
  TensorType type{theType.kind, std::move(shape)};
  if (!type.isStatic() || type.elements() > theType.elements())
    return failure(Code::ShapeMismatch, "a tensor of type ", theType.text(),
                   " has no ", type.text());
  theType = std::move(type);
  return Status();
}

Status Tensor::reshape(Ints shape) {
  TensorType type{theType.kind, std::move(shape)};
  if (!type.isStatic() || type.elements() != theType.elements())
    return failure(Code::ShapeMismatch, "a tensor of type ", theType.text(),
                   " cannot be seen as ", type.text());
  theType = std::move(type);
  return Status();
}

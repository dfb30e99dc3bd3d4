//===- Tensor.cpp - a tensor that owns its memory -------------------------===//

#include "glow/Runtime/Tensor.h"
#include "glow/Base/Memory.h"
#include <cstring>

using namespace glow;

Result<Tensor> Tensor::zeros(TensorType type) {
  if (!type.isStatic())
    return failure(Code::InvalidArgument, "a tensor of type ", type.text(),
                   " has no size that fits in memory");
  Tensor tensor;
  tensor.memory = zeroedMemory(type.bytes());
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

Status Tensor::reshape(Ints shape) {
  TensorType type{theType.kind, std::move(shape)};
  if (!type.isStatic() || type.elements() != theType.elements())
    return failure(Code::ShapeMismatch, "a tensor of type ", theType.text(),
                   " cannot be seen as ", type.text());
  theType = std::move(type);
  return Status();
}

//===- Tensor.cpp - a tensor that owns its memory -------------------------===//

#include "glow/Runtime/Tensor.h"
#include "glow/Runtime/MemoryBudget.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace glow;

/// Zeros at an address that is a multiple of 64; of large tensors, of 2 MiB, in
/// huge pages where the system has them: a run then misses the TLB less.
///
/// calloc rather than aligned_alloc: the pages of a large tensor come zeroed
/// from the system and are not touched before somebody writes to them.
///
/// `share` is kept for as long as the memory.
static std::shared_ptr<void> zeroedMemory(size_t bytes,
                                          MemoryBudget::Share share) {
  constexpr size_t huge = size_t(2) << 20;
  size_t alignment = bytes >= huge ? huge : 64;
  void *block = std::calloc(bytes + alignment, 1);
  if (!block)
    return nullptr;
  uintptr_t start = reinterpret_cast<uintptr_t>(block);
  uintptr_t aligned = (start + alignment - 1) / alignment * alignment;
  auto *memory = reinterpret_cast<void *>(aligned);
  if (alignment == huge)
    ::madvise(memory, bytes,
              MADV_HUGEPAGE); // a hint: a failure changes nothing
  return std::shared_ptr<void>(
      memory, [block, share = std::move(share)](void *) { std::free(block); });
}

Result<Tensor> Tensor::zeros(TensorType type) {
  if (!type.isStatic())
    return failure(Code::InvalidArgument, "a tensor of type ", type.text(),
                   " has no size that fits in memory");
  // What is around the elements counts too: there may be many small tensors.
  constexpr uint64_t around = 192;
  Result<MemoryBudget::Share> share = MemoryBudget::take(type.bytes() + around);
  if (!share)
    return share.status().prefixed("no memory for a tensor of type " +
                                   type.text() + ": ");
  Tensor tensor;
  tensor.memory = zeroedMemory(type.bytes(), share.take());
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

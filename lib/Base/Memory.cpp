//===- Memory.cpp - memory for tensors ------------------------------------===//

#include "glow/Base/Memory.h"
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

static constexpr size_t hugePage = size_t(2) << 20;

template <typename Integer> static Integer roundUp(Integer value, Integer to) {
  return (value + to - 1) / to * to;
}

static std::shared_ptr<void> smallMemory(size_t bytes) {
  void *block = std::calloc(bytes + 64, 1);
  if (!block)
    return nullptr;
  auto start = roundUp<uintptr_t>(reinterpret_cast<uintptr_t>(block), 64);
  return std::shared_ptr<void>(reinterpret_cast<void *>(start),
                               [block](void *) { std::free(block); });
}

/// Not by malloc, which keeps blocks that are given back once there were some
/// of their size.
static std::shared_ptr<void> mappedMemory(size_t bytes) {
  size_t slack = bytes >= hugePage ? hugePage : 0;
  if (bytes + slack < bytes)
    return nullptr;
  void *block = ::mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return nullptr;
  auto start = reinterpret_cast<uintptr_t>(block);
  if (slack) {
    start = roundUp<uintptr_t>(start, hugePage);
    // Not of the last page, the most of which may be no part of the tensor. A
    // hint: a failure changes nothing.
    ::madvise(reinterpret_cast<void *>(start), bytes / hugePage * hugePage,
              MADV_HUGEPAGE);
  }
  return std::shared_ptr<void>(
      reinterpret_cast<void *>(start),
      [block, all = bytes + slack](void *) { ::munmap(block, all); });
}

std::shared_ptr<void> glow::zeroedMemory(size_t bytes) {
  constexpr size_t large = size_t(256) << 10;
  return bytes < large ? smallMemory(bytes) : mappedMemory(bytes);
}

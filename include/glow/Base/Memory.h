//===- Memory.h - memory for tensors ----------------------------*- C++ -*-===//

#ifndef GLOW_BASE_MEMORY_H
#define GLOW_BASE_MEMORY_H

#include <cstddef>
#include <memory>

namespace glow {

/// Zeros at an address that is a multiple of 64; of 2 MiB or more, at a
/// multiple of 2 MiB and in huge pages where the system has them, so that a run
/// misses the TLB less. Pages of large blocks take memory when somebody writes
/// to them, and the system has them back when the block dies. Null if there is
/// not as much.
std::shared_ptr<void> zeroedMemory(size_t bytes);

} // namespace glow

#endif // GLOW_BASE_MEMORY_H

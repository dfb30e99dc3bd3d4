//===- Memory.h - memory for tensors ----------------------------*- C++ -*-===//

#ifndef GLOW_BASE_MEMORY_H
#define GLOW_BASE_MEMORY_H

#include <cstddef>
#include <memory>
#include <string_view>

namespace glow {

/// Zeros at an address that is a multiple of 64; of 2 MiB or more, at a
/// multiple of 2 MiB and in huge pages where the system has them, so that a run
/// misses the TLB less. Pages of large blocks take memory when they are written
/// to, and the system has them back when the block dies. Null if there is
/// not as much.
std::shared_ptr<void> zeroedMemory(size_t bytes);

/// While one lives, large blocks that its thread gives back are kept for the
/// next ones of about their size: pages that the system has back must be
/// cleared before they come again, which takes longer than to clear them here.
/// Keeps at most 32 MiB; one at a time on a thread counts.
class MemoryReuse {
public:
  MemoryReuse();
  ~MemoryReuse();
  MemoryReuse(const MemoryReuse &) = delete;
};

/// For tests of code that no sanitizer sees, such as a JIT's. While one lives,
/// zeroedMemory ends at a page that faults when it is touched, but for the bytes
/// up to the next multiple of 64. Writing to these ends the process, with a
/// message, when the memory is given back. It begins and ends while no other
/// thread takes memory.
class GuardedMemory {
public:
  GuardedMemory();
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory &) = delete;
};

/// Lets the heap grow by steps of huge pages where the system has them. A
/// compiler makes hundreds of thousands of small objects, and half of the time
/// for its memory goes by the pages that the system finds for them one by one.
/// At the beginning of a process of its own.
void growHeapInSteps();

/// Gives back the pages of a shared library of this process, such as "libLLVM":
/// of its code and of what it only reads. They come again, from its file, where
/// they are needed. Does nothing while a debugger watches.
void releaseLibrary(std::string_view name);
/// The same for the program or library that this function is part of.
void releaseOwnCode();

} // namespace glow

#endif // GLOW_BASE_MEMORY_H

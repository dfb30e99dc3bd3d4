//===- Memory.h - memory for tensors ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_MEMORY_H
#define GLOW_BASE_MEMORY_H

#include <cstddef>
#include <memory>
#include <string_view>

namespace glow {

/// Zeroed memory, aligned to 64 bytes; null if there is not as much. A block of
/// 2 MiB or more is aligned to 2 MiB and has huge pages where the system offers
/// them, so that a run has fewer TLB misses. Pages of large blocks take memory
/// at the first write, and return to the system when the block is freed.
std::shared_ptr<void> zeroedMemory(size_t bytes);

/// During its lifetime, large blocks that its thread frees are kept for later
/// requests of about the same size. The system would have to clear returned
/// pages before it hands them out again, which takes longer than clearing them
/// here. Keeps at most 32 MiB; only one on a thread takes effect.
class MemoryReuse {
public:
  MemoryReuse();
  ~MemoryReuse();
  MemoryReuse(const MemoryReuse &) = delete;
};

/// Bytes behind weights that kernels prefetch at most. Processors of AMD look
/// for a page that is not there at each prefetch: on a Zen 1, a convolution
/// took three times as long where no page was behind its weights.
inline constexpr size_t prefetchedBehind = 64 << 10;

/// Has the system provide pages, by one read of each. Pages of anonymous memory
/// that were never written take no memory.
void touchPages(const void *from, size_t bytes);

/// The same for the pages of a range that there are: some may be missing.
/// Systems before Linux 5.14 do nothing.
void touchMapped(const void *from, size_t bytes);

/// Detects accesses out of bounds in tests of code that no sanitizer
/// instruments, such as a JIT's. During its lifetime, zeroedMemory ends at a
/// page that faults when it is accessed, except for the bytes up to the next
/// multiple of 64. A write to these bytes ends the process, with a message,
/// when the memory is freed. No other thread may allocate when the guard begins
/// or ends.
class GuardedMemory {
public:
  GuardedMemory();
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory &) = delete;
};

/// Lets the heap grow in steps of huge pages where the system offers them. A
/// compiler makes hundreds of thousands of small objects. Half of the time for
/// their memory goes into page faults on single pages. Call it at the beginning
/// of a process that the caller owns.
void growHeapInSteps();

/// Returns to the system the pages of a shared library of this process, such as
/// "libLLVM": its code and its read-only data. The system reads them again from
/// the file on the next access. Does nothing while a debugger is attached.
void releaseLibrary(std::string_view name);
/// The same for the program or library that contains this function.
void releaseOwnCode();

} // namespace glow

#endif // GLOW_BASE_MEMORY_H

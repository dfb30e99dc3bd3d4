//===- Memory.cpp - memory for tensors ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Memory.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <link.h>
#include <malloc.h>
#include <optional>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using glow::MemoryReuse;

static constexpr size_t hugePage = size_t(2) << 20;

template <typename Integer> static Integer roundUp(Integer value, Integer to) {
  return (value + to - 1) / to * to;
}

static std::shared_ptr<void> smallMemory(size_t bytes) {
  // The slack of 64 bytes allows an aligned start for vectors.
  void *block = std::calloc(bytes + 64, 1);
  if (!block)
    return nullptr;
  auto start = roundUp<uintptr_t>(reinterpret_cast<uintptr_t>(block), 64);
  return std::shared_ptr<void>(reinterpret_cast<void *>(start),
                               [block](void *) { std::free(block); });
}

namespace {

/// Memory of the system, and the aligned start of the part in use.
struct Block {
  void *memory;
  size_t size; // of all of it
  void *start;
};

constexpr size_t mostKept = size_t(32) << 20;
thread_local MemoryReuse *reuse = nullptr;
thread_local std::vector<Block> kept; // what was given back last at the end
thread_local size_t bytesKept = 0;

void drop(const Block &block) { ::munmap(block.memory, block.size); }

void giveBack(const Block &block) {
  if (!reuse || block.size > mostKept)
    return drop(block);
  kept.push_back(block);
  bytesKept += block.size;
  // The oldest go first.
  while (bytesKept > mostKept) {
    bytesKept -= kept.front().size;
    drop(kept.front());
    kept.erase(kept.begin());
  }
}

/// A kept block that holds `bytes` and at most half as much again.
std::optional<Block> takeKept(size_t bytes) {
  auto fits = [&](const Block &block) {
    size_t before = size_t(static_cast<char *>(block.start) -
                           static_cast<char *>(block.memory));
    size_t room = block.size - before;
    return room >= bytes && room - bytes <= bytes / 2;
  };
  auto found = std::find_if(kept.rbegin(), kept.rend(), fits);
  if (found == kept.rend())
    return std::nullopt;
  Block block = *found;
  kept.erase(std::prev(found.base()));
  bytesKept -= block.size;
  return block;
}

} // namespace

MemoryReuse::MemoryReuse() {
  if (!reuse)
    reuse = this;
}

MemoryReuse::~MemoryReuse() {
  if (reuse != this)
    return;
  reuse = nullptr;
  std::for_each(kept.begin(), kept.end(), drop);
  kept = {};
  bytesKept = 0;
}

/// Maps fresh pages. malloc is not used: after blocks of one size were freed,
/// it keeps later freed blocks of that size.
static Block mapBlock(size_t bytes, size_t slack) {
  void *memory = ::mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return {};
  auto start = reinterpret_cast<uintptr_t>(memory);
  if (slack) {
    start = roundUp<uintptr_t>(start, hugePage);
    // The last page is left out: most of it may lie outside the tensor. The
    // call is a hint, so a failure changes nothing.
    ::madvise(reinterpret_cast<void *>(start), bytes / hugePage * hugePage,
              MADV_HUGEPAGE);
  }
  return {memory, bytes + slack, reinterpret_cast<void *>(start)};
}

static std::shared_ptr<void> mappedMemory(size_t bytes) {
  size_t slack = bytes >= hugePage ? hugePage : 0;
  if (bytes + slack < bytes)
    return nullptr;
  Block block;
  if (std::optional<Block> old = takeKept(bytes)) {
    block = *old;
    // Fresh pages of the system are zero; a reused block is not.
    std::memset(block.start, 0, bytes);
  } else if (block = mapBlock(bytes, slack); !block.memory) {
    return nullptr;
  }
  return std::shared_ptr<void>(block.start,
                               [block](void *) { giveBack(block); });
}

//===----------------------------------------------------------------------===//
// For tests
//===----------------------------------------------------------------------===//

static bool isGuarded = false;

glow::GuardedMemory::GuardedMemory() { isGuarded = true; }
glow::GuardedMemory::~GuardedMemory() { isGuarded = false; }

static constexpr unsigned char behindEnd = 0xA5;

static void checkBehind(const unsigned char *end, const unsigned char *page) {
  if (std::all_of(end, page, [](unsigned char c) { return c == behindEnd; }))
    return;
  std::fputs("glow: memory behind the end of a tensor was written\n", stderr);
  std::abort();
}

/// The pages before and behind the block cannot be touched.
static std::shared_ptr<void> guardedMemory(size_t bytes) {
  const auto page = size_t(::sysconf(_SC_PAGESIZE));
  const size_t inside = roundUp(bytes, page), all = inside + 2 * page;
  if (all < bytes)
    return nullptr;
  void *map =
      ::mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    return nullptr;
  auto *first = static_cast<unsigned char *>(map) + page;
  if (::mprotect(first, inside, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(map, all);
    return nullptr;
  }
  unsigned char *last = first + inside;
  unsigned char *start = last - roundUp(bytes, size_t(64));
  std::fill(start + bytes, last, behindEnd);
  return std::shared_ptr<void>(start, [=](void *) {
    checkBehind(start + bytes, last);
    ::munmap(map, all);
  });
}

std::shared_ptr<void> glow::zeroedMemory(size_t bytes) {
  if (isGuarded)
    return guardedMemory(bytes);
  constexpr size_t large = size_t(256) << 10;
  return bytes < large ? smallMemory(bytes) : mappedMemory(bytes);
}

void glow::touchPages(const void *from, size_t bytes) {
  constexpr size_t page = 4096;
  for (size_t at = 0; at < bytes; at += page)
    (void)static_cast<const volatile char *>(from)[at];
}

void glow::touchMapped(const void *from, size_t bytes) {
#ifdef MADV_POPULATE_READ
  constexpr uintptr_t page = 4096;
  const uintptr_t end = reinterpret_cast<uintptr_t>(from) + bytes;
  for (uintptr_t at = reinterpret_cast<uintptr_t>(from) & ~(page - 1); at < end;
       at += page)
    (void)::madvise(reinterpret_cast<void *>(at), page, MADV_POPULATE_READ);
#endif
}

void glow::growHeapInSteps() {
#ifdef __GLIBC__
  constexpr size_t step = size_t(32) << 20, small = size_t(1) << 20;
  ::mallopt(M_TOP_PAD, int(step));
  ::mallopt(M_TRIM_THRESHOLD, int(2 * step));
  ::mallopt(M_MMAP_THRESHOLD, int(small));
  auto start = reinterpret_cast<uintptr_t>(::sbrk(0));
  // The request exceeds the rest of the heap, so the heap grows by its first
  // step.
  void *volatile block = std::malloc(small - 1024);
  std::free(block);
  auto end = reinterpret_cast<uintptr_t>(::sbrk(0));
  start = roundUp<uintptr_t>(start, hugePage);
  if (end > start)
    ::madvise(reinterpret_cast<void *>(start), end - start, MADV_HUGEPAGE);
#endif
}

static void releaseSegments(const dl_phdr_info &library) {
  auto page = uintptr_t(::sysconf(_SC_PAGESIZE));
  for (const auto &segment : std::span(library.dlpi_phdr, library.dlpi_phnum)) {
    // Writable segments differ from the file, so their pages stay.
    if (segment.p_type != PT_LOAD || segment.p_flags & PF_W)
      continue;
    uintptr_t start = library.dlpi_addr + segment.p_vaddr;
    uintptr_t firstPage = start / page * page;
    ::madvise(reinterpret_cast<void *>(firstPage),
              start + segment.p_memsz - firstPage, MADV_DONTNEED);
  }
}

static bool isTraced() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("TracerPid:"))
      return !line.ends_with("\t0");
  return false;
}

/// Releases the pages of the chosen libraries of this process.
template <typename IsChosen> static void releaseWhere(IsChosen isChosen) {
  if (isTraced()) // a debugger's breakpoints are in these pages only
    return;
  auto release = [](dl_phdr_info *library, size_t, void *isChosen) {
    if ((*static_cast<IsChosen *>(isChosen))(*library))
      releaseSegments(*library);
    return 0;
  };
  ::dl_iterate_phdr(release, &isChosen);
}

void glow::releaseLibrary(std::string_view name) {
  releaseWhere([&](const dl_phdr_info &library) {
    std::string_view path = library.dlpi_name;
    return path.substr(path.rfind('/') + 1).starts_with(name);
  });
}

void glow::releaseOwnCode() {
  auto own = reinterpret_cast<uintptr_t>(&releaseOwnCode);
  releaseWhere([&](const dl_phdr_info &library) {
    return std::ranges::any_of(
        std::span(library.dlpi_phdr, library.dlpi_phnum),
        [&](const auto &segment) {
          return segment.p_type == PT_LOAD &&
                 own - (library.dlpi_addr + segment.p_vaddr) < segment.p_memsz;
        });
  });
}

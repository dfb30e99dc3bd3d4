//===- Memory.cpp - memory between guard pages ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Emulator.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace emulator;

/// The driver's alignment of all memory.
static constexpr size_t alignment = 256;
static constexpr unsigned char around = 0xcb;

Allocation::Allocation(size_t bytes) : bytes(bytes) {
  const size_t page = size_t(::sysconf(_SC_PAGESIZE));
  const size_t taken = (bytes + alignment - 1) / alignment * alignment;
  const size_t inside = (taken + page - 1) / page * page;
  all = inside + 2 * page;
  void *got = ::mmap(nullptr, all, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED)
    wrong("this system has no memory");
  pages = static_cast<char *>(got);
  ::mprotect(pages, page, PROT_NONE);
  ::mprotect(pages + page + inside, page, PROT_NONE);
  first = pages + page + inside - taken;
  std::memset(pages + page, around, inside);
  forget();
}

void Allocation::forget() { std::memset(first, 0xff, bytes); }

Allocation::~Allocation() { ::munmap(pages, all); }

bool Allocation::isIntact() const {
  const size_t page = size_t(::sysconf(_SC_PAGESIZE));
  auto isAround = [](char one) { return one == char(around); };
  return std::all_of(pages + page, first, isAround) &&
         std::all_of(first + bytes, pages + all - page, isAround);
}

//===- Memory.cpp - kinds of memory, and allocators -----------------------===//
// SPDX-License-Identifier: MIT

#include "library/Memory.h"
#include "library/Objects.h"
#include "library/Table.h"
#include <cstdlib>
#include <cstring>
#include <new>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Allocators
//===----------------------------------------------------------------------===//

/// The alignment of Glow's tensors.
static constexpr size_t alignment = 64;

static void *tryAllocate(size_t bytes) {
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  return whole < bytes
             ? nullptr
             : std::aligned_alloc(alignment, whole + !whole * alignment);
}

void *ort::allocate(size_t bytes) {
  void *memory = tryAllocate(bytes);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

OrtAllocator *ort::defaultAllocator() {
  static OrtAllocator made = {
      ORT_API_VERSION,
      [](OrtAllocator *, size_t bytes) { return tryAllocate(bytes); },
      [](OrtAllocator *, void *data) { std::free(data); },
      [](const OrtAllocator *) { return &processorMemory(); },
      [](OrtAllocator *, size_t bytes) { return tryAllocate(bytes); },
      nullptr,
      nullptr};
  return &made;
}

void *ort::allocateBy(OrtAllocator &allocator, size_t bytes) {
  void *memory = allocator.Alloc(&allocator, bytes);
  if (!memory)
    throw Failure(ORT_FAIL, "the allocator has no " + std::to_string(bytes) +
                                " bytes of memory");
  return memory;
}

char *ort::copyText(OrtAllocator &allocator, const std::string &text) {
  auto *memory = static_cast<char *>(allocateBy(allocator, text.size() + 1));
  std::memcpy(memory, text.c_str(), text.size() + 1);
  return memory;
}

void entry::AllocatorAlloc(OrtAllocator *allocator, size_t bytes, void **out) {
  *out = allocateBy(*allocator, bytes);
}

void entry::AllocatorFree(OrtAllocator *allocator, void *data) {
  allocator->Free(allocator, data);
}

void entry::AllocatorGetInfo(const OrtAllocator *allocator,
                             const OrtMemoryInfo **out) {
  *out = allocator->Info(allocator);
}

void entry::GetAllocatorWithDefaultOptions(OrtAllocator **out) {
  *out = defaultAllocator();
}

static void checkIsProcessor(const OrtMemoryInfo &info) {
  if (info.device != OrtDeviceTypeCpu)
    throw Failure(ORT_NOT_IMPLEMENTED, "memory '" + info.name +
                                           "' is of another device than the "
                                           "processor");
}

void entry::CreateAllocator(const OrtSession *, const OrtMemoryInfo *info,
                            OrtAllocator **out) {
  checkIsProcessor(*info);
  *out = new OrtAllocator(*defaultAllocator());
}

void entry::ReleaseAllocator(OrtAllocator *allocator) {
  if (allocator != defaultAllocator())
    delete allocator;
}

//===----------------------------------------------------------------------===//
// Kinds of memory
//===----------------------------------------------------------------------===//

const OrtMemoryInfo &ort::processorMemory() {
  static const OrtMemoryInfo info;
  return info;
}

/// ONNX Runtime's names of memory that the processor addresses.
static int deviceNamed(const std::string &name) {
  if (name == "Cpu" || name == "CpuPinned" || name.ends_with("Pinned") ||
      name.ends_with("_cpu"))
    return OrtDeviceTypeCpu;
  return OrtDeviceTypeCpu + 1;
}

void entry::CreateMemoryInfo(const char *name, int allocator, int id,
                             int memory, OrtMemoryInfo **out) {
  *out = new OrtMemoryInfo{name, allocator, id, memory, deviceNamed(name)};
}

void entry::CreateCpuMemoryInfo(int allocator, int memory,
                                OrtMemoryInfo **out) {
  *out = new OrtMemoryInfo{"Cpu", allocator, 0, memory};
}

void entry::CreateMemoryInfo_V2(const char *name, int device, uint32_t vendor,
                                int32_t id, int memory, size_t, int allocator,
                                OrtMemoryInfo **out) {
  *out = new OrtMemoryInfo{name,   allocator, id,    OrtMemTypeDefault,
                           device, memory,    vendor};
}

void entry::CompareMemoryInfo(const OrtMemoryInfo *a, const OrtMemoryInfo *b,
                              int *out) {
  *out = *a == *b ? 0 : -1;
}

void entry::MemoryInfoGetName(const OrtMemoryInfo *info, const char **out) {
  *out = info->name.c_str();
}

void entry::MemoryInfoGetId(const OrtMemoryInfo *info, int *out) {
  *out = info->id;
}

void entry::MemoryInfoGetMemType(const OrtMemoryInfo *info, int *out) {
  *out = info->memory;
}

void entry::MemoryInfoGetType(const OrtMemoryInfo *info, int *out) {
  *out = info->allocator;
}

void entry::MemoryInfoGetDeviceType(const OrtMemoryInfo *info, int *out) {
  if (info && out)
    *out = info->device;
}

int entry::MemoryInfoGetDeviceMemType(const OrtMemoryInfo *info) {
  return info ? info->deviceMemory : 0;
}

uint32_t entry::MemoryInfoGetVendorId(const OrtMemoryInfo *info) {
  return info ? info->vendor : 0;
}

void entry::ReleaseMemoryInfo(OrtMemoryInfo *info) { delete info; }

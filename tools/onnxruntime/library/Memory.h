//===- Memory.h - allocators ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_LIBRARY_MEMORY_H
#define GLOW_TOOLS_ONNXRUNTIME_LIBRARY_MEMORY_H

#include "Interface.h"
#include <cstddef>
#include <string>

namespace glow::ort {

/// Memory for std::free, aligned for all elements. Throws std::bad_alloc.
void *allocate(size_t bytes);

/// The allocator that ReleaseAllocator does not free.
OrtAllocator *defaultAllocator();

/// Memory of an application's allocator. Throws Failure without memory.
void *allocateBy(OrtAllocator &allocator, size_t bytes);

/// A text with its 0 at the end.
char *copyText(OrtAllocator &allocator, const std::string &text);

/// The memory of all tensors.
const OrtMemoryInfo &processorMemory();

} // namespace glow::ort

#endif

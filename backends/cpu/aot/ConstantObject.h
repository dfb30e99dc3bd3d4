//===- ConstantObject.h - constants beside code, as an ELF file -*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_CONSTANTOBJECT_H
#define GLOW_BACKENDS_CPU_AOT_CONSTANTOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <string_view>

namespace glow::cpu {

/// Bytes that are written piece by piece, so that no second copy is in memory.
struct ByteSource {
  uint64_t bytes;
  std::function<void(const std::function<void(std::string_view)> &append)>
      write;
};

/// Writes an ELF object with only read-only data, aligned to 64 bytes, under a
/// symbol that users of a library cannot see. It has the processor of `beside`,
/// a little-endian 64-bit object.
void writeConstantObject(llvm::raw_ostream &stream, llvm::StringRef beside,
                         llvm::StringRef name, const ByteSource &data);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_CONSTANTOBJECT_H

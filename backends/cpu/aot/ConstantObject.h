//===- ConstantObject.h - constants beside code, as an ELF file -*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_CONSTANTOBJECT_H
#define GLOW_BACKENDS_CPU_AOT_CONSTANTOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <string_view>

namespace glow::cpu {

/// Bytes that are written piece by piece, so that they need not be in memory
/// once more.
struct ByteSource {
  uint64_t bytes;
  std::function<void(const std::function<void(std::string_view)> &append)>
      write;
};

/// Writes an object of ELF that has nothing but read-only data, at a multiple
/// of 64 bytes, under a name that is hidden from users of a library. It is for
/// the processor of `beside`, an object of 64 bits with low bytes first.
void writeConstantObject(llvm::raw_ostream &stream, llvm::StringRef beside,
                         llvm::StringRef name, const ByteSource &data);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_CONSTANTOBJECT_H

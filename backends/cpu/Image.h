//===- Image.h - from LLVM IR to code in memory ---------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_IMAGE_H
#define GLOW_BACKENDS_CPU_IMAGE_H

#include "Emit.h"
#include "llvm/ADT/SmallVector.h"

namespace glow::cpu {

/// Brings what the module uses of the library into it. Fails if the library
/// does not have it.
Status linkLibrary(CodeModule &unit);

/// The module as an object file.
Result<llvm::SmallVector<char, 0>> generateObject(CodeModule &unit);

/// Code that can be called in this process.
class Image {
public:
  virtual ~Image() = default;
  /// Null when there is no function of this name.
  virtual void *find(llvm::StringRef function) const = 0;
};
Result<std::shared_ptr<const Image>>
loadObject(llvm::SmallVector<char, 0> object);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_IMAGE_H

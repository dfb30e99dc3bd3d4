//===- MemorySpace.h - memories of a backend beside the arena ---*- C++ -*-===//

#ifndef GLOW_IR_MEMORYSPACE_H
#define GLOW_IR_MEMORYSPACE_H

#include "glow/IR/Structure.h"

#include <cstdint>
#include <string>
#include <vector>

namespace glow::ir {

/// A MemorySpace record. Sizes are in bytes.
struct MemorySpace {
  std::string name; ///< as of the buffers that are in it
  uint64_t bytes;
  uint64_t alignment; ///< of a buffer in it: a power of two
};

/// As options of passes have it: "scratchpad:4096:64".
std::string textOf(const MemorySpace &memory);

/// From such texts; fails after a diagnostic at the function.
mlir::FailureOr<std::vector<MemorySpace>>
memorySpacesOf(FuncOp function, llvm::ArrayRef<std::string> texts);

/// The name of the memory that a buffer is in; "" for the arena, or where the
/// caller has it.
llvm::StringRef memoryOf(mlir::Value buffer);

/// For messages: "the arena", or "memory 'scratchpad'".
std::string describeMemory(llvm::StringRef name);

} // namespace glow::ir

#endif // GLOW_IR_MEMORYSPACE_H

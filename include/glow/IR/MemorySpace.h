//===- MemorySpace.h - memories of a backend, and copies -------*- C++ -*-===//

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
  uint64_t alignment;     ///< of a buffer in it: a power of two
  uint64_t bandwidth = 0; ///< of copies, in bytes a cycle; 0: no limit
};

/// A DmaEngine record.
struct DmaEngine {
  std::string name;       ///< as of the instructions that it carries out
  uint64_t channels;      ///< copies under way at once, 1 or more
  uint64_t bytesPerCycle; ///< of one copy, 1 or more
  uint64_t latency;       ///< cycles before the first byte
  uint64_t perRun = 0;    ///< cycles for each run of bytes in the arena
};

/// As options of passes have it: "scratchpad:4096:64:32", "dma:2:16:100:4".
std::string textOf(const MemorySpace &memory);
std::string textOf(const DmaEngine &engine);

/// From such texts, also without the last number; fails after a diagnostic at
/// the function.
mlir::FailureOr<std::vector<MemorySpace>>
memorySpacesOf(FuncOp function, llvm::ArrayRef<std::string> texts);
mlir::FailureOr<std::vector<DmaEngine>>
dmaEnginesOf(FuncOp function, llvm::ArrayRef<std::string> texts);

/// The name of the memory that a buffer is in; "" for the arena, or where the
/// caller has it.
llvm::StringRef memoryOf(mlir::Value buffer);

/// For messages: "the arena", or "memory 'scratchpad'".
std::string describeMemory(llvm::StringRef name);

} // namespace glow::ir

#endif // GLOW_IR_MEMORYSPACE_H

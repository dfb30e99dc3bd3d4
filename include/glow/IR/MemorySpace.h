//===- MemorySpace.h - memories of a backend, and copies -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_MEMORYSPACE_H
#define GLOW_IR_MEMORYSPACE_H

#include "glow/IR/Structure.h"

#include <cstdint>
#include <string>
#include <vector>

namespace glow::ir {

/// A MemorySpace record. Sizes are in bytes.
struct MemorySpace {
  std::string name; ///< name, as in the type of its buffers
  uint64_t bytes;
  uint64_t alignment;     ///< alignment of its buffers: a power of two
  uint64_t bandwidth = 0; ///< for copies, in bytes a cycle; 0: no limit
};

/// A DmaEngine record.
struct DmaEngine {
  std::string name;       ///< name, as in the records of its instructions
  uint64_t channels;      ///< concurrent copies, 1 or more
  uint64_t bytesPerCycle; ///< for one copy, 1 or more
  uint64_t latency;       ///< cycles before the first byte
  uint64_t perRun = 0; ///< cycles for each contiguous run of bytes in the arena
};

/// The form in options of passes: "scratchpad:4096:64:32", "dma:2:16:100:4".
std::string textOf(const MemorySpace &memory);
std::string textOf(const DmaEngine &engine);

/// Parse such texts, where the last number is optional. Fail after a diagnostic
/// at the function.
mlir::FailureOr<std::vector<MemorySpace>>
memorySpacesOf(FuncOp function, llvm::ArrayRef<std::string> texts);
mlir::FailureOr<std::vector<DmaEngine>>
dmaEnginesOf(FuncOp function, llvm::ArrayRef<std::string> texts);

/// The name of the memory of a buffer; "" for the arena, or for a buffer of the
/// caller.
llvm::StringRef memoryOf(mlir::Value buffer);

/// Description of a memory in messages: "the arena", or "memory 'scratchpad'".
std::string describeMemory(llvm::StringRef name);

} // namespace glow::ir

#endif // GLOW_IR_MEMORYSPACE_H

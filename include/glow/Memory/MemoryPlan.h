//===- MemoryPlan.h - report of a memory plan -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_MEMORYPLAN_H
#define GLOW_MEMORY_MEMORYPLAN_H

#include "glow/IR/Structure.h"

#include <optional>
#include <string>
#include <vector>

namespace glow::ir {

/// The memory use of a program. All sizes are in bytes.
struct MemoryPlan {
  struct Row {
    std::string name; ///< name of the buffer
    std::string type; ///< as in the text of the function
    uint64_t offset;  ///< in the arena, or in its memory
    uint64_t bytes;
    std::string first; ///< first instruction with a use
    std::string last;  ///< last instruction with a use
  };

  /// Use of a memory beside the arena.
  struct Memory {
    std::string name;
    uint64_t bytes;
  };

  /// Predictions of the pass overlap-copies: "total", "hidden"...
  struct Cycles {
    std::string name;
    uint64_t count;
  };

  uint64_t arenaBytes = 0; ///< the size of the arena
  uint64_t liveBytes = 0;  ///< the peak of bytes in use at once
  /// The peak in a run whose sizes are in the middle of their ranges; absent
  /// where all sizes are fixed.
  std::optional<uint64_t> middleBytes;
  /// The peak and the bindings of the caller for the least sizes.
  struct Least {
    uint64_t liveBytes, boundBytes;
  };
  std::optional<Least> least;   ///< absent where all sizes are fixed
  uint64_t constantBytes = 0;   ///< constant bindings
  uint64_t boundBytes = 0;      ///< bindings that the caller provides
  std::vector<Memory> memories; ///< used memories only
  std::vector<Cycles> cycles;   ///< empty without copies
  /// The buffers of the arena, by offset, then those of each other memory,
  /// which their types name.
  std::vector<Row> rows;

  /// The plan of a function after place-buffers. For any other function, a plan
  /// without rows and with an arena of 0.
  static MemoryPlan of(FuncOp function);

  /// Prints totals and a table with one line for each buffer.
  void print(llvm::raw_ostream &os) const;
};

} // namespace glow::ir

#endif // GLOW_MEMORY_MEMORYPLAN_H

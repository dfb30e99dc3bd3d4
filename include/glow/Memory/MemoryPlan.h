//===- MemoryPlan.h - a report of where buffers are -------------*- C++ -*-===//

#ifndef GLOW_MEMORY_MEMORYPLAN_H
#define GLOW_MEMORY_MEMORYPLAN_H

#include "glow/IR/Structure.h"

#include <string>
#include <vector>

namespace glow::ir {

/// What the memory of a program is used for. All sizes are in bytes.
struct MemoryPlan {
  struct Row {
    std::string name; ///< of the buffer
    std::string type; ///< as in the text of the function
    uint64_t offset;  ///< in the arena, or in the memory
    uint64_t bytes;
    std::string first; ///< the first instruction that needs it
    std::string last;  ///< the last instruction that needs it
  };

  /// How far a memory beside the arena is used.
  struct Memory {
    std::string name;
    uint64_t bytes;
  };

  /// What overlap-copies predicts: "total", "hidden"...
  struct Cycles {
    std::string name;
    uint64_t count;
  };

  uint64_t arenaBytes = 0;      ///< the size of the arena
  uint64_t liveBytes = 0;       ///< the most ever in use at once
  uint64_t constantBytes = 0;   ///< constant bindings
  uint64_t boundBytes = 0;      ///< bindings that the caller brings
  std::vector<Memory> memories; ///< those that are used
  std::vector<Cycles> cycles;   ///< none where nothing copies
  /// The buffers of the arena, by offset, and those of each other memory, which
  /// their types name.
  std::vector<Row> rows;

  /// The plan of a function that place-buffers has been through. Of any other
  /// function, a plan with no rows and an arena of 0.
  static MemoryPlan of(FuncOp function);

  /// Prints totals and a table with one line a buffer.
  void print(llvm::raw_ostream &os) const;
};

} // namespace glow::ir

#endif // GLOW_MEMORY_MEMORYPLAN_H

//===- PredictCycles.h - how long instructions take -------------*- C++ -*-===//

#ifndef GLOW_MEMORY_PREDICTCYCLES_H
#define GLOW_MEMORY_PREDICTCYCLES_H

#include "glow/IR/MemorySpace.h"
#include "glow/Memory/Timeline.h"

namespace glow::ir {

/// What copies, as a backend's records say.
struct CopyRecords {
  std::vector<MemorySpace> memories;
  std::vector<DmaEngine> engines;
  uint64_t bandwidth; ///< of the arena, in bytes a cycle; 0: any
};

/// Whether a DMA engine carries the instruction out.
bool isCopy(mlir::Operation *instr);

/// The bytes that a copy moves. The arena is memory 0, the others follow in the
/// order of the records. A copy moves the part that it touches of a buffer, or
/// its largest buffer where it touches no part.
Moved movedBy(mlir::Operation *instr, const CopyRecords &records);

/// The engines and memories of the records, numbered as in `movedBy`.
Copiers copiersOf(const CopyRecords &records);

/// How long an instruction takes by itself: a copy until it has landed.
uint64_t cyclesOf(mlir::Operation *instr, const CopyRecords &records);

/// Fails after a diagnostic at an instruction whose engine is not there.
mlir::LogicalResult checkEngines(FuncOp function, const CopyRecords &records);

/// The times of a function's instructions in their order, by the costs of their
/// records and what copies move. Its engines are there, and what waits follows
/// what it waits for. Calls `passed` for each with the cycles by which it is
/// later after it than before, waits for copies included.
Timeline predictCycles(
    FuncOp function, const CopyRecords &records,
    llvm::function_ref<void(mlir::Operation *, double)> passed = nullptr);

} // namespace glow::ir

#endif // GLOW_MEMORY_PREDICTCYCLES_H

//===- PredictCycles.h - cycles of instructions -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_PREDICTCYCLES_H
#define GLOW_MEMORY_PREDICTCYCLES_H

#include "glow/IR/MemorySpace.h"
#include "glow/Memory/Timeline.h"

namespace glow::ir {

/// The memories and DMA engines of a backend's records.
struct CopyRecords {
  std::vector<MemorySpace> memories;
  std::vector<DmaEngine> engines;
  uint64_t bandwidth; ///< bytes a cycle, in the arena; 0: no limit
};

/// Whether a DMA engine executes the instruction.
bool isCopy(mlir::Operation *instr);

/// The bytes that a copy moves, and its path. The arena is memory 0; the others
/// follow in the order of the records. A copy moves the box that it accesses in
/// a buffer or, without a box, its largest buffer.
Moved movedBy(mlir::Operation *instr, const CopyRecords &records);

/// The engines and memories of the records, numbered as in `movedBy`.
Copiers copiersOf(const CopyRecords &records);

/// The cycles of a single instruction; for a copy, until its completion.
uint64_t cyclesOf(mlir::Operation *instr, const CopyRecords &records);

/// Fails after a diagnostic at an instruction whose engine does not exist.
mlir::LogicalResult checkEngines(FuncOp function, const CopyRecords &records);

/// Predicts the times of a function's instructions in their order, from the
/// costs of their records and from the bytes that copies move. All engines
/// exist, and a wait follows the copy that it waits for. Calls `passed` for
/// each instruction with the cycles that it adds, including waits for copies.
Timeline predictCycles(
    FuncOp function, const CopyRecords &records,
    llvm::function_ref<void(mlir::Operation *, double)> passed = nullptr);

} // namespace glow::ir

#endif // GLOW_MEMORY_PREDICTCYCLES_H

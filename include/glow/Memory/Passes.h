//===- Passes.h - memory planning passes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Passes from defs/passes/Memory.td. Each works on one `glowir.func`.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_MEMORY_PASSES_H
#define GLOW_MEMORY_PASSES_H

#include "glow/IR/MemorySpace.h"
#include "mlir/Pass/Pass.h"

namespace glow::ir {

#define GEN_PASS_DECL
#include "glow/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Memory/Passes.h.inc"

/// Verifies the offsets of buffers in the arena and in each other memory. Every
/// buffer needs an offset within its memory, at a multiple of `alignment` bytes
/// in the arena. Two buffers may overlap only while one of them is unused, or
/// if an instruction makes one from the other in place. Buffers may be in no
/// other memory.
///
/// Fails after a diagnostic for each buffer that is wrong.
mlir::LogicalResult verifyPlacement(FuncOp function, uint64_t alignment,
                                    llvm::ArrayRef<MemorySpace> memories);

} // namespace glow::ir

#endif // GLOW_MEMORY_PASSES_H

//===- Passes.h - passes that plan memory -----------------------*- C++ -*-===//
//
// Declared in defs/passes/Memory.td. Each works on one `glowir.func`.
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

/// Checks that every buffer of the arena has a place in it, at a multiple of
/// `alignment` bytes, and that no two overlap while both are in use, unless an
/// instruction makes the one from the other in place. The same of each other
/// memory, and that buffers are in no more than these.
///
/// Fails after a diagnostic for each buffer that is wrong.
mlir::LogicalResult verifyPlacement(FuncOp function, uint64_t alignment,
                                    llvm::ArrayRef<MemorySpace> memories);

} // namespace glow::ir

#endif // GLOW_MEMORY_PASSES_H

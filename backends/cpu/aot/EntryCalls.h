//===- EntryCalls.h - branches and loops in an entry point ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The steps of called functions stand in the code of the entry point, inside
// the branches and loops that run them. A list on the stack has the address of
// each port.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_AOT_ENTRYCALLS_H
#define GLOW_BACKENDS_CPU_AOT_ENTRYCALLS_H

#include "Bundle.h"
#include "codegen/emit/Emit.h"
#include "glow/Program/StepCalls.h"
#include <functional>

namespace glow::cpu {

/// Emits the steps of an entry point that call functions.
class EntryCalls {
public:
  /// The parts of the entry point that emit other code at the insertion point.
  struct Others {
    std::function<llvm::Value *(uint32_t buffer)> address;
    std::function<llvm::Value *(const Length &)> size; ///< in this run
    std::function<void(size_t first, size_t count)> steps;
    std::function<void(llvm::Value *isWrong)> failIf; ///< ends the run
  };
  /// Reserves memory at the insertion point, in the first block.
  EntryCalls(Emitter &code, llvm::Function *function, const StepCode &steps,
             Others others);

  /// The address that is bound to a port.
  llvm::Value *portAddress(uint32_t port);

  void emit(const Step &step);

private:
  void emitIf(const Step &step);
  void emitLoop(const Step &step);
  void beginCarried(const LoopOperands &operands, const StepCall &call);
  void bindTrip(const Step &step, llvm::Value *limit, llvm::Value *trip);
  void checkEnd(const Step &step, llvm::Value *limit);
  void endCarried(const LoopOperands &operands, const StepCall &call);
  llvm::Value *tripLimit(const Step &step);
  llvm::Value *sliceOf(uint32_t buffer, llvm::Value *slice);
  llvm::Value *sizeOf(uint32_t buffer, size_t axis);
  llvm::Value *bytesOf(uint32_t buffer, size_t firstAxis);
  void copyUnlessSame(uint32_t to, llvm::Value *from);
  void bind(uint32_t port, llvm::Value *address);
  llvm::Value *loadFlag(uint32_t buffer);
  llvm::BasicBlock *block(const char *name);

  Emitter &code;
  llvm::Function *function;
  const StepCode &steps;
  const Others others;
  llvm::Value *ports; ///< a pointer for each port
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_ENTRYCALLS_H

//===- EmittedSteps.h - the code of equal instructions, once ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_EMITTEDSTEPS_H
#define GLOW_BACKENDS_CPU_COMPILE_EMITTEDSTEPS_H

#include "codegen/step/Step.h"
#include "device/Code.h"
#include "device/StepMemory.h"
#include "glow/IR/Structure.h"
#include <map>
#include <set>

namespace glow::cpu {

/// The steps that were emitted for a program. Instructions that differ only in
/// their buffers share code. The exception is an arena with a limit, if step
/// memory beside the buffers fits at only one of the instructions.
class EmittedSteps {
public:
  using IsConstant = llvm::function_ref<bool(mlir::Value)>;
  using Emit = llvm::function_ref<std::optional<NativeStep>()>;

  /// The limit of the arena is that of the module's target, or, where that has
  /// none and the module `savesMemory`, 1.05 times the program's live bytes.
  /// A limit of all memory, if the target has one, counts the inputs, outputs
  /// and constants of `function`, packed constants, and the memory of each
  /// thread.
  EmittedSteps(CodeModule &module, ir::FuncOp function, const Program &program,
               const StepCode &steps);

  /// The step of instruction `index`, which `emit` makes where no earlier step
  /// suits. While `emit` runs, the module answers which memory has a place. The
  /// reference is valid until the next call.
  const std::optional<NativeStep> &
  find(mlir::Operation &op, IsConstant isConstant, size_t index, Emit emit);

private:
  /// The operation, its attributes, and the types of its operands, with a mark
  /// for constants; the context has each attribute and type once.
  using Key = std::vector<const void *>;
  static Key keyOf(mlir::Operation &op, IsConstant isConstant);

  /// Whether so many bytes had a place, when an emitter asked for it.
  struct Answer {
    int64_t shared, scratch, grown;
    bool hasPlace;
  };
  struct Emitted {
    std::vector<Answer> answers;
    std::optional<NativeStep> step;
  };
  /// The bytes of the arena with memory of a step, on so many threads.
  uint64_t arenaWith(size_t index, int64_t shared, int64_t scratch,
                     unsigned count);
  bool hasPlace(size_t index, int64_t shared, int64_t scratch, int64_t more);
  /// Counts the constants that a step packs, each of them once.
  void countPacked(const NativeStep &step, size_t index);
  /// Whether an emitter would get the same answers at another instruction.
  bool suits(const Emitted &emitted, size_t index);

  CodeModule &module;
  const StepCode &steps;
  const uint64_t arenaBytes;
  std::optional<LiveBuffers> buffers; ///< once a step asks for a place
  uint64_t limit = 0;                 ///< bytes of the arena; 0: none

  /// Bytes of the arena and of what packing adds to constants; 0: no limit.
  uint64_t allLimit = 0;
  uint64_t mostArena = 0; ///< with the memory of `threads` beside it
  uint64_t grown = 0;     ///< bytes that packing added to constants so far
  std::set<std::pair<uint32_t, size_t>> packed; ///< constants and their forms
  unsigned threads = 1;

  size_t forms = 0; ///< of packed constants, which are numbered from 1 on
  std::map<Key, std::vector<Emitted>> known;
};

/// Fails with Code::InvalidArgument, with both numbers, where an arena is
/// larger than a limit that is not 0. `content` names the parts of the arena.
Status checkArena(uint64_t arenaBytes, uint64_t limit, const char *content);

/// Fails if the greatest sizes of a function, for which a bundle has memory,
/// need more than the memory limit; 0 is that of the machine.
Status checkGreatest(ir::FuncOp function, uint64_t limit);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_EMITTEDSTEPS_H

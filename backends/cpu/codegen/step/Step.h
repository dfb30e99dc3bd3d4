//===- Step.h - from an instruction to its code ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_STEP_STEP_H
#define GLOW_BACKENDS_CPU_CODEGEN_STEP_STEP_H

#include "codegen/emit/Calls.h"
#include "codegen/tile/Tile.h"
#include "common/Processor.h"
#include "device/Choice.h"
#include <functional>
#include <optional>

namespace glow::cpu {

/// A constant in another order, made once when the program is compiled.
struct Packing {
  unsigned buffer;  ///< buffer of the step that the packed constant replaces
  int64_t elements; ///< of 4 bytes
  std::function<void(const float *from, float *to)> write;
  size_t form = 0; ///< packings of equal forms write equal bytes
};

/// The code of a step.
struct NativeStep {
  StepChoice choice;
  /// The work by which its time is predicted; nothing if the record defines the
  /// work.
  std::optional<Work> work;

  /// Phases, one after the other; each is a StepKernel.
  struct Phase {
    llvm::Function *function;
    int64_t chunks; ///< 0: it is not called
  };
  llvm::SmallVector<Phase, 1> phases;
  int64_t scratchBytes = 0; ///< of each thread
  int64_t sharedBytes = 0;  ///< of all threads; the kernels' last buffer
  /// The error of the step: it has failed if the first 8 bytes of shared memory
  /// are not 0 at its end.
  std::string failure;
  /// Bytes of shared memory that holds only this flag: a cache line.
  static constexpr int64_t flagBytes = 64;
  std::vector<Packing> packings;
};

/// A CodeFor record, for one instruction.
struct CodeRecord {
  const char *mnemonic, *algorithm;
  bool (*holds)(const Instr &instr);
  /// Nothing if another algorithm is faster, or if the arena has no space for
  /// it.
  std::optional<NativeStep> (*emit)(CodeModule &module, const Instr &instr,
                                    const llvm::Twine &name);
  bool fewerOperations; ///< than the definition has
  bool vectors;         ///< only for processors with vector registers
  bool takesLengths;    ///< its sizes may be lengths that a run gives
};

// The emitters that Cpu.td names.
#include "glow/Generated/CpuStepEmitters.h.inc"

/// The first of an instruction's records that holds; null if none does.
const CodeRecord *codeFor(const CodeModule &module, const Instr &instr);
/// Whether a chosen algorithm makes fewer operations than the definition has.
bool makesFewerOperations(llvm::StringRef mnemonic, llvm::StringRef algorithm);
/// Whether instructions of this name have records.
bool hasCode(llvm::StringRef mnemonic);
/// Emits code by the first record that holds and does not decline; nothing if
/// there is none.
std::optional<NativeStep> emitCode(CodeModule &module, const Instr &instr,
                                   const llvm::Twine &name);

/// Emits code by the index notation or the formula of the record; nothing if
/// the record has neither, or if no code can be made for its kinds or
/// functions.
std::optional<NativeStep> emitLoops(CodeModule &, const Instr &,
                                    const llvm::Twine &);

/// The epilogue of a formula and its extras, which are read beside a result of
/// shape `out`. Channels are in dimension `channel` and, if `blocked`, also in
/// the last one, as the node's record requires.
Epilogue epilogueOf(bool bias, const Formula &formula, const Operands &extras,
                    const Ints &out, size_t channel, bool blocked);
template <typename Call>
Epilogue epilogueOf(const Call &call, const Ints &out, size_t channel,
                    bool blocked) {
  return epilogueOf(call.bias.has_value(), call.epilogue, call.extras, out,
                    channel, blocked);
}

/// The addresses of the extras for a kernel that writes from element `out` on,
/// with `channel` as its first channel.
llvm::SmallVector<llvm::Value *> extrasAt(Emitter &code, const Operands &extras,
                                          const Epilogue &epilogue,
                                          llvm::Value *out,
                                          llvm::Value *channel);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_STEP_STEP_H

//===- Step.h - from an instruction to its code ---------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_STEP_H
#define GLOW_BACKENDS_CPU_CODEGEN_STEP_H

#include "Calls.h"
#include "Tile.h"
#include "device/Choice.h"
#include <functional>
#include <optional>

namespace glow::cpu {

/// A constant in another order, made once when the program is compiled.
struct Packing {
  unsigned buffer;  ///< of the step, which is given the packed one instead
  int64_t elements; ///< of 4 bytes
  std::function<void(const float *from, float *to)> write;
};

/// The code of a step.
struct NativeStep {
  StepChoice choice; ///< for people, and for the prediction of its time

  /// Phases, one after the other; each is a StepKernel.
  struct Phase {
    llvm::Function *function;
    int64_t chunks; ///< 0: it is not called
  };
  llvm::SmallVector<Phase, 1> phases;
  int64_t scratchBytes = 0; ///< of each thread
  int64_t sharedBytes = 0;  ///< of all; the last of the kernels' buffers
  /// What is wrong if the first 8 bytes of shared memory are not 0 at the end.
  std::string failure;
  std::vector<Packing> packings;
};

/// Emits the code of an instruction, or nothing if it is none of those that
/// the emitter is for.
using StepEmitter = std::optional<NativeStep> (*)(CodeModule &unit,
                                                  const Instr &instr,
                                                  const llvm::Twine &name);

// Those that Cpu.td names.
#define GLOW_STEP_EMITTER_FUNCTION(function)                                   \
  std::optional<NativeStep> function(CodeModule &, const Instr &,              \
                                     const llvm::Twine &);
#include "glow/Generated/GlowStepEmitters.h.inc"

/// A single Pointwise node, or a cast, of kinds that the library has.
std::optional<NativeStep> emitElementwise(CodeModule &, const Instr &,
                                          const llvm::Twine &);

/// Whether it has a convolution of each channel on its own.
bool hasDepthwise(const Instr &instr);

/// A formula and its extras; nothing if an extra cannot be read beside a result
/// of shape `out`, whose channels are in dimension `channel` and, where
/// `blocked`, in the last one.
std::optional<Epilogue> epilogueOf(bool bias, const Formula &formula,
                                   const Operands &extras, const Ints &out,
                                   size_t channel, bool blocked);
template <typename Call>
std::optional<Epilogue> epilogueOf(const Call &call, const Ints &out,
                                   size_t channel, bool blocked) {
  return epilogueOf(call.bias.has_value(), call.formula, call.extras, out,
                    channel, blocked);
}

/// Where a kernel that writes to element `out` on, the first of its channels
/// being `channel`, reads each of the extras.
llvm::SmallVector<llvm::Value *> extrasAt(Emitter &code, const Operands &extras,
                                          const Epilogue &epilogue,
                                          llvm::Value *out,
                                          llvm::Value *channel);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_STEP_H

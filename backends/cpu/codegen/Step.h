//===- Step.h - from an instruction to its code ---------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_STEP_H
#define GLOW_BACKENDS_CPU_CODEGEN_STEP_H

#include "Tile.h"
#include "device/Choice.h"
#include "glow/Base/Ints.h"
#include "mlir/IR/Operation.h"
#include <functional>
#include <optional>

namespace glow::cpu {

/// An instruction, as the emitters of its code see it.
class Instr {
public:
  /// `isConstant` says of a buffer whether its bytes are known.
  Instr(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isConstant)
      : op(op), isConstant(isConstant) {}

  /// The first buffer given for an operand: its number, or -1.
  int find(llvm::StringRef operand) const;
  size_t count(llvm::StringRef operand) const;
  Ints shape(unsigned buffer) const;
  int64_t bytes(unsigned buffer) const;
  bool isFloat(unsigned buffer) const;
  int64_t elementBytes(unsigned buffer) const;
  bool known(unsigned buffer) const;
  unsigned buffers() const;

  int64_t integer(llvm::StringRef attribute) const;
  bool flag(llvm::StringRef attribute) const;
  double real(llvm::StringRef attribute) const;
  Ints integers(llvm::StringRef attribute) const;
  llvm::StringRef text(llvm::StringRef attribute) const;

  mlir::Operation *op;

private:
  llvm::function_ref<bool(mlir::Value)> isConstant;
};

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
std::optional<NativeStep> emitPointwise(CodeModule &, const Instr &,
                                        const llvm::Twine &);

/// Whether it has a convolution of each channel on its own.
bool hasDepthwise(const Instr &instr);

/// What emitConv does with a convolution that Winograd's algorithm suits.
std::optional<NativeStep> emitWinograd(CodeModule &, const Instr &,
                                       const llvm::Twine &);

/// The formula and the extras of an instruction that has them; nothing if an
/// extra cannot be read beside a result of shape `out`, whose channels are in
/// dimension `channel` and, where `blocked`, in the last one.
std::optional<Epilogue> epilogueOf(const Instr &instr, const Ints &out,
                                   size_t channel, bool blocked);

/// Where a kernel that writes to element `out` on, the first of its channels
/// being `channel`, reads each of the extras.
llvm::SmallVector<llvm::Value *> extrasAt(Emitter &code, const Instr &instr,
                                          const Epilogue &epilogue,
                                          llvm::Value *out,
                                          llvm::Value *channel);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_STEP_H

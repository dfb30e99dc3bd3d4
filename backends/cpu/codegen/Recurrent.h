//===- Recurrent.h - cells of recurrent networks --------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_H
#define GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_H

#include "Step.h"
#include "glow/Program/Activations.h"

namespace glow::cpu {

/// The nodes; GruAfter resets what the weights made of the state.
enum class RecurrentKind { Rnn, Gru, GruAfter, Lstm };
RecurrentKind kindOf(const Instr &instr);

/// 16 units of an item of the batch, or fewer: where all that they need lies.
struct UnitBlock {
  llvm::Value *unit;  ///< the number of the first
  llvm::Value *sums;  ///< what each gate has of the state, 16 lanes each
  llvm::Value *gates; ///< what the first gate has of the input
  llvm::Value *before, *after;               ///< the state
  llvm::Value *cell = nullptr;               ///< of an LSTM
  llvm::Value *z = nullptr, *seen = nullptr; ///< of a Gru, from pass to pass
  int64_t count = lanes;
};

/// Emits what follows the sums.
class CellEmitter {
public:
  CellEmitter(Emitter &code, const Instr &instr, RecurrentKind kind,
              int64_t direction);

  /// Of a pass whose sums begin with the gate `firstGate`.
  void emit(const UnitBlock &block, int64_t firstGate);

private:
  llvm::Value *lstm();
  llvm::Value *peep(int64_t which, llvm::Value *cell, llvm::Value *gate);
  llvm::Value *gruAfter();
  void gruGates();
  llvm::Value *mix(llvm::Value *z, llvm::Value *g);
  llvm::Value *load(llvm::Value *pointer);
  llvm::Value *bias();
  llvm::Value *inputOf(int64_t gate);
  llvm::Value *sumOf(int64_t gate);
  llvm::Value *gateOf(int64_t gate);
  llvm::Value *activate(int64_t index, llvm::Value *x);

  Emitter &code;
  const Instr &instr;
  RecurrentKind kind;
  int64_t direction, hidden, firstGate = 0;
  double clip;
  std::vector<Activation> activations; // of the direction
  const UnitBlock *block = nullptr;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_H

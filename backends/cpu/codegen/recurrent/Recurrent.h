//===- Recurrent.h - cells of recurrent networks --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_RECURRENT_H
#define GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_RECURRENT_H

#include "codegen/step/Step.h"
#include "glow/Base/Activations.h"

namespace glow::cpu {

/// The kinds of nodes. GruAfter applies the reset gate after the product of the
/// state with the weights.
enum class RecurrentKind { Rnn, Gru, GruAfter, Lstm };

/// The operands of a recurrent node of any kind.
struct RecurrentCall {
  explicit RecurrentCall(const calls::RnnCall &call)
      : RecurrentCall(call, RecurrentKind::Rnn) {}
  explicit RecurrentCall(const calls::GruCall &call)
      : RecurrentCall(call, call.resetAfter ? RecurrentKind::GruAfter
                                            : RecurrentKind::Gru) {
    bias = call.bias;
  }
  explicit RecurrentCall(const calls::LstmCall &call)
      : RecurrentCall(call, RecurrentKind::Lstm) {
    cell = call.cell, initialCell = call.initialCell;
    peepholes = call.peepholes, coupled = call.coupled;
  }

  RecurrentKind kind;
  Operand out, last, weights, gates;
  std::optional<Operand> initial, lengths;
  Direction direction;
  std::vector<Activation> activations;
  double clip;
  std::optional<Operand> bias = {}; ///< only of a GRU
  std::optional<Operand> cell = {}, initialCell = {}, peepholes = {}; ///< Lstm
  bool coupled = false;

private:
  template <typename Call>
  RecurrentCall(const Call &call, RecurrentKind kind)
      : kind(kind), out(call.out), last(call.last), weights(call.weights),
        gates(call.gates), initial(call.initial), lengths(call.lengths),
        direction(call.direction),
        activations(parseActivations(call.activations)), clip(call.clip) {}
};

/// The addresses of a block of up to 16 units of an item of the batch.
struct UnitBlock {
  llvm::Value *unit;  ///< the number of the first
  llvm::Value *sums;  ///< each gate's sums over the state, 16 lanes each
  llvm::Value *gates; ///< the first gate's sums over the input
  llvm::Value *before, *after;   ///< the state
  llvm::Value *result = nullptr; ///< another place for the state after
  llvm::Value *cell = nullptr;   ///< the cell of an LSTM
  llvm::Value *z = nullptr, *seen = nullptr; ///< a GRU's values between passes
  int64_t count = lanes;
};

/// Emits the computation of a cell after the sums.
class CellEmitter {
public:
  CellEmitter(Emitter &code, const RecurrentCall &call, int64_t direction);

  /// Emits the units of a pass whose sums begin with the gate `firstGate`.
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
  llvm::Value *activate(int64_t index, llvm::Value *x, bool clips = true);

  Emitter &code;
  const RecurrentCall &call;
  int64_t direction, hidden, firstGate = 0;
  std::vector<Activation> activations; // activations of the direction
  const UnitBlock *block = nullptr;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_RECURRENT_H

//===- RecurrentCell.cpp - cells of recurrent networks --------------------===//
// SPDX-License-Identifier: MIT
//
// Cells as ONNX defines them, with gates in its order: i o f c of an LSTM, z r
// h of a GRU. A gate is W x + R h + biases. `gates` has W x, which is computed
// for all time steps at once; `sums` has the product with the state.
//
//   LSTM  c' = f c + i g, h = o act(c'), where o sees c' by its peephole
//   GRU   h' = (1 - z) g + z h, computed as z (h - g) + g
//
//===----------------------------------------------------------------------===//

#include "Recurrent.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

CellEmitter::CellEmitter(Emitter &code, const RecurrentCall &call,
                         int64_t direction)
    : code(code), call(call), direction(direction),
      hidden(call.out.shape()[3]) {
  size_t each = call.activations.size() / size_t(call.out.shape()[1]);
  activations.assign(call.activations.begin() + long(size_t(direction) * each),
                     call.activations.end());
}

void CellEmitter::emit(const UnitBlock &where, int64_t first) {
  block = &where, firstGate = first;
  Value *h = nullptr;
  if (call.kind == RecurrentKind::Rnn)
    h = activate(0, gateOf(0));
  else if (call.kind == RecurrentKind::Lstm)
    h = lstm();
  else if (call.kind == RecurrentKind::GruAfter)
    h = gruAfter();
  else if (first == 0)
    return gruGates();
  else
    h = mix(code.loadVector(block->z), code.CreateFAdd(gateOf(2), bias()));
  code.storeVector(h, block->after, block->count);
  if (block->result)
    code.storeVector(h, block->result, block->count);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

Value *CellEmitter::lstm() {
  Value *c = load(block->cell);
  Value *i = activate(0, peep(0, c, gateOf(0)));
  Value *one = code.splat(ConstantFP::get(code.getFloatTy(), 1));
  // input_forget: the forget gate is 1 minus the input gate.
  Value *f = call.coupled ? code.CreateFSub(one, i)
                          : activate(0, peep(2, c, gateOf(2)));
  Value *g = activate(1, gateOf(3));
  c = code.multiplyAdd(f, c, code.CreateFMul(i, g));
  code.storeVector(c, block->cell, block->count);
  Value *o = activate(0, peep(1, c, gateOf(1)));
  return code.CreateFMul(o, activate(2, c, /*clips=*/false));
}

/// Adds the peephole connection from the cell to a gate, if there is one.
Value *CellEmitter::peep(int64_t which, Value *cell, Value *gate) {
  if (!call.peepholes)
    return gate;
  Value *weights = code.at(
      code.buffer(*call.peepholes),
      code.add(block->unit, code.integer((direction * 3 + which) * hidden)));
  return code.multiplyAdd(load(weights), cell, gate);
}

Value *CellEmitter::gruAfter() {
  Value *r = activate(0, gateOf(1));
  // linear_before_reset: the reset gate scales the product with the state and
  // its bias, not the state.
  Value *seen = code.CreateFAdd(sumOf(2), bias());
  return mix(activate(0, gateOf(0)), code.multiplyAdd(r, seen, inputOf(2)));
}

/// The first pass of a GRU: the update gate, and the state that the reset gate
/// has scaled, for the second pass.
void CellEmitter::gruGates() {
  Value *r = activate(0, gateOf(1));
  code.storeVector(activate(0, gateOf(0)), block->z);
  code.storeVector(code.CreateFMul(r, load(block->before)), block->seen);
}

Value *CellEmitter::mix(Value *z, Value *g) {
  g = activate(1, g);
  return code.multiplyAdd(z, code.CreateFSub(load(block->before), g), g);
}

//===----------------------------------------------------------------------===//
// Parts of cells
//===----------------------------------------------------------------------===//

Value *CellEmitter::load(Value *pointer) {
  return code.loadVector(pointer, block->count);
}

Value *CellEmitter::bias() {
  if (!call.bias)
    return ConstantAggregateZero::get(code.vector);
  return load(code.at(code.buffer(*call.bias),
                      code.add(block->unit, code.integer(direction * hidden))));
}

Value *CellEmitter::inputOf(int64_t gate) {
  return load(code.at(block->gates, gate * hidden));
}
Value *CellEmitter::sumOf(int64_t gate) {
  return code.loadVector(code.at(block->sums, (gate - firstGate) * lanes));
}
Value *CellEmitter::gateOf(int64_t gate) {
  return code.CreateFAdd(inputOf(gate), sumOf(gate));
}

Value *CellEmitter::activate(int64_t index, Value *x, bool clips) {
  Formula formula;
  Formula::Argument from = Formula::Input{0};
  if (clips && call.clip > 0) {
    formula.calls.push_back({"clip", {from, -call.clip, call.clip}});
    from = Formula::Value{0};
  }
  const Activation &activation = activations[size_t(index)];
  Formula::Call last{activation.mnemonic, {from}};
  last.arguments.insert(last.arguments.end(), activation.values.begin(),
                        activation.values.end());
  formula.calls.push_back(std::move(last));
  return emitFormula(code, formula, {x}, Rounding::Fast);
}

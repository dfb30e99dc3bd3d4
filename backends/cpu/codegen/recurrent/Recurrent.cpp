//===- Recurrent.cpp - recurrent networks: RNN, GRU, LSTM -----------------===//
// SPDX-License-Identifier: MIT
//
// A time step multiplies the state with the weights of the gates. Results hold
// the states.
//
//===----------------------------------------------------------------------===//

#include "Recurrent.h"
#include "RecurrentSteps.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

RecurrentSizes sizesOf(const RecurrentCall &call) {
  Ints shape = call.out.shape();
  Sizes sizes = call.out.sizes();
  return {shape[0], shape[1],          shape[2],
          shape[3], sizes[0].length(), sizes[2].length()};
}

/// The last gate of a GRU reads states that the reset gate has scaled: all of
/// them must be computed before, in another pass.
std::vector<GatePass> passesOf(const RecurrentCall &call) {
  if (call.kind == RecurrentKind::Gru)
    return {{0, 2}, {2, 1}};
  return {{0, call.weights.shape()[2] / call.out.shape()[3]}};
}

class RecurrentEmitter : public StepsEmitter {
public:
  RecurrentEmitter(CodeModule &module, const RecurrentCall &operands,
                   const Twine &name)
      : StepsEmitter(module, sizesOf(operands), operands.weights,
                     operands.direction, passesOf(operands), name),
        operands(operands) {
    if (passes.size() > 1)
      keptFloats = listSize() * 2 * sizes.directions;
  }

private:
  void emitBegin(Emitter &begin) override;
  void emitEnd(Emitter &end) override;
  void findRows(Value *s) override;
  Rows rowsOf(const GatePass &pass) override;
  void emitUnits(const GatePass &pass, const SummedUnits &units) override;

  void copy(Emitter &begin, const Operand &result,
            const std::optional<Operand> &operand);
  Value *stateAt(Emitter &code, const Operand &result) const;
  Value *rowOfOut(Emitter &code, Value *t) const;
  int64_t listSize() const { return sizes.batch * blocks * lanes; }
  /// The address of list `index` of the two lists of rows kept between passes.
  Value *list(int64_t index) {
    return code.at(kept(code), (direction * 2 + index) * listSize());
  }

  const RecurrentCall &operands;
  Value *out, *previous, *gates; // addresses of the current time step
};

/// Copies the initial states to the results that hold states.
void RecurrentEmitter::emitBegin(Emitter &begin) {
  copy(begin, operands.last, operands.initial);
  if (operands.cell)
    copy(begin, *operands.cell, operands.initialCell);
}

void RecurrentEmitter::copy(Emitter &begin, const Operand &result,
                            const std::optional<Operand> &operand) {
  Value *to = begin.buffer(result);
  Value *bytes = valueOf(begin, stateInRun() * (sizes.directions * 4));
  if (operand)
    begin.CreateMemCpy(to, Align(4), begin.buffer(*operand), Align(4), bytes);
  else
    begin.CreateMemSet(to, begin.getInt8(0), bytes, Align(4));
}

void RecurrentEmitter::emitEnd(Emitter &end) {
  end.CreateMemCpy(
      stateAt(end, operands.last), Align(4),
      rowOfOut(end,
               valueOf(end, isBackward() ? Length(0) : sizes.stepsInRun - 1)),
      Align(4), valueOf(end, stateInRun() * 4));
}

Value *RecurrentEmitter::stateAt(Emitter &code, const Operand &result) const {
  return code.at(code.buffer(result), valueOf(code, stateInRun() * direction));
}
Value *RecurrentEmitter::rowOfOut(Emitter &code, Value *t) const {
  return code.at(code.buffer(operands.out),
                 code.add(times(code, t, stateInRun() * sizes.directions),
                          valueOf(code, stateInRun() * direction)));
}

void RecurrentEmitter::findRows(Value *s) {
  bool backward = isBackward();
  Value *t =
      backward ? code.CreateSub(valueOf(code, sizes.stepsInRun - 1), s) : s;
  // At the first time step this row does not exist: the state is the initial
  // one, and the address is not read.
  Value *before = code.CreateAdd(t, code.integer(backward ? 1 : -1));
  out = rowOfOut(code, t);
  previous =
      code.CreateSelect(code.CreateICmpEQ(s, code.integer(0)),
                        stateAt(code, operands.last), rowOfOut(code, before));
  gates = code.at(
      code.buffer(operands.gates),
      code.add(times(code, t, sizes.itemsInRun * (sizes.directions * columns)),
               code.integer(direction * columns)));
}

StepsEmitter::Rows RecurrentEmitter::rowsOf(const GatePass &pass) {
  if (pass.firstGate > 0) // the pass before has scaled the states
    return {list(1), blocks * lanes};
  return {previous, sizes.hidden};
}

void RecurrentEmitter::emitUnits(const GatePass &pass,
                                 const SummedUnits &units) {
  Value *row = code.add(code.times(units.item, sizes.hidden), units.unit);
  Value *listRow = code.add(code.times(units.item, blocks * lanes), units.unit);
  UnitBlock block;
  block.unit = units.unit, block.sums = units.sums, block.count = units.count;
  block.gates = code.at(
      gates,
      code.add(code.times(units.item, sizes.directions * columns), units.unit));
  block.before = code.at(previous, row), block.after = code.at(out, row);
  if (operands.kind == RecurrentKind::Lstm)
    block.cell = code.at(stateAt(code, *operands.cell), row);
  if (passes.size() > 1) {
    block.z = code.at(list(0), listRow);
    block.seen = code.at(list(1), listRow);
  }
  CellEmitter(code, operands, direction).emit(block, pass.firstGate);
}

} // namespace

NativeStep cpu::emitRecurrent(CodeModule &module, const calls::RnnCall &call,
                              const Twine &name) {
  return RecurrentEmitter(module, RecurrentCall(call), name).emit();
}
NativeStep cpu::emitRecurrent(CodeModule &module, const calls::GruCall &call,
                              const Twine &name) {
  return RecurrentEmitter(module, RecurrentCall(call), name).emit();
}
NativeStep cpu::emitRecurrent(CodeModule &module, const calls::LstmCall &call,
                              const Twine &name) {
  return RecurrentEmitter(module, RecurrentCall(call), name).emit();
}

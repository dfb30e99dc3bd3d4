//===- RecurrentBackward.cpp - gradients of recurrent networks ------------===//
// SPDX-License-Identifier: MIT
//
// From the last time step to the first, the gradients of the gates of a step
// are multiplied by the turned weights, which gives the gradient of the state
// before. A step more than the cell has gives that of the initial state.
//
// `ofInitial` holds the rest of that gradient between steps: from the last
// state before the first step, and later from the gates of a GRU that keep the
// state.
//
//===----------------------------------------------------------------------===//

#include "RecurrentSteps.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// The operands of a backward node. An Rnn has no operands of cells.
struct BackwardCall {
  explicit BackwardCall(const calls::RnnBackwardCall &call)
      : factors(call.factors), turned(call.turned), ofOut(call.ofOut),
        ofLast(call.ofLast), ofGates(call.ofGates), ofInitial(call.ofInitial),
        direction(call.direction), kept(call.kept), ofStates(call.ofStates) {}
  explicit BackwardCall(const calls::LstmBackwardCall &call)
      : factors(call.factors), turned(call.turned), ofOut(call.ofOut),
        ofLast(call.ofLast), ofGates(call.ofGates), ofInitial(call.ofInitial),
        direction(call.direction), kept(call.kept), shown(call.shown),
        ofCell(call.ofCell), ofInitialCell(call.ofInitialCell),
        peepholes(call.peepholes) {}

  Operand factors, turned, ofOut, ofLast, ofGates, ofInitial;
  Direction direction;
  std::optional<Operand> kept;
  std::optional<Operand> ofStates = {};
  std::optional<Operand> shown = {}, ofCell = {}, ofInitialCell = {},
                         peepholes = {};
};

RecurrentSizes sizesOf(const BackwardCall &call) {
  Ints shape = call.ofOut.shape();
  Sizes sizes = call.ofOut.sizes();
  return {shape[0] + 1,          shape[1],         shape[2], shape[3],
          sizes[0].length() + 1, sizes[2].length()};
}

class BackwardEmitter : public StepsEmitter {
public:
  BackwardEmitter(CodeModule &module, const BackwardCall &operands,
                  const Twine &name)
      : StepsEmitter(module, sizesOf(operands), operands.turned,
                     operands.direction, {{0, 1}}, name),
        operands(operands), gates(depth / sizes.hidden) {
    startsWithout = true;
    operations = 12;
  }

private:
  void emitBegin(Emitter &begin) override;
  void emitEnd(Emitter &) override {}
  void findRows(Value *s) override;
  Rows rowsOf(const GatePass &) override {
    return {followingGates, sizes.directions * depth};
  }
  void emitUnits(const GatePass &pass, const SummedUnits &units) override;

  void emitRnn(Value *all);
  void emitLstm(Value *all);
  /// The address of the units in a result [d,n,h].
  Value *state(const Operand &operand);
  /// In a tensor [t,n,d,rows * h], in row `row`.
  Value *gate(const Operand &operand, int64_t rows, int64_t row);
  Value *load(Value *pointer) { return code.loadVector(pointer, units->count); }
  void store(Value *value, Value *pointer) {
    code.storeVector(value, pointer, units->count);
  }
  Value *factor(int64_t number) {
    return load(gate(operands.factors, gates, number));
  }
  Value *peephole(int64_t which);

  const BackwardCall &operands;
  const int64_t gates;
  const SummedUnits *units = nullptr; // that are emitted
  // The number of the time step, whether there is none, and the address of the
  // gradients of the gates of the step before in this order.
  Value *time = nullptr, *isEnd = nullptr, *followingGates = nullptr;
};

void BackwardEmitter::emitBegin(Emitter &begin) {
  Value *bytes = valueOf(begin, stateInRun() * (sizes.directions * 4));
  begin.CreateMemCpy(begin.buffer(operands.ofInitial), Align(4),
                     begin.buffer(operands.ofLast), Align(4), bytes);
  if (operands.ofCell)
    begin.CreateMemCpy(begin.buffer(*operands.ofInitialCell), Align(4),
                       begin.buffer(*operands.ofCell), Align(4), bytes);
}

void BackwardEmitter::findRows(Value *s) {
  Value *last = valueOf(code, sizes.stepsInRun - 2);
  isEnd = code.CreateICmpSGT(s, last);
  // At the ends, addresses of steps that are not there are not read.
  time = isBackward() ? s : code.CreateSub(last, s);
  Value *following = code.CreateAdd(time, code.integer(isBackward() ? -1 : 1));
  followingGates =
      code.at(code.buffer(operands.ofGates),
              code.add(times(code, following,
                             sizes.itemsInRun * (sizes.directions * depth)),
                       code.integer(direction * depth)));
}

Value *BackwardEmitter::state(const Operand &operand) {
  Value *row = code.add(code.times(units->item, sizes.hidden), units->unit);
  return code.at(code.buffer(operand),
                 code.add(valueOf(code, stateInRun() * direction), row));
}

Value *BackwardEmitter::gate(const Operand &operand, int64_t rows,
                             int64_t row) {
  const int64_t width = rows * sizes.hidden;
  Value *item = code.add(times(code, time, sizes.itemsInRun), units->item);
  Value *first = code.add(code.times(item, sizes.directions * width),
                          code.integer(direction * width + row * sizes.hidden));
  return code.at(code.buffer(operand), code.add(first, units->unit));
}

Value *BackwardEmitter::peephole(int64_t which) {
  return load(
      code.at(code.buffer(*operands.peepholes),
              code.add(units->unit,
                       code.integer((direction * 3 + which) * sizes.hidden))));
}

void BackwardEmitter::emitUnits(const GatePass &, const SummedUnits &where) {
  units = &where;
  Value *rest = state(operands.ofInitial);
  Value *all = code.CreateFAdd(code.loadVector(where.sums), load(rest));
  code.when(isEnd, [&] { store(all, rest); });
  code.when(code.CreateNot(isEnd), [&] {
    Value *row = code.add(times(code, time, stateInRun() * sizes.directions),
                          valueOf(code, stateInRun() * direction));
    row = code.add(row, code.times(where.item, sizes.hidden));
    row = code.add(row, where.unit);
    Value *whole =
        code.CreateFAdd(all, load(code.at(code.buffer(operands.ofOut), row)));
    operands.shown ? emitLstm(whole) : emitRnn(whole);
  });
}

void BackwardEmitter::emitRnn(Value *all) {
  for (int64_t number = 0; number < gates; ++number)
    store(code.CreateFMul(all, factor(number)),
          gate(operands.ofGates, gates, number));
  store(all, gate(*operands.ofStates, 1, 0));
  Value *kept = ConstantAggregateZero::get(code.vector);
  if (operands.kept)
    kept = code.CreateFMul(all, load(gate(*operands.kept, 1, 0)));
  store(kept, state(operands.ofInitial));
}

/// Gates i, o, f, g.
void BackwardEmitter::emitLstm(Value *all) {
  Value *rest = state(*operands.ofInitialCell);
  Value *output = code.CreateFMul(all, factor(1));
  Value *held =
      code.multiplyAdd(all, load(gate(*operands.shown, 1, 0)), load(rest));
  if (operands.peepholes)
    held = code.multiplyAdd(peephole(1), output, held);
  Value *input = code.CreateFMul(held, factor(0));
  Value *forget = code.CreateFMul(held, factor(2));
  Value *fresh = code.CreateFMul(held, factor(3));
  held = code.CreateFMul(held, load(gate(*operands.kept, 1, 0)));
  if (operands.peepholes) {
    held = code.multiplyAdd(peephole(0), input, held);
    held = code.multiplyAdd(peephole(2), forget, held);
  }
  store(held, rest);
  store(ConstantAggregateZero::get(code.vector), state(operands.ofInitial));
  Value *const ofGates[] = {input, output, forget, fresh};
  for (auto [number, value] : enumerate(ofGates))
    store(value, gate(operands.ofGates, gates, int64_t(number)));
}

} // namespace

NativeStep cpu::emitRecurrentBackward(CodeModule &module,
                                      const calls::RnnBackwardCall &call,
                                      const Twine &name) {
  return BackwardEmitter(module, BackwardCall(call), name).emit();
}
NativeStep cpu::emitRecurrentBackward(CodeModule &module,
                                      const calls::LstmBackwardCall &call,
                                      const Twine &name) {
  return BackwardEmitter(module, BackwardCall(call), name).emit();
}

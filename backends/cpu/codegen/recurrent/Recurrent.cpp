//===- Recurrent.cpp - recurrent networks: RNN, GRU, LSTM -----------------===//
// SPDX-License-Identifier: MIT
//
// A time step multiplies the state with the weights of the gates. Results hold
// the states.
//
// Sequences of different lengths are sorted (ItemOrder.h): a time step has the
// items that go on. Their states are dense, in the order of the sequences, in
// two lists that steps write in turn.
//
//===----------------------------------------------------------------------===//

#include "Recurrent.h"
#include "ItemOrder.h"
#include "RecurrentSteps.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

RecurrentSizes sizesOf(const RecurrentCall &call) {
  Ints shape = call.out.shape();
  Sizes sizes = call.out.sizes();
  return {shape[0],          shape[1],          shape[2],          shape[3],
          sizes[0].length(), sizes[2].length(), bool(call.lengths)};
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
    if (operands.lengths)
      keepOrder();
  }

private:
  void emitBegin(Emitter &begin) override;
  void emitEnd(Emitter &end) override;
  Value *itemsOfStep() override;
  void findRows(Value *s) override;
  Rows rowsOf(const GatePass &pass) override;
  void emitUnits(const GatePass &pass, const SummedUnits &units) override;

  void keepOrder();
  void beginItems(Emitter &begin);
  void endItems(Emitter &end);
  void eachItem(Emitter &code, function_ref<void(Value *)> body);
  Value *rowOf(Emitter &code, Value *rows, Value *item) const {
    return code.at(rows, code.times(item, sizes.hidden));
  }
  Value *states(Emitter &code, Value *s) const;
  void placeRows(UnitBlock &block, Value *item, Value *row);
  void placeOrdered(UnitBlock &block, Value *rank, Value *row);

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
  std::optional<ItemOrder> ranks; // of sequences of different lengths
  int64_t statesAt = 0;           // their states, an element of kept memory
  Value *now;                     // the current time step, and its addresses
  Value *out, *previous, *next, *gates;
};

/// Takes shared memory for sequences of different lengths.
void RecurrentEmitter::keepOrder() {
  statesAt = keptFloats;
  const int64_t end =
      keptFloats + sizes.batch * sizes.hidden * 2 * sizes.directions;
  ranks.emplace(*operands.lengths, operands.out, keptAt() + end * 4);
  keptFloats = (ranks->end() - keptAt()) / 4;
  failure = "the length of a sequence is out of the range 0 to " +
            sizes.stepsInRun.text();
}

/// Copies the initial states to the results that hold states.
void RecurrentEmitter::emitBegin(Emitter &begin) {
  copy(begin, operands.last, operands.initial);
  if (operands.cell)
    copy(begin, *operands.cell, operands.initialCell);
  if (ranks)
    beginItems(begin);
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

//===----------------------------------------------------------------------===//
// Sequences of different lengths
//===----------------------------------------------------------------------===//

/// Calls `body` with the number of each item.
void RecurrentEmitter::eachItem(Emitter &code,
                                function_ref<void(Value *)> body) {
  code.loop(code.integer(0), valueOf(code, sizes.itemsInRun), body,
            /*maybeNone=*/true);
}

/// Sorts the items, takes their states in this order, and clears the results
/// behind their ends.
void RecurrentEmitter::beginItems(Emitter &begin) {
  ranks->fill(begin);
  auto bytes = uint64_t(sizes.hidden * 4);
  for (direction = 0; direction < sizes.directions; ++direction) {
    eachItem(begin, [&](Value *rank) {
      begin.CreateMemCpy(rowOf(begin, states(begin, begin.integer(0)), rank),
                         Align(4),
                         rowOf(begin, stateAt(begin, operands.last),
                               ranks->itemAt(begin, rank)),
                         Align(4), bytes);
    });
    eachItem(begin, [&](Value *item) {
      begin.loop(
          ranks->lengthOf(begin, item), valueOf(begin, sizes.stepsInRun),
          [&](Value *t) {
            begin.CreateMemSet(rowOf(begin, rowOfOut(begin, t), item),
                               begin.getInt8(0), bytes, Align(4));
          },
          /*maybeNone=*/true);
    });
  }
}

/// Copies the last state of each item whose length is not 0.
void RecurrentEmitter::endItems(Emitter &end) {
  eachItem(end, [&](Value *item) {
    Value *length = ranks->lengthOf(end, item);
    end.when(end.CreateICmpNE(length, end.integer(0)), [&] {
      Value *last =
          isBackward() ? end.integer(0) : end.CreateSub(length, end.integer(1));
      end.CreateMemCpy(rowOf(end, stateAt(end, operands.last), item), Align(4),
                       rowOf(end, rowOfOut(end, last), item), Align(4),
                       uint64_t(sizes.hidden * 4));
    });
  });
}

/// The dense states of a direction before step `s`.
Value *RecurrentEmitter::states(Emitter &code, Value *s) const {
  Value *which = code.CreateAnd(s, code.integer(1));
  Value *list = code.add(which, code.integer(direction * 2));
  return code.at(code.at(kept(code), statesAt),
                 code.times(list, sizes.batch * sizes.hidden));
}

Value *RecurrentEmitter::itemsOfStep() {
  return ranks ? ranks->itemsOf(code, now) : StepsEmitter::itemsOfStep();
}

/// Finds the units of an item of the order, whose backward sequence begins at
/// its end.
void RecurrentEmitter::placeOrdered(UnitBlock &block, Value *rank, Value *row) {
  Value *item = ranks->itemAt(code, rank), *t = now;
  if (isBackward())
    t = code.CreateSub(
        code.CreateSub(ranks->lengthOf(code, item), code.integer(1)), now);
  Value *there = code.add(code.times(item, sizes.hidden), block.unit);
  Value *read = code.add(times(code, t, sizes.itemsInRun), item);
  block.gates = code.at(
      code.buffer(operands.gates),
      code.add(code.times(read, sizes.directions * columns),
               code.add(code.integer(direction * columns), block.unit)));
  block.before = code.at(previous, row), block.after = code.at(next, row);
  block.result = code.at(rowOfOut(code, t), there);
  if (operands.kind == RecurrentKind::Lstm)
    block.cell = code.at(stateAt(code, *operands.cell), there);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void RecurrentEmitter::emitEnd(Emitter &end) {
  if (ranks)
    return endItems(end);
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
  now = s;
  if (ranks) {
    previous = states(code, s);
    next = states(code, code.add(s, code.integer(1)));
    return;
  }
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

void RecurrentEmitter::placeRows(UnitBlock &block, Value *item, Value *row) {
  block.gates =
      code.at(gates, code.add(code.times(item, sizes.directions * columns),
                              block.unit));
  block.before = code.at(previous, row), block.after = code.at(out, row);
  if (operands.kind == RecurrentKind::Lstm)
    block.cell = code.at(stateAt(code, *operands.cell), row);
}

void RecurrentEmitter::emitUnits(const GatePass &pass,
                                 const SummedUnits &units) {
  Value *row = code.add(code.times(units.item, sizes.hidden), units.unit);
  Value *listRow = code.add(code.times(units.item, blocks * lanes), units.unit);
  UnitBlock block;
  block.unit = units.unit, block.sums = units.sums, block.count = units.count;
  if (ranks)
    placeOrdered(block, units.item, row);
  else
    placeRows(block, units.item, row);
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

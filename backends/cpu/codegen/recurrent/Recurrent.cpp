//===- Recurrent.cpp - recurrent networks: RNN, GRU, LSTM -----------------===//
// SPDX-License-Identifier: MIT
//
// A time step multiplies the state with the weights of the gates, a tile at a
// time. A tile has some blocks of 16 units (a group) with all of their gates,
// for some items of the batch. The units are finished while their sums are in
// registers or caches.
//
// Running chunks claim the groups of all time steps of a direction in order. A
// chunk waits until all groups that its own group needs are done. These were
// claimed before, so that a thread works on them and the wait ends. A chunk
// that starts late finds no group left.
//
// Sequences of different lengths are sorted (ItemOrder.h): a time step has
// tiles for those that go on. Their states are dense, in the order of the
// sequences.
//
//===----------------------------------------------------------------------===//

#include "Recurrent.h"
#include "ItemOrder.h"
#include "codegen/emit/OpenSizes.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// Gates whose sums are computed together, `units` blocks of each at a time.
struct Pass {
  int64_t firstGate, gates, units;
  int64_t groups = 0, firstGroup = 0; ///< its share of a time step's groups
};

/// Bytes of shared memory before the counters of the next direction.
constexpr int64_t counters = 128;

class RecurrentEmitter {
public:
  RecurrentEmitter(CodeModule &module, const RecurrentCall &operands,
                   const Twine &name)
      : operands(operands), kind(operands.kind), module(module),
        name(name.str()), code(module, module.addStep(name)) {
    Ints shape = operands.out.shape();
    Sizes sizes = operands.out.sizes();
    stepsInRun = sizes[0].length(), itemsInRun = sizes[2].length();
    steps = shape[0], directions = shape[1], batch = shape[2];
    hidden = shape[3];
    columns = operands.weights.shape()[2];
    blocks = (hidden + lanes - 1) / lanes;
    choosePasses();
    placeShared();
  }

  NativeStep emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({emitBegin(), 1});
    step.phases.push_back({code.function, directions * members});
    step.phases.push_back({emitEnd(), 1});
    step.scratchBytes = sumsSize() * 4;
    step.sharedBytes = sharedBytes;
    if (order)
      step.failure = "the length of a sequence is out of the range 0 to " +
                     stepsInRun.text();
    step.packings.push_back(packing());
    step.work = work();
    return step;
  }

private:
  /// Each gate of a unit ends with a function of some 25 instructions.
  Work work() const {
    double results =
        double(steps * directions * batch * blocks) * double(columns / hidden);
    Work work = tileWork(width, passes[0].gates * passes[0].units,
                         results * double(hidden), results, {});
    work.operations += results * 30;
    work.turns = double(steps);
    return work;
  }

  /// Chooses tiles. Rows that share a vector of weights amortise its load. With
  /// few rows, more units hide the latency of a sum.
  void choosePasses() {
    int64_t gates = columns / hidden;
    if (kind == RecurrentKind::Gru)
      // The last gate of a GRU reads states that the reset gate has scaled: all
      // of them must be computed before, in another pass.
      passes = {{0, 2, 1}, {2, 1, 1}};
    else
      passes = {{0, gates, 1}};
    width = std::min<int64_t>(batch, 6);
    auto fits = [&](const Pass &pass, int64_t units) {
      return code.module.target.fits(unsigned(width),
                                     unsigned(pass.gates * units));
    };
    while (width > 1 && !fits(passes[0], 1))
      --width;
    if (itemsInRun.isFixed() && !operands.lengths) {
      int64_t tiles = (batch + width - 1) / width;
      width = (batch + tiles - 1) / tiles; // as even as can be
    } else if (itemsInRun.range().low == 1) {
      // A run of one item takes no longer than half a tile.
      width = std::min<int64_t>(width, 2);
    }
    for (Pass &pass : passes)
      while (pass.units * pass.gates <= 4 && blocks % (2 * pass.units) == 0 &&
             fits(pass, 2 * pass.units))
        pass.units *= 2;
    for (Pass &pass : passes) {
      pass.groups = blocks / pass.units;
      pass.firstGroup = pass.firstGate ? passes[0].groups : 0;
    }
    // Threads synchronise in each time step, which pays only if it takes some
    // microseconds.
    if (stateSize() * columns >= 1 << 19)
      // A chunk without a group in a time step would only wait.
      members = std::min<int64_t>(8, passes[0].groups);
  }
  /// Places the parts of the shared memory: the flag of lengths, counters of
  /// the directions, lists between passes, dense states before and after a
  /// step.
  void placeShared() {
    countersAt = operands.lengths ? NativeStep::flagBytes : 0;
    keptAt = countersAt + directions * counters;
    statesAt =
        keptAt + (passes.size() > 1 ? keptSize() * 2 * directions * 4 : 0);
    sharedBytes = statesAt;
    if (!operands.lengths)
      return;
    order.emplace(*operands.lengths, operands.out,
                  statesAt + stateSize() * 2 * directions * 4);
    sharedBytes = order->end();
  }
  int64_t groupsOfStep() const {
    return passes.back().firstGroup + passes.back().groups;
  }

  int64_t sumsSize() const {
    int64_t most = 0;
    for (const Pass &pass : passes)
      most = std::max(most, width * pass.gates * pass.units * lanes);
    return most;
  }
  int64_t stateSize() const { return batch * hidden; }
  Length stateInRun() const { return itemsInRun * hidden; }
  int64_t keptSize() const { return batch * blocks * lanes; }

  //===--------------------------------------------------------------------===//
  // Time
  //===--------------------------------------------------------------------===//

  /// Emits phase 0, which copies the initial states to the results that hold
  /// states.
  Function *emitBegin() {
    Emitter begin(module, module.addStep(name + ".begin"));
    begin.CreateMemSet(
        begin.bytesAt(begin.buffer(operands.out.shared()), countersAt),
        begin.getInt8(0), uint64_t(directions * counters), Align(8));
    copy(begin, operands.last, operands.initial);
    if (operands.cell)
      copy(begin, *operands.cell, operands.initialCell);
    if (order)
      beginItems(begin);
    begin.CreateRetVoid();
    return begin.function;
  }

  void copy(Emitter &begin, const Operand &result,
            const std::optional<Operand> &operand) {
    Value *to = begin.buffer(result);
    Value *bytes = valueOf(begin, stateInRun() * (directions * 4));
    if (operand)
      begin.CreateMemCpy(to, Align(4), begin.buffer(*operand), Align(4), bytes);
    else
      begin.CreateMemSet(to, begin.getInt8(0), bytes, Align(4));
  }

  /// Calls `body` with the number of each item, and with each direction.
  void eachItem(Emitter &code, function_ref<void(Value *)> body) {
    for (direction = 0; direction < directions; ++direction)
      code.loop(code.integer(0), valueOf(code, itemsInRun), body,
                /*maybeNone=*/true);
  }
  Value *rowOf(Emitter &code, Value *rows, Value *item) const {
    return code.at(rows, code.times(item, hidden));
  }

  /// Sorts the items, takes their states in this order, and clears the results
  /// behind their ends.
  void beginItems(Emitter &begin) {
    order->fill(begin);
    auto bytes = uint64_t(hidden * 4);
    eachItem(begin, [&](Value *rank) {
      begin.CreateMemCpy(rowOf(begin, states(begin, begin.integer(0)), rank),
                         Align(4),
                         rowOf(begin, stateAt(begin, operands.last),
                               order->itemAt(begin, rank)),
                         Align(4), bytes);
    });
    eachItem(begin, [&](Value *item) {
      begin.loop(
          order->lengthOf(begin, item), valueOf(begin, stepsInRun),
          [&](Value *t) {
            begin.CreateMemSet(rowOf(begin, rowOfOut(begin, t), item),
                               begin.getInt8(0), bytes, Align(4));
          },
          /*maybeNone=*/true);
    });
  }

  /// Copies the last state of each item that has one.
  void endItems(Emitter &end) {
    eachItem(end, [&](Value *item) {
      Value *length = order->lengthOf(end, item);
      end.when(end.CreateICmpNE(length, end.integer(0)), [&] {
        Value *last = isBackward() ? end.integer(0)
                                   : end.CreateSub(length, end.integer(1));
        end.CreateMemCpy(rowOf(end, stateAt(end, operands.last), item),
                         Align(4), rowOf(end, rowOfOut(end, last), item),
                         Align(4), uint64_t(hidden * 4));
      });
    });
  }

  Function *emitEnd() {
    Emitter end(module, module.addStep(name + ".end"));
    if (order)
      endItems(end);
    for (direction = 0; !order && direction < directions; ++direction)
      end.CreateMemCpy(
          stateAt(end, operands.last), Align(4),
          rowOfOut(end,
                   valueOf(end, isBackward() ? Length(0) : stepsInRun - 1)),
          Align(4), valueOf(end, stateInRun() * 4));
    end.CreateRetVoid();
    return end.function;
  }

  bool isBackward() const {
    return direction == 1 || operands.direction == Direction::Reverse;
  }
  Value *stateAt(Emitter &code, const Operand &result) const {
    return code.at(code.buffer(result),
                   valueOf(code, stateInRun() * direction));
  }
  Value *rowOfOut(Emitter &code, Value *t) const {
    return code.at(code.buffer(0),
                   code.add(times(code, t, stateInRun() * directions),
                            valueOf(code, stateInRun() * direction)));
  }

  void emitChunk(Value *chunk) {
    Value *which = code.CreateURem(chunk, code.integer(directions));
    for (direction = 0; direction < directions; ++direction)
      code.when(code.CreateICmpEQ(which, code.integer(direction)), [&] {
        Value *all = valueOf(code, stepsInRun * groupsOfStep());
        if (members > 1)
          claim(all);
        else
          code.loop(code.integer(0), all,
                    [&](Value *index) { emitGroup(index); });
      });
  }

  void claim(Value *all) {
    LLVMContext &context = code.getContext();
    auto *turn = BasicBlock::Create(context, "claim", code.function);
    auto *work = BasicBlock::Create(context, "work", code.function);
    auto *after = BasicBlock::Create(context, "after", code.function);
    auto increment = [&](Value *counter, AtomicOrdering ordering) {
      return code.CreateAtomicRMW(AtomicRMWInst::Add, counter, code.integer(1),
                                  Align(8), ordering);
    };
    code.CreateBr(turn);
    code.SetInsertPoint(turn);
    // Claiming a group needs no memory order. Its completion is released here
    // and acquired in waitFor, since the next time step reads its states.
    Value *index = increment(counter(0), AtomicOrdering::Monotonic);
    code.CreateCondBr(code.CreateICmpSLT(index, all), work, after);
    code.SetInsertPoint(work);
    emitGroup(index);
    increment(counter(1), AtomicOrdering::Release);
    code.CreateBr(turn);
    code.SetInsertPoint(after);
  }

  /// A counter of the direction: 0 counts claimed groups, 1 finished groups.
  /// Each counter has its own cache line.
  Value *counter(int64_t which) {
    return code.CreateConstGEP1_64(
        code.getInt8Ty(), code.buffer(operands.out.shared()),
        uint64_t(countersAt + direction * counters + which * 64));
  }

  void waitFor(Value *groups) {
    auto *turn = BasicBlock::Create(code.getContext(), "wait", code.function);
    auto *after = BasicBlock::Create(code.getContext(), "after", code.function);
    code.CreateBr(turn);
    code.SetInsertPoint(turn);
    LoadInst *done =
        code.CreateAlignedLoad(code.getInt64Ty(), counter(1), Align(8));
    done->setAtomic(AtomicOrdering::Acquire);
    code.CreateCondBr(code.CreateICmpSLT(done, groups), turn, after);
    code.SetInsertPoint(after);
  }

  //===--------------------------------------------------------------------===//
  // Sums
  //===--------------------------------------------------------------------===//

  /// Emits a group. Every other time step goes through the units backwards, so
  /// that it begins with weights that are still in the cache.
  void emitGroup(Value *index) {
    Value *s = code.CreateUDiv(index, code.integer(groupsOfStep()));
    Value *rest = code.CreateURem(index, code.integer(groupsOfStep()));
    Value *isOdd = code.CreateTrunc(s, code.getInt1Ty());
    findRows(s);
    for (const Pass &pass : passes) {
      Value *i = code.CreateSub(rest, code.integer(pass.firstGroup));
      Value *mirrored = code.CreateSub(code.integer(pass.groups - 1), i);
      Value *group = code.CreateSelect(isOdd, mirrored, i);
      code.when(code.CreateICmpULT(i, code.integer(pass.groups)), [&] {
        if (members > 1)
          waitFor(code.add(code.times(s, groupsOfStep()),
                           code.integer(pass.firstGroup)));
        emitPass(pass, group);
      });
    }
  }

  /// The dense states of a direction before step `s`.
  Value *states(Emitter &code, Value *s) const {
    Value *which = code.CreateAnd(s, code.integer(1));
    return code.at(
        code.bytesAt(code.buffer(operands.out.shared()), statesAt),
        code.times(code.add(which, code.integer(direction * 2)), stateSize()));
  }

  void findRows(Value *s) {
    now = s;
    if (order) {
      previous = states(code, s);
      next = states(code, code.add(s, code.integer(1)));
      return;
    }
    bool backward = isBackward();
    Value *t = backward ? code.CreateSub(valueOf(code, stepsInRun - 1), s) : s;
    // At the first time step this row does not exist: the state is the initial
    // one, and the address is not read.
    Value *before = code.CreateAdd(t, code.integer(backward ? 1 : -1));
    out = rowOfOut(code, t);
    previous =
        code.CreateSelect(code.CreateICmpEQ(s, code.integer(0)),
                          stateAt(code, operands.last), rowOfOut(code, before));
    gates =
        code.at(code.buffer(operands.gates),
                code.add(times(code, t, itemsInRun * (directions * columns)),
                         code.integer(direction * columns)));
  }

  void emitPass(const Pass &pass, Value *group) {
    if (order || !itemsInRun.isFixed())
      return overTiles(
          code, order ? order->itemsOf(code, now) : valueOf(code, itemsInRun),
          width, [&](Value *item, int64_t count) {
            emitItems(pass, group, item, count);
          });
    if (int64_t full = batch / width)
      code.loop(code.integer(0), code.integer(full), [&](Value *tile) {
        emitItems(pass, group, code.times(tile, width), width);
      });
    if (int64_t rest = batch % width)
      emitItems(pass, group, code.integer(batch - rest), rest);
  }

  void emitItems(const Pass &pass, Value *group, Value *item, int64_t count) {
    int64_t size = pass.gates * pass.units * lanes;
    bool scaled = pass.firstGate > 0; // the pass before has scaled the states
    int64_t row = scaled ? blocks * lanes : hidden;
    Tile tile;
    tile.width = count, tile.blocks = pass.gates * pass.units;
    tile.inPixel = row, tile.outPixel = size;
    tile.count = 0, tile.outer = false, tile.tail = true;
    TileCall call;
    call.in = code.at(scaled ? kept(1) : previous, code.times(item, row));
    // The offset of the pass in the packed weights: all gates of the directions
    // before, and the gates of the pass before.
    int64_t start = direction * hidden * blocks * lanes * (columns / hidden) +
                    hidden * blocks * lanes * pass.firstGate;
    call.weights = code.at(
        code.buffer(operands.weights),
        code.add(code.times(group, hidden * size), code.integer(start)));
    call.out = code.scratch();
    call.outBlock = code.integer(lanes);
    call.tail = code.integer(hidden);
    emitTile(code, tile, call);
    code.loop(code.integer(0), code.integer(count), [&](Value *i) {
      for (int64_t unit = 0; unit < pass.units; ++unit)
        emitBlock(pass, group, unit, code.add(item, i),
                  code.at(call.out,
                          code.add(code.times(i, size),
                                   code.integer(unit * pass.gates * lanes))));
    });
  }

  void placeRows(UnitBlock &block, Value *item, Value *row) {
    block.gates = code.at(
        gates, code.add(code.times(item, directions * columns), block.unit));
    block.before = code.at(previous, row), block.after = code.at(out, row);
    if (kind == RecurrentKind::Lstm)
      block.cell = code.at(stateAt(code, *operands.cell), row);
  }

  /// The same for an item of the order, whose backward sequence begins at its
  /// end.
  void placeOrdered(UnitBlock &block, Value *rank, Value *row) {
    Value *item = order->itemAt(code, rank), *t = now;
    if (isBackward())
      t = code.CreateSub(
          code.CreateSub(order->lengthOf(code, item), code.integer(1)), now);
    Value *there = code.add(code.times(item, hidden), block.unit);
    Value *read = code.add(times(code, t, itemsInRun), item);
    block.gates = code.at(
        code.buffer(operands.gates),
        code.add(code.times(read, directions * columns),
                 code.add(code.integer(direction * columns), block.unit)));
    block.before = code.at(previous, row), block.after = code.at(next, row);
    block.result = code.at(rowOfOut(code, t), there);
    if (kind == RecurrentKind::Lstm)
      block.cell = code.at(stateAt(code, *operands.cell), there);
  }

  /// Emits a block of units; the last one may be smaller.
  void emitBlock(const Pass &pass, Value *group, int64_t unit, Value *item,
                 Value *sums) {
    Value *index = code.add(code.times(group, pass.units), code.integer(unit));
    UnitBlock block;
    block.unit = code.times(index, lanes);
    Value *row = code.add(code.times(item, hidden), block.unit);
    if (order)
      placeOrdered(block, item, row);
    else
      placeRows(block, item, row);
    Value *keptRow = code.add(code.times(item, blocks * lanes), block.unit);
    block.sums = sums;
    if (passes.size() > 1) {
      block.z = code.at(kept(0), keptRow);
      block.seen = code.at(kept(1), keptRow);
    }
    CellEmitter cell(code, operands, direction);
    // Only the last block of the last group may be partial. A block with a
    // successor in its group is always full.
    if (hidden % lanes == 0 || unit + 1 < pass.units)
      return cell.emit(block, pass.firstGate);
    Value *isLast = code.CreateICmpEQ(index, code.integer(blocks - 1));
    code.when(code.CreateNot(isLast),
              [&] { cell.emit(block, pass.firstGate); });
    block.count = hidden % lanes;
    code.when(isLast, [&] { cell.emit(block, pass.firstGate); });
  }

  /// The address of list `index` of the two lists of rows kept between passes.
  Value *kept(int64_t index) {
    return code.at(code.buffer(operands.out.shared()),
                   keptAt / 4 + (direction * 2 + index) * keptSize());
  }

  //===--------------------------------------------------------------------===//
  // Weights
  //===--------------------------------------------------------------------===//

  /// From [direction, k, gate, unit] to [direction][pass][group][k][block of
  /// the group][gate][16], zeros where there is no unit.
  Packing packing() const {
    int64_t size = directions * hidden * (columns / hidden) * blocks * lanes;
    return {operands.weights, size,
            [passes = passes, directions = directions, hidden = hidden,
             columns = columns, blocks = blocks](const float *from, float *to) {
              for (int64_t d = 0; d < directions; ++d)
                for (const Pass &pass : passes)
                  to = pack(pass, from + d * hidden * columns, hidden, columns,
                            blocks, to);
            }};
  }

  static float *pack(const Pass &pass, const float *from, int64_t hidden,
                     int64_t columns, int64_t blocks, float *to) {
    for (int64_t group = 0; group < blocks; group += pass.units)
      for (int64_t k = 0; k < hidden; ++k)
        for (int64_t b = group; b < group + pass.units; ++b)
          for (int64_t g = pass.firstGate; g < pass.firstGate + pass.gates;
               ++g, to += lanes) {
            int64_t there = std::min(lanes, hidden - b * lanes);
            std::copy_n(from + k * columns + g * hidden + b * lanes, there, to);
            std::fill_n(to + there, lanes - there, 0.0f);
          }
    return to;
  }

  const RecurrentCall &operands;
  RecurrentKind kind;
  CodeModule &module;
  std::string name;
  Emitter code;
  int64_t steps, directions, batch, hidden, columns, blocks; ///< the most
  Length stepsInRun, itemsInRun;
  std::vector<Pass> passes;
  int64_t width;       // items of a tile
  int64_t members = 1; // chunks of a direction

  /// Bytes of shared memory, and where its parts begin.
  int64_t sharedBytes, countersAt, keptAt, statesAt;
  std::optional<ItemOrder> order; // of sequences of different lengths

  int64_t direction = 0;                // the direction that is emitted
  Value *now;                           // the current time step
  Value *out, *previous, *next, *gates; // addresses of the time step
};

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

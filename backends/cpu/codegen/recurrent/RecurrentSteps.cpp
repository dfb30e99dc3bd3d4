//===- RecurrentSteps.cpp - steps that multiply by one matrix -------------===//
// SPDX-License-Identifier: MIT

#include "RecurrentSteps.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Bytes of shared memory before the counters of the next direction.
static constexpr int64_t counters = 128;

StepsEmitter::StepsEmitter(CodeModule &module, const RecurrentSizes &sizes,
                           const Operand &weights, Direction order,
                           std::vector<GatePass> passes, const Twine &name)
    : sizes(sizes), depth(weights.shape()[1]), columns(weights.shape()[2]),
      blocks((sizes.hidden + lanes - 1) / lanes), passes(std::move(passes)),
      module(module), code(module, module.addStep(name)), weights(weights),
      order(order), name(name.str()) {
  chooseTiles();
}

NativeStep StepsEmitter::emit() {
  code.loop(code.function->getArg(2), code.function->getArg(3),
            [&](Value *chunk) { emitChunk(chunk); });
  code.CreateRetVoid();
  Emitter begin(module, module.addStep(name + ".begin"));
  begin.CreateMemSet(
      begin.bytesAt(begin.buffer(weights.shared()), countersAt()),
      begin.getInt8(0), uint64_t(sizes.directions * counters), Align(8));
  emitBegin(begin);
  begin.CreateRetVoid();
  Emitter end(module, module.addStep(name + ".end"));
  for (direction = 0; direction < sizes.directions; ++direction)
    emitEnd(end);
  end.CreateRetVoid();
  NativeStep step;
  step.phases.push_back({begin.function, 1});
  step.phases.push_back({code.function, sizes.directions * members});
  step.phases.push_back({end.function, 1});
  step.scratchBytes = sumsSize() * 4;
  step.sharedBytes = keptAt() + keptFloats * 4;
  step.failure = failure;
  pack(step);
  step.work = work();
  return step;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Each gate of a unit ends with a function of some instructions.
Work StepsEmitter::work() const {
  double results = double(sizes.steps * sizes.directions * sizes.batch) *
                   double(blocks * (columns / sizes.hidden));
  Work work = tileWork(width, passes[0].gates * passes[0].units,
                       results * double(depth), results, {});
  work.operations += results * operations;
  work.turns = double(sizes.steps);
  return work;
}

/// Chooses tiles. Rows that share a vector of weights amortise its load. With
/// few rows, more units hide the latency of a sum.
void StepsEmitter::chooseTiles() {
  width = std::min<int64_t>(sizes.batch, 6);
  while (width > 1 &&
         !module.target.fits(unsigned(width), unsigned(passes[0].gates)))
    --width;
  if (sizes.itemsInRun.isFixed() && !sizes.losesItems) {
    int64_t tiles = (sizes.batch + width - 1) / width;
    width = (sizes.batch + tiles - 1) / tiles; // as even as can be
  } else if (sizes.itemsInRun.range().low == 1) {
    // A run of one item takes no longer than half a tile.
    width = std::min<int64_t>(width, 2);
  }
  for (GatePass &pass : passes)
    chooseUnits(pass);
  for (GatePass &pass : passes) {
    pass.groups = blocks / pass.units;
    pass.firstGroup = pass.firstGate ? passes[0].groups : 0;
  }
  // Threads synchronise in each step, which pays only if it takes some
  // microseconds.
  if (sizes.batch * depth * columns >= 1 << 19)
    // A chunk without a group in a step would only wait.
    members = std::min<int64_t>(8, passes[0].groups);
}

void StepsEmitter::chooseUnits(GatePass &pass) {
  while (pass.units * pass.gates <= 4 && blocks % (2 * pass.units) == 0 &&
         module.target.fits(unsigned(width),
                            unsigned(pass.gates * 2 * pass.units)))
    pass.units *= 2;
}

int64_t StepsEmitter::groupsOfStep() const {
  return passes.back().firstGroup + passes.back().groups;
}

int64_t StepsEmitter::sumsSize() const {
  int64_t most = 0;
  for (const GatePass &pass : passes)
    most = std::max(most, width * pass.gates * pass.units * lanes);
  return most;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void StepsEmitter::emitChunk(Value *chunk) {
  Value *which = code.CreateURem(chunk, code.integer(sizes.directions));
  for (direction = 0; direction < sizes.directions; ++direction)
    code.when(code.CreateICmpEQ(which, code.integer(direction)), [&] {
      Value *all = valueOf(code, sizes.stepsInRun * groupsOfStep());
      if (members > 1)
        claim(all);
      else
        code.loop(code.integer(0), all,
                  [&](Value *index) { emitGroup(index); });
    });
}

void StepsEmitter::claim(Value *all) {
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
  // and acquired in waitFor, since the next step reads its states.
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
Value *StepsEmitter::counter(int64_t which) {
  return code.CreateConstGEP1_64(
      code.getInt8Ty(), code.buffer(weights.shared()),
      uint64_t(countersAt() + direction * counters + which * 64));
}

void StepsEmitter::waitFor(Value *groups) {
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

/// Emits a group. Every other step goes through the units backwards, so that it
/// begins with weights that are still in the cache.
void StepsEmitter::emitGroup(Value *index) {
  Value *s = code.CreateUDiv(index, code.integer(groupsOfStep()));
  Value *rest = code.CreateURem(index, code.integer(groupsOfStep()));
  Value *isOdd = code.CreateTrunc(s, code.getInt1Ty());
  isFirst = code.CreateICmpEQ(s, code.integer(0));
  findRows(s);
  for (const GatePass &pass : passes) {
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

Value *StepsEmitter::itemsOfStep() { return valueOf(code, sizes.itemsInRun); }

void StepsEmitter::emitPass(const GatePass &pass, Value *group) {
  if (sizes.losesItems || !sizes.itemsInRun.isFixed())
    return overTiles(code, itemsOfStep(), width,
                     [&](Value *item, int64_t count) {
                       emitItems(pass, group, item, count);
                     });
  if (int64_t full = sizes.batch / width)
    code.loop(code.integer(0), code.integer(full), [&](Value *tile) {
      emitItems(pass, group, code.times(tile, width), width);
    });
  if (int64_t rest = sizes.batch % width)
    emitItems(pass, group, code.integer(sizes.batch - rest), rest);
}

void StepsEmitter::emitItems(const GatePass &pass, Value *group, Value *item,
                             int64_t count) {
  const int64_t size = pass.gates * pass.units * lanes;
  if (startsWithout) {
    code.when(isFirst, [&] {
      code.CreateMemSet(code.scratch(), code.getInt8(0),
                        uint64_t(count * size * 4), Align(4));
    });
    code.when(code.CreateNot(isFirst),
              [&] { emitSums(pass, group, item, count); });
  } else {
    emitSums(pass, group, item, count);
  }
  code.loop(code.integer(0), code.integer(count), [&](Value *i) {
    for (int64_t unit = 0; unit < pass.units; ++unit)
      emitBlock(pass, group, unit, code.add(item, i),
                code.at(code.scratch(),
                        code.add(code.times(i, size),
                                 code.integer(unit * pass.gates * lanes))));
  });
}

/// Emits the sums of a group for some items, to the thread's scratch.
void StepsEmitter::emitSums(const GatePass &pass, Value *group, Value *item,
                            int64_t count) {
  const int64_t size = pass.gates * pass.units * lanes;
  const Rows rows = rowsOf(pass);
  Tile tile;
  tile.width = count, tile.blocks = pass.gates * pass.units;
  tile.inPixel = rows.stride, tile.outPixel = size;
  tile.count = 0, tile.outer = false, tile.tail = true;
  TileCall call;
  call.in = code.at(rows.first, code.times(item, rows.stride));
  // The offset of the pass in the packed weights: all gates of the directions
  // before, and the gates of the pass before.
  const int64_t start =
      direction * packedSize() + depth * blocks * lanes * pass.firstGate;
  call.weights = code.at(
      packed(), code.add(code.times(group, depth * size), code.integer(start)));
  call.out = code.scratch();
  call.outBlock = code.integer(lanes);
  call.tail = code.integer(depth);
  emitTile(code, tile, call);
}

/// Emits a block of units; the last one may be smaller.
void StepsEmitter::emitBlock(const GatePass &pass, Value *group, int64_t unit,
                             Value *item, Value *sums) {
  Value *index = code.add(code.times(group, pass.units), code.integer(unit));
  SummedUnits units{code.times(index, lanes), item, sums, lanes};
  // Only the last block of the last group may be partial. A block with a
  // successor in its group is always full.
  if (sizes.hidden % lanes == 0 || unit + 1 < pass.units)
    return emitUnits(pass, units);
  Value *isLast = code.CreateICmpEQ(index, code.integer(blocks - 1));
  code.when(code.CreateNot(isLast), [&] { emitUnits(pass, units); });
  units.count = sizes.hidden % lanes;
  code.when(isLast, [&] { emitUnits(pass, units); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t StepsEmitter::keptAt() const {
  return countersAt() + sizes.directions * counters;
}
Value *StepsEmitter::kept(Emitter &code) const {
  return code.at(code.buffer(weights.shared()), keptAt() / 4);
}

int64_t StepsEmitter::packedSize() const {
  return depth * blocks * lanes * (columns / sizes.hidden);
}

Value *StepsEmitter::packed() {
  return weights.known() ? code.buffer(weights)
                         : code.at(kept(code), keptFloats);
}

void StepsEmitter::pack(NativeStep &step) {
  RecurrentWeights form{sizes.directions, depth,  columns,
                        sizes.hidden,     blocks, passes};
  if (weights.known()) {
    step.packings.push_back(form.packing(weights));
    return;
  }
  const int64_t before = keptAt() / 4 + keptFloats;
  step.phases.insert(step.phases.begin(),
                     form.phase(module, weights, before, name));
  step.sharedBytes += form.elements() * 4;
}

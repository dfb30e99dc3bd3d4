//===- BlockFloats.cpp - weights of few bits as real numbers --------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is a panel of 16 columns. Its weights are converted to real numbers
// in the thread's scratch, where they stay in a cache while tiles multiply all
// rows.
//
//===----------------------------------------------------------------------===//

#include "BlockMatMul.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::MatMulNBitsCall;

namespace {

class BlockFloatEmitter {
public:
  BlockFloatEmitter(CodeModule &unit, const MatMulNBitsCall &call,
                    const Twine &name)
      : call(call), s(call), code(unit, unit.addStep(name)),
        integers(FixedVectorType::get(code.getInt32Ty(), lanes)) {
    int64_t most = 1;
    while (most < 8 && unit.target.fits(unsigned(most) + 1, 1))
      ++most;
    int64_t tiles = (s.rows + most - 1) / most;
    width = (s.rows + tiles - 1) / tiles;
  }

  NativeStep emit() {
    scratch = code.scratch();
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *panel) {
          makeFloats(panel);
          emitForColumns(code, s, panel,
                         [&](int64_t columns) { emitTiles(panel, columns); });
        });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, s.panels()});
    step.scratchBytes = s.wholeInner() * lanes * 4;
    packBlocks(call, s, step);
    step.choice = tileChoice("", "packed", width, 1);
    double results = double(s.rows * s.panels());
    step.work = tileWork(width, 1, results * double(s.inner), results, {});
    return step;
  }

private:
  void makeFloats(Value *panel) {
    Value *first = code.times(panel, s.blocks);
    code.loop(code.integer(0), code.integer(s.blocks), [&](Value *block) {
      Value *place = code.times(code.add(first, block), lanes);
      Value *scale = code.loadVector(code.at(code.buffer(call.scales), place));
      Value *zero = zeroOfBlock(code, call, s, place);
      Value *to = code.at(scratch, code.times(block, s.block * lanes));
      code.loop(code.integer(0), code.integer(s.words()), [&](Value *word) {
        Value *at =
            code.add(code.times(place, s.words()), code.times(word, lanes));
        Value *codes = code.CreateAlignedLoad(
            integers, code.at(code.buffer(call.codes), at), Align(4));
        storeWord(codes, scale, zero,
                  code.at(to, code.times(word, s.wordCodes() * lanes)));
      });
    });
  }

  void storeWord(Value *codes, Value *scale, Value *zero, Value *to) {
    for (auto [i, real] : enumerate(realsOfWord(code, s, codes, scale, zero)))
      code.storeVector(real, code.at(to, int64_t(i) * lanes));
  }

  void emitTiles(Value *panel, int64_t lastLanes) {
    int64_t full = s.rows / width, rest = s.rows % width;
    code.loop(code.integer(0), code.integer(full), [&](Value *tile) {
      tileAt(panel, code.times(tile, width), width, lastLanes);
    });
    if (rest)
      tileAt(panel, code.integer(full * width), rest, lastLanes);
  }

  void tileAt(Value *panel, Value *row, int64_t rows, int64_t lastLanes) {
    Tile tile;
    tile.width = rows, tile.lastLanes = lastLanes;
    tile.inPixel = s.inner, tile.outPixel = s.columns;
    tile.count = 0, tile.outer = false, tile.tail = true;
    TileCall given;
    given.in = code.at(code.buffer(call.lhs), code.times(row, s.inner));
    given.weights = scratch;
    given.out = code.at(code.buffer(0), code.add(code.times(row, s.columns),
                                                 code.times(panel, lanes)));
    given.outBlock = code.integer(lanes);
    given.tail = code.integer(s.inner);
    emitTile(code, tile, given);
  }

  const MatMulNBitsCall &call;
  const BlockSizes s;
  Emitter code;
  FixedVectorType *integers;
  int64_t width; // rows of a tile
  Value *scratch = nullptr;
};

} // namespace

Value *cpu::zeroOfBlock(Emitter &code, const MatMulNBitsCall &call,
                        const BlockSizes &s, Value *place) {
  if (s.zero == CodeZero::Real)
    return code.loadVector(code.at(code.buffer(*call.realZeros), place));
  if (s.zero == CodeZero::Middle)
    return code.splat(
        ConstantFP::get(code.getFloatTy(), double(s.levels() / 2)));
  auto *bytes = FixedVectorType::get(code.getInt8Ty(), lanes);
  auto *integers = FixedVectorType::get(code.getInt32Ty(), lanes);
  Value *from =
      code.CreateGEP(code.getInt8Ty(), code.buffer(*call.zeros), place);
  Value *loaded = code.CreateAlignedLoad(bytes, from, Align(1));
  return code.CreateSIToFP(code.CreateZExt(loaded, integers), code.vector);
}

Emitter::Values cpu::realsOfWord(Emitter &code, const BlockSizes &s,
                                 Value *codes, Value *scale, Value *zero) {
  Emitter::Values reals;
  for (int64_t part = 0; part < 16 / s.bits; ++part)
    for (int64_t half = 0; half < 2; ++half) {
      Value *number =
          code.CreateLShr(codes, uint64_t(part * s.bits + half * 16));
      number = code.CreateAnd(number, uint64_t(s.levels() - 1));
      Value *real =
          code.CreateFSub(code.CreateSIToFP(number, code.vector), zero);
      reals.push_back(code.CreateFMul(real, scale));
    }
  return reals;
}

NativeStep cpu::emitBlockFloats(CodeModule &unit, const MatMulNBitsCall &call,
                                const Twine &name) {
  return BlockFloatEmitter(unit, call, name).emit();
}

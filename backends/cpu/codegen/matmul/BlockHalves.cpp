//===- BlockHalves.cpp - weights of few bits for tiles of bf16 ------------===//
// SPDX-License-Identifier: MIT
//
// For many rows, as for the tokens of a prompt, the weights of two panels of 16
// columns are converted to pairs of bf16 in the thread's scratch. This is done
// once for all rows, which tiles then multiply. A weight is (code - zero) *
// scale. Two bf16 numbers represent it to 2^-18, and blocks of any size become
// one sum. Tiles of bytes would give one sum a block; scaling and adding these
// sums takes longer than the products of 32 codes.
//
//===----------------------------------------------------------------------===//

#include "BlockMatMul.h"
#include "codegen/step/Halves.h"
#include "codegen/tile/HalfTile.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::MatMulNBitsCall;

static constexpr int64_t together = 2 * lanes; // codes that are in 16 pairs

static HalfImage imageOf(const BlockSizes &s) {
  HalfImage image;
  image.channels = s.inner, image.height = s.rows;
  image.rowStep = s.inner, image.blockStep = lanes;
  return image;
}

/// Bytes of the weights of two panels.
static int64_t bytesOfWeights(const BlockSizes &s, Form form) {
  return pairsOfTiles(s.inner) * packedSize(form, halfTileBlocks) * 4;
}

static ProductSizes productOf(const BlockSizes &s) {
  return {.line = s.rows,
          .inner = s.inner,
          .columns = s.columns,
          // Rows, and weights.
          .copied = (s.rows + s.columns) * s.inner,
          // Rounded rows have two products in a lane.
          .saved = 2,
          .image = imageOf(s),
          .scratch = bytesOfWeights(s, Form::SplitTiles)};
}

namespace {

class BlockHalfEmitter {
public:
  BlockHalfEmitter(CodeModule &unit, const MatMulNBitsCall &call,
                   const BlockSizes &sizes, Form form, const Twine &name)
      : call(call), s(sizes), form(form), code(unit, unit.addStep(name)),
        integers(FixedVectorType::get(code.getInt32Ty(), lanes)),
        tileBytes(tileScratchBytes(unit.target, form)),
        width(linesOfTiles(s.rows)) {}

  NativeStep emit() {
    weights = code.bytesAt(code.scratch(), tileBytes);
    emitTileLines(code, form, width);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *group) { emitGroup(group); });
    emitTileRelease(code, form);
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, groups()});
    step.scratchBytes = tileBytes + bytesOfWeights(s, form);
    packBlocks(call, s, step);
    pairFirst(code.unit, call.lhs, imageOf(s), form, code.function->getName(),
              step);
    step.choice = choiceOfTiles(form, productOf(s), "packed");
    step.work = workOfTiles(code.unit.target, form, productOf(s));
    return step;
  }

private:
  int64_t groups() const {
    return (s.panels() + halfTileBlocks - 1) / halfTileBlocks;
  }

  /// The last group may have fewer panels, and the last panel fewer columns.
  void emitGroup(Value *group) {
    int64_t last = s.panels() - (groups() - 1) * halfTileBlocks;
    int64_t lastLanes = (s.columns - 1) % lanes + 1;
    if (last == halfTileBlocks && lastLanes == lanes)
      return emitPanels(group, halfTileBlocks, lanes);
    Value *isLast = code.CreateICmpEQ(group, code.integer(groups() - 1));
    code.when(isLast, [&] { emitPanels(group, last, lastLanes); });
    if (groups() > 1)
      code.when(code.CreateNot(isLast),
                [&] { emitPanels(group, halfTileBlocks, lanes); });
  }

  void emitPanels(Value *group, int64_t blocks, int64_t lastLanes) {
    Value *panel = code.times(group, halfTileBlocks);
    for (int64_t b = 0; b < blocks; ++b)
      makePairs(code.add(panel, code.integer(b)), code.at(weights, b * lanes),
                blocks);
    int64_t full = s.rows / width, rest = s.rows % width;
    code.loop(code.integer(0), code.integer(full), [&](Value *tile) {
      tileAt(panel, code.times(tile, width), width, blocks, lastLanes);
    });
    if (rest)
      tileAt(panel, code.integer(full * width), rest, blocks, lastLanes);
  }

  /// The weights of a panel as [32 codes][pair][part][block][16].
  void makePairs(Value *panel, Value *to, int64_t blocks) {
    int64_t words = lanes / s.wordCodes(); // words of 16 codes
    int64_t step = packedSize(form, blocks);
    auto emitHalf = [&](Value *half) {
      // 16 codes belong to one block.
      Value *of = code.CreateUDiv(half, code.integer(s.block / lanes));
      Value *place =
          code.times(code.add(code.times(panel, s.blocks), of), lanes);
      Value *scale = code.loadVector(code.at(code.buffer(call.scales), place));
      Value *zero = zeroOfBlock(code, call, s, place);
      Value *word = code.add(code.times(panel, s.blocks * s.words()),
                             code.times(half, words));
      Emitter::Values reals;
      for (int64_t w = 0; w < words; ++w) {
        Value *from =
            code.at(code.buffer(call.codes),
                    code.times(code.add(word, code.integer(w)), lanes));
        reals.append(realsOfWord(
            code, s, code.CreateAlignedLoad(integers, from, Align(4)), scale,
            zero));
      }
      return reals;
    };
    code.loop(
        code.integer(0), code.integer(pairsOfTiles(s.inner) / lanes),
        [&](Value *i) {
          Value *half = code.times(i, 2);
          Emitter::Values low = emitHalf(half);
          Emitter::Values high = emitHalf(code.add(half, code.integer(1)));
          Value *at = code.at(to, code.times(i, lanes * step));
          for (int64_t k = 0; k < lanes; ++k) {
            auto pairs = emitPairs(code, form, low[size_t(k)], high[size_t(k)]);
            for (auto [part, pair] : enumerate(pairs))
              code.storeVector(
                  pair, code.at(at, k * step + int64_t(part) * blocks * lanes));
          }
        });
  }

  void tileAt(Value *panel, Value *row, int64_t rows, int64_t blocks,
              int64_t lastLanes) {
    Tile tile;
    tile.width = rows, tile.lines = width;
    tile.blocks = blocks, tile.lastLanes = lastLanes;
    tile.outPixel = s.columns, tile.form = form;
    int64_t pairs = pairsOfTiles(s.inner);
    TileCall given;
    given.in = code.at(code.buffer(call.lhs.shared()), code.times(row, lanes));
    given.weights = weights;
    given.out = code.at(code.buffer(0), code.add(code.times(row, s.columns),
                                                 code.times(panel, lanes)));
    given.outBlock = code.integer(lanes);
    given.outer = code.integer(pairs / lanes);
    given.inOuter = code.integer(s.rows * lanes);
    given.weightsOuter = code.integer(lanes * packedSize(form, blocks));
    given.rest = code.integer(s.rows * pairs);
    emitTile(code, tile, given);
  }

  const MatMulNBitsCall &call;
  const BlockSizes s;
  const Form form;
  Emitter code;
  FixedVectorType *integers;
  const int64_t tileBytes, width; // of a model of tiles; rows of a tile
  Value *weights = nullptr;
};

} // namespace

std::optional<NativeStep> cpu::emitBlockHalves(CodeModule &unit,
                                               const MatMulNBitsCall &call,
                                               const Twine &name) {
  BlockSizes sizes(call);
  Form form = formOf(unit, productOf(sizes));
  // Half of the last 32 codes would belong to no block.
  if (!isOfTiles(form) || sizes.wholeInner() % together)
    return std::nullopt;
  return BlockHalfEmitter(unit, call, sizes, form, name).emit();
}

//===- BlockDecoded.cpp - weights of few bits, decoded for tiles ----------===//
// SPDX-License-Identifier: MIT
//
// The weights of a panel of 16 columns are decoded in the thread's scratch.
// There they stay in a cache while tiles multiply all rows. A weight is
// (code - zero) * scale, a real number, so that blocks of any size become one
// sum.
//
// For many rows, as for the tokens of a prompt, the weights of two panels
// become pairs of bf16. Two bf16 numbers represent a weight to 2^-18. Tiles of
// bytes would give one sum a block; scaling and adding these sums takes longer
// than the products of 32 codes.
//
//===----------------------------------------------------------------------===//

#include "BlockMatMul.h"
#include "codegen/step/Halves.h"
#include "codegen/tile/HalfTile.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::MatMulNBitsCall;

static HalfImage imageOf(const BlockSizes &s) {
  HalfImage image;
  image.channels = s.inner, image.height = s.rows;
  image.rowStep = s.inner, image.blockStep = lanes;
  return image;
}

/// Panels that are decoded together.
static int64_t panelsOf(WeightForm form) {
  return isOfTiles(form) ? halfTileBlocks : 1;
}

/// Bytes of their weights.
static int64_t bytesOfWeights(const BlockSizes &s, WeightForm form) {
  const int64_t inner =
      isOfTiles(form) ? pairsOfTiles(s.inner) : s.wholeInner();
  return inner * packedSize(form, panelsOf(form)) * 4;
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
          .scratch = bytesOfWeights(s, WeightForm::SplitTiles)};
}

/// Rows of a tile of vectors.
static int64_t rowsOfVectors(const CodeModule &module, int64_t rows) {
  int64_t most = 1;
  while (most < 8 && module.target.fits(unsigned(most) + 1, 1))
    ++most;
  const int64_t tiles = (rows + most - 1) / most;
  return (rows + tiles - 1) / tiles;
}

/// The zero points of a block of 16 columns, as real numbers; `place` is the
/// index of its first scale.
static Value *zeroOfBlock(Emitter &code, const MatMulNBitsCall &call,
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

/// The weights of a word of each of 16 columns, in their order.
static Emitter::Values realsOfWord(Emitter &code, const BlockSizes &s,
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

namespace {

/// Emits a product whose weights are decoded to `form`.
class DecodedEmitter {
public:
  DecodedEmitter(CodeModule &module, const MatMulNBitsCall &call,
                 const BlockSizes &sizes, WeightForm form, const Twine &name)
      : call(call), s(sizes), form(form), code(module, module.addStep(name)),
        integers(FixedVectorType::get(code.getInt32Ty(), lanes)),
        tileBytes(tileScratchBytes(module.target, form)),
        width(isOfTiles(form) ? linesOfTiles(s.rows)
                              : rowsOfVectors(module, s.rows)) {}

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
    if (isOfTiles(form)) {
      pairFirst(code.module, call.lhs, imageOf(s), form,
                code.function->getName(), step);
      step.choice = choiceOfTiles(form, productOf(s), "packed");
      step.work = workOfTiles(code.module.target, form, productOf(s));
    } else {
      const double results = double(s.rows * s.panels());
      step.choice = tileChoice("", "packed", width, 1);
      step.work = tileWork(width, 1, results * double(s.inner), results, {});
    }
    return step;
  }

private:
  int64_t groups() const {
    return (s.panels() + panelsOf(form) - 1) / panelsOf(form);
  }

  /// The last group may have fewer panels, and the last panel fewer columns.
  void emitGroup(Value *group) {
    const int64_t all = panelsOf(form);
    const int64_t last = s.panels() - (groups() - 1) * all;
    const int64_t lastLanes = (s.columns - 1) % lanes + 1;
    // Weights of groups that are alike are decoded by the same code.
    const bool isAlike = last == all;
    auto emitPanels = [&](int64_t blocks, int64_t columns) {
      Value *panel = code.times(group, all);
      if (!isAlike)
        decode(panel, blocks);
      emitRows(panel, blocks, columns);
    };
    if (isAlike)
      decode(code.times(group, all), all);
    if (isAlike && lastLanes == lanes)
      return emitPanels(all, lanes);
    Value *isLast = code.CreateICmpEQ(group, code.integer(groups() - 1));
    code.when(isLast, [&] { emitPanels(last, lastLanes); });
    if (groups() > 1)
      code.when(code.CreateNot(isLast), [&] { emitPanels(all, lanes); });
  }

  void decode(Value *panel, int64_t blocks) {
    if (!isOfTiles(form))
      return makeFloats(panel);
    for (int64_t b = 0; b < blocks; ++b)
      makePairs(code.add(panel, code.integer(b)), code.at(weights, b * lanes),
                blocks);
  }

  /// The weights of a panel as [code][16].
  void makeFloats(Value *panel) {
    Value *first = code.times(panel, s.blocks);
    code.loop(code.integer(0), code.integer(s.blocks), [&](Value *block) {
      Value *place = code.times(code.add(first, block), lanes);
      Value *scale = code.loadVector(code.at(code.buffer(call.scales), place));
      Value *zero = zeroOfBlock(code, call, s, place);
      Value *to = code.at(weights, code.times(block, s.block * lanes));
      code.loop(code.integer(0), code.integer(s.words()), [&](Value *word) {
        Value *at =
            code.add(code.times(place, s.words()), code.times(word, lanes));
        Value *codes = code.CreateAlignedLoad(
            integers, code.at(code.buffer(call.codes), at), Align(4));
        Value *out = code.at(to, code.times(word, s.wordCodes() * lanes));
        for (auto [i, real] :
             enumerate(realsOfWord(code, s, codes, scale, zero)))
          code.storeVector(real, code.at(out, int64_t(i) * lanes));
      });
    });
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

  /// The products of all rows, with `blocks` panels from `panel` on.
  void emitRows(Value *panel, int64_t blocks, int64_t lastLanes) {
    int64_t full = s.rows / width, rest = s.rows % width;
    code.loop(code.integer(0), code.integer(full), [&](Value *tile) {
      tileAt(panel, code.times(tile, width), width, blocks, lastLanes);
    });
    if (rest)
      tileAt(panel, code.integer(full * width), rest, blocks, lastLanes);
  }

  void tileAt(Value *panel, Value *row, int64_t rows, int64_t blocks,
              int64_t lastLanes) {
    const bool isTiles = isOfTiles(form);
    Tile tile;
    tile.width = rows, tile.form = form;
    tile.blocks = blocks, tile.lastLanes = lastLanes;
    tile.outPixel = s.columns;
    TileCall given;
    Value *in =
        isTiles ? code.buffer(call.lhs.shared()) : code.buffer(call.lhs);
    given.in = code.at(in, code.times(row, isTiles ? lanes : s.inner));
    given.weights = weights;
    given.out = code.at(code.buffer(0), code.add(code.times(row, s.columns),
                                                 code.times(panel, lanes)));
    given.outBlock = code.integer(lanes);
    if (isTiles) {
      const int64_t pairs = pairsOfTiles(s.inner);
      tile.lines = width;
      given.outer = code.integer(pairs / lanes);
      given.inOuter = code.integer(s.rows * lanes);
      given.weightsOuter = code.integer(lanes * packedSize(form, blocks));
      given.rest = code.integer(s.rows * pairs);
    } else {
      tile.inPixel = s.inner;
      tile.count = 0, tile.outer = false, tile.tail = true;
      given.tail = code.integer(s.inner);
    }
    emitTile(code, tile, given);
  }

  const MatMulNBitsCall &call;
  const BlockSizes s;
  const WeightForm form;
  Emitter code;
  FixedVectorType *integers;
  const int64_t tileBytes, width; // of a model of tiles; rows of a tile
  Value *weights = nullptr;
};

} // namespace

NativeStep cpu::emitBlockFloats(CodeModule &module, const MatMulNBitsCall &call,
                                const Twine &name) {
  return DecodedEmitter(module, call, BlockSizes(call), WeightForm::F32, name)
      .emit();
}

std::optional<NativeStep> cpu::emitBlockHalves(CodeModule &module,
                                               const MatMulNBitsCall &call,
                                               const Twine &name) {
  BlockSizes sizes(call);
  WeightForm form = formOf(module, productOf(sizes));
  // Half of the last 32 codes would belong to no block.
  if (!isOfTiles(form) || sizes.wholeInner() % (2 * lanes))
    return std::nullopt;
  return DecodedEmitter(module, call, sizes, form, name).emit();
}

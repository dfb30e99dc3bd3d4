//===- BlockMatMul.cpp - products with weights of few bits ----------------===//
// SPDX-License-Identifier: MIT
//
// A step of a row and a code are multiplied as 16-bit numbers, two neighbours
// at once, and summed in 32 bits, which is exact for a block. Then the sums of
// the block are multiplied with both scales and added as real numbers. So codes
// need only a shift and a mask before the product, and a vector has as many
// products as with bf16.
//
// A chunk is a group of panels of 16 columns. The codes of a panel stay in a
// cache for all tiles of rows.
//
//===----------------------------------------------------------------------===//

#include "BlockMatMul.h"
#include "codegen/tile/IntegerTile.h"
#include "codegen/tile/Key.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::MatMulNBitsCall;

namespace {

/// The prefetch distance of codes in bytes: a page, as the hardware prefetcher
/// stops at page ends.
constexpr int64_t bytesAhead = 4096;

/// The properties that determine the code of a tile.
struct BlockTile {
  int64_t width; ///< rows
  int64_t lastLanes;
  int64_t bits, part, block, blocks; ///< see BlockSizes
  int64_t columns;                   ///< columns of the result
  CodeZero zero;
  int64_t stepBytes, parameterBytes; ///< from a row to the next, see RowSteps

  std::string key() const {
    std::string text = "blocks";
    raw_string_ostream os(text);
    for (int64_t property : {width, lastLanes, bits, part, block, blocks,
                             columns, int64_t(zero), stepBytes, parameterBytes})
      addToKey(os, property);
    return text;
  }
};

/// The parameters of its function.
enum Argument : unsigned {
  Steps,
  Parameters, ///< parameters of the rows, see RowSteps
  Codes,
  Scales,
  Zeros, ///< null for CodeZero::Middle
  Out,
  Arguments
};

class BlockTileEmitter {
public:
  BlockTileEmitter(CodeModule &module, Function *function,
                   const BlockTile &tile)
      : tile(tile), code(module, function),
        integers(FixedVectorType::get(code.getInt32Ty(), lanes)),
        halves(FixedVectorType::get(code.getInt16Ty(), 2 * lanes)),
        words(tile.part * tile.bits / 32),
        chains(isFused(module) ? std::max<int64_t>(4 / tile.width, 1) : 1) {}

  void emit() {
    Emitter::Values sums(size_t(tile.width),
                         ConstantAggregateZero::get(code.vector));
    sums = code.loop(code.integer(0), code.integer(tile.blocks), sums,
                     [&](Value *block, Emitter::Values sums) {
                       return addBlock(block, sums);
                     });
    for (auto [row, sum] : enumerate(sums))
      code.storeVector(sum, code.at(argument(Out), int64_t(row) * tile.columns),
                       tile.lastLanes);
    code.CreateRetVoid();
  }

private:
  /// Whether one instruction multiplies pairs and adds them to a sum.
  static bool isFused(const CodeModule &module) {
    return module.target.has("avx512vnni");
  }

  Value *argument(unsigned index) { return code.function->getArg(index); }
  Value *loadWord(Value *from) {
    return code.CreateAlignedLoad(code.getInt32Ty(), from, Align(4));
  }

  Emitter::Values addBlock(Value *block, Emitter::Values sums) {
    Value *scale =
        code.loadVector(code.at(argument(Scales), code.times(block, lanes)));
    Value *zero = zeroOf(block);
    int64_t parts = tile.block / tile.part;
    if (parts == 1)
      return addPart(block, scale, zero, sums);
    return code.loop(code.integer(0), code.integer(parts), sums,
                     [&](Value *part, Emitter::Values sums) {
                       return addPart(code.add(code.times(block, parts), part),
                                      scale, zero, sums);
                     });
  }

  /// The zero points as integers or as real numbers; null for CodeZero::Middle.
  Value *zeroOf(Value *block) {
    Value *place = code.times(block, lanes);
    if (tile.zero == CodeZero::Real)
      return code.loadVector(code.at(argument(Zeros), place));
    if (tile.zero == CodeZero::Middle)
      return nullptr;
    auto *bytes = FixedVectorType::get(code.getInt8Ty(), lanes);
    Value *from = code.bytesAt(argument(Zeros), place);
    return code.CreateZExt(code.CreateAlignedLoad(bytes, from, Align(1)),
                           integers);
  }

  Emitter::Values addPart(Value *part, Value *scale, Value *zero,
                          Emitter::Values sums) {
    Value *parameters = code.bytesAt(argument(Parameters), code.times(part, 8));
    Emitter::Values products(sums.size() * size_t(chains),
                             ConstantAggregateZero::get(integers));
    for (size_t row = 0; row < sums.size(); ++row)
      products[row * size_t(chains)] =
          startOf(parametersOf(parameters, row), zero);
    products = addWords(part, products);
    for (auto [row, sum] : enumerate(sums)) {
      Value *at = parametersOf(parameters, row);
      Value *exact = products[row * size_t(chains)];
      for (size_t i = 1; i < size_t(chains); ++i)
        exact = code.CreateAdd(exact, products[row * size_t(chains) + i]);
      Value *real = code.CreateSIToFP(exact, code.vector);
      real = code.CreateFMul(real, code.splat(code.loadElement(at)));
      if (tile.zero == CodeZero::Real)
        real = code.multiplyAdd(code.splat(code.loadElement(code.at(at, 1))),
                                zero, real);
      sum = code.multiplyAdd(real, scale, sum);
    }
    return sums;
  }

  Value *parametersOf(Value *parameters, size_t row) {
    return code.bytesAt(parameters, int64_t(row) * tile.parameterBytes);
  }

  /// The contribution of the zero points of a part, as the initial sum.
  Value *startOf(Value *parameters, Value *zero) {
    if (tile.zero == CodeZero::Real)
      return ConstantAggregateZero::get(integers);
    Value *start = code.splat(loadWord(code.at(parameters, 1)));
    return zero ? code.CreateMul(start, zero) : start;
  }

  Emitter::Values addWords(Value *part, Emitter::Values sums) {
    Value *codes = code.at(argument(Codes), code.times(part, words * lanes));
    Value *steps =
        code.bytesAt(argument(Steps), code.times(part, tile.part * 2));
    // With several rows a single word has enough work; unrolling more words
    // would only increase compile time.
    int64_t together = std::min<int64_t>(words, tile.width >= 4 ? 1 : 4);
    auto turn = [&](Value *codes, Value *steps, Emitter::Values sums) {
      for (int64_t i = 0; i < together; ++i)
        sums = addWord(code.at(codes, i * lanes),
                       code.bytesAt(steps, i * 64 / tile.bits), i, sums);
      return sums;
    };
    if (together == words)
      return turn(codes, steps, sums);
    return code.loop(
        code.integer(0), code.integer(words / together), sums,
        [&](Value *i, Emitter::Values sums) {
          return turn(
              code.at(codes, code.times(i, together * lanes)),
              code.bytesAt(steps, code.times(i, together * 64 / tile.bits)),
              sums);
        });
  }

  /// The next codes of each column.
  Emitter::Values addWord(Value *codes, Value *steps, int64_t number,
                          Emitter::Values sums) {
    code.fetch(code.bytesAt(codes, bytesAhead));
    Value *word = code.CreateBitCast(
        code.CreateAlignedLoad(integers, codes, Align(4)), halves);
    int64_t parts = 16 / tile.bits;
    for (int64_t part = 0; part < parts; ++part) {
      Value *pairs = word;
      if (part)
        pairs = code.CreateLShr(word, uint64_t(part * tile.bits));
      if (part + 1 < parts)
        pairs = code.CreateAnd(pairs, uint64_t((1 << tile.bits) - 1));
      int64_t chain = (number * parts + part) % chains;
      for (int64_t row = 0; row < tile.width; ++row) {
        Value *&sum = sums[size_t(row * chains + chain)];
        Value *at = code.bytesAt(steps, row * tile.stepBytes + part * 4);
        sum = multiplyAdd(code.splat(loadWord(at)), pairs, sum);
      }
    }
    return sums;
  }

  Value *multiplyAdd(Value *steps, Value *pairs, Value *sum) {
    steps = code.CreateBitCast(steps, halves);
    if (isFused(code.module))
      return code.CreateIntrinsic(Intrinsic::x86_avx512_vpdpwssd_512, {},
                                  {sum, steps, pairs});
    return code.CreateAdd(sum, sumOfPairs(code, steps, pairs));
  }

  const BlockTile &tile;
  Emitter code;
  FixedVectorType *integers, *halves;
  const int64_t words; // words of a part
  /// The accumulators of a row and part. With few rows, additions to a single
  /// one would wait for each other.
  const int64_t chains;
};

class BlockMatMulEmitter {
public:
  BlockMatMulEmitter(CodeModule &module, const MatMulNBitsCall &call,
                     const Twine &name)
      : call(call), s(call), layout(s), code(module, module.addStep(name)) {
    // Accumulators of blocks and of the total, and a few more registers.
    int64_t most = module.target.vectorRegisters >= 32 ? 12
                   : module.target.has("avx2")         ? 2
                                                       : 1;
    int64_t tiles = (s.rows + most - 1) / most;
    width = (s.rows + tiles - 1) / tiles;
    band = chooseBand(s.wholeInner() * lanes * s.rows * 2, s.panels());
    chunks = (s.panels() + band - 1) / band;
  }

  NativeStep emit() {
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
          Value *first = code.times(chunk, band);
          Value *end = code.smaller(code.add(first, code.integer(band)),
                                    code.integer(s.panels()));
          code.loop(first, end, [&](Value *panel) {
            emitForColumns(code, s, panel,
                           [&](int64_t columns) { emitTiles(panel, columns); });
          });
        });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, chunks});
    packBlocks(call, s, step);
    roundRowsFirst(code.module, call, s, code.function->getName(), step);
    // Two products in each lane.
    step.choice = tileChoice("", "packed", width, 1);
    double results = double(s.rows * s.panels());
    step.work = Work();
    step.work->factors = Factors::Words;
    step.work->products = results * double(s.wholeInner()) / 2;
    // A tile shifts or masks its codes once for all rows.
    step.work->operations = step.work->products / double(width);
    return step;
  }

private:
  /// The last tile ends with the last row and overlaps the one before, so that
  /// no narrower tile needs code.
  void emitTiles(Value *panel, int64_t lastLanes) {
    int64_t tiles = (s.rows + width - 1) / width;
    if (tiles == 1)
      return emitTile(panel, code.integer(0), lastLanes);
    code.loop(code.integer(0), code.integer(tiles), [&](Value *tile) {
      Value *row =
          code.smaller(code.times(tile, width), code.integer(s.rows - width));
      emitTile(panel, row, lastLanes);
    });
  }

  void emitTile(Value *panel, Value *row, int64_t lastLanes) {
    BlockTile tile{
        width,    lastLanes, s.bits, s.part,           s.block,
        s.blocks, s.columns, s.zero, layout.stepBytes, layout.parameterBytes};
    SmallVector<llvm::Type *> parameters(Arguments, code.getPtrTy());
    Function *function =
        code.module.sharedFunction(tile.key(), parameters, [&](Function *made) {
          for (unsigned index = 0; index < Arguments; ++index)
            made->addParamAttr(index, Attribute::NoAlias);
          BlockTileEmitter(code.module, made, tile).emit();
        });
    Value *shared = code.buffer(call.lhs.shared());
    Value *block = code.times(panel, s.blocks);
    Value *zeros = ConstantPointerNull::get(code.getPtrTy());
    if (s.zero == CodeZero::Byte)
      zeros = code.bytesAt(code.buffer(*call.zeros), code.times(block, lanes));
    if (s.zero == CodeZero::Real)
      zeros = code.at(code.buffer(*call.realZeros), code.times(block, lanes));
    Value *out = code.add(code.times(row, s.columns), code.times(panel, lanes));
    code.CreateCall(
        function,
        {code.bytesAt(shared, code.times(row, layout.stepBytes)),
         code.bytesAt(shared, code.add(code.integer(layout.parametersAt),
                                       code.times(row, layout.parameterBytes))),
         code.at(code.buffer(call.codes), code.times(block, s.words() * lanes)),
         code.at(code.buffer(call.scales), code.times(block, lanes)), zeros,
         code.at(code.buffer(0), out)});
  }

  const MatMulNBitsCall &call;
  const BlockSizes s;
  const RowSteps layout;
  Emitter code;
  int64_t width;        // rows of a tile
  int64_t band, chunks; // panels of a chunk
};

} // namespace

void cpu::emitForColumns(Emitter &code, const BlockSizes &sizes, Value *panel,
                         function_ref<void(int64_t)> body) {
  int64_t last = sizes.columns % lanes;
  if (!last)
    return body(lanes);
  Value *isLast = code.CreateICmpEQ(panel, code.integer(sizes.panels() - 1));
  code.when(isLast, [&] { body(last); });
  if (sizes.panels() > 1)
    code.when(code.CreateNot(isLast), [&] { body(lanes); });
}

std::optional<NativeStep> cpu::emitBlockMatMul(CodeModule &module,
                                               const MatMulNBitsCall &call,
                                               const Twine &name) {
  if (module.math == Math::Strict ||
      !module.hasPlaceFor(RowSteps(BlockSizes(call)).bytes, 0))
    return std::nullopt;
  return BlockMatMulEmitter(module, call, name).emit();
}

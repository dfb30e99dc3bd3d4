//===- IntegerTile.cpp - sums of products of bytes ------------------------===//
// SPDX-License-Identifier: MIT

#include "IntegerTile.h"
#include "Key.h"
#include "MatrixTiles.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

namespace {

/// An instruction that adds to each 32-bit lane the products of four unsigned
/// by four signed bytes.
struct QuadProducts {
  Intrinsic::ID instruction = Intrinsic::not_intrinsic;
  int64_t lanes = 0;
  /// Whether both factors must be signed: 128 is subtracted from unsigned
  /// bytes.
  bool movesDown = false;

  explicit operator bool() const { return lanes > 0; }
};

} // namespace

static QuadProducts quadsOf(const cpu::Target &target) {
  if (target.has("avx512vnni"))
    return {Intrinsic::x86_avx512_vpdpbusd_512, 16};
  if (target.has("avxvnni"))
    return {Intrinsic::x86_avx512_vpdpbusd_256, 8};
  if (target.has("i8mm"))
    return {Intrinsic::aarch64_neon_usdot, 4};
  if (target.has("dotprod"))
    return {Intrinsic::aarch64_neon_sdot, 4, /*movesDown=*/true};
  return {};
}

ByteProducts cpu::byteProductsOf(const CodeModule &module, ElementKind kind) {
  const cpu::Target &target = module.target;
  if (target.lanes == 1)
    return target.has("dsp") && !module.isText ? ByteProducts::Words
                                               : ByteProducts::Single;
  if (kind == ElementKind::I8 && (target.modelsTiles || target.has("amx-int8")))
    return ByteProducts::Tiles;
  return quadsOf(target) && kind == ElementKind::I8 ? ByteProducts::Quads
                                                    : ByteProducts::Pairs;
}

/// The prefetch distance of weights in bytes, and the least pixels of a tile
/// that prefetches, as for tiles of floats (Tile.cpp).
static constexpr int64_t fetchAhead = 32 << 10, leastFetching = 6;

/// Bytes that are multiplied at once, and a vector of weights for them.
static constexpr int64_t quad = 4, vectorBytes = quad * lanes;

static int64_t vectorsOfQuad(ByteProducts products) {
  return products == ByteProducts::Pairs ? 2 : 1;
}
int64_t cpu::wholeBytes(ByteProducts products, int64_t bytes) {
  if (products == ByteProducts::Single)
    return bytes;
  int64_t together = products == ByteProducts::Tiles ? vectorBytes : quad;
  return (bytes + together - 1) / together * together;
}

int64_t cpu::packedBytes(ByteProducts products, int64_t bytes) {
  return wholeBytes(products, bytes) / quad * vectorsOfQuad(products) *
         vectorBytes;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace glow::cpu {
static void addToKey(raw_ostream &os, const IntegerResult &result) {
  os << "." << result.key();
}
} // namespace glow::cpu

std::string IntegerTile::key() const {
  std::string text = "integers";
  raw_string_ostream os(text);
#define GLOW_TILE_PROPERTY(TYPE, NAME, DEFAULT) addToKey(os, NAME);
#include "IntegerTile.def"
  return text;
}

static SmallVector<int> numbered(int64_t first, int64_t count, int step = 1) {
  SmallVector<int> places;
  for (int64_t i = 0; i < count; ++i)
    places.push_back(int(first + i * step));
  return places;
}

Value *cpu::sumOfPairs(Emitter &code, Value *a, Value *b) {
  auto *numbers = FixedVectorType::get(code.getInt16Ty(), 2 * lanes);
  auto *wide = FixedVectorType::get(code.getInt32Ty(), 2 * lanes);
  auto widened = [&](Value *of) {
    return code.CreateSExt(code.CreateBitCast(of, numbers), wide);
  };
  // The pattern that LLVM recognises as a processor's instruction.
  Value *products = code.CreateNSWMul(widened(a), widened(b));
  return code.CreateNSWAdd(
      code.CreateShuffleVector(products, numbered(0, lanes, 2)),
      code.CreateShuffleVector(products, numbered(1, lanes, 2)));
}

namespace {

/// The number of pixels in the first and the second of the processor's tiles.
struct TileRows {
  explicit TileRows(int64_t width)
      : first(width > lanes ? (width + 1) / 2 : width), second(width - first) {}
  int64_t first, second;
};

/// The parameters of a tile's function.
enum Argument : unsigned { In, Weights, Sums, Bias, Out, Zero, FirstExtra };

class IntegerTileEmitter {
public:
  IntegerTileEmitter(CodeModule &module, Function *function,
                     const IntegerTile &tile)
      : tile(tile), code(module, function), quads(quadsOf(module.target)),
        integers(FixedVectorType::get(code.getInt32Ty(), lanes)) {}

  void emit() {
    // A loop over pixels reads the sums from the stack: unrolled, the formula
    // would be most of a tile.
    Value *kept = code.CreateAlloca(
        ArrayType::get(integers, uint64_t(tile.width * tile.blocks)));
    if (tile.products == ByteProducts::Tiles)
      keepTiles(kept);
    else
      keepVectors(kept);
    code.loop(code.integer(0), code.integer(tile.width), [&](Value *x) {
      for (int64_t b = 0; b < tile.blocks; ++b)
        finish(kept, x, b);
    });
    code.CreateRetVoid();
  }

private:
  Value *argument(unsigned index) { return code.function->getArg(index); }
  Value *loadIntegers(Value *from) {
    return code.CreateAlignedLoad(integers, from, Align(4));
  }

  void keepVectors(Value *kept) {
    Emitter::Values starts = startValues();
    Emitter::Values sums;
    for (int64_t x = 0; x < tile.width; ++x)
      sums.append(starts);
    for (auto [i, sum] : enumerate(products(sums)))
      code.CreateAlignedStore(sum, code.at(kept, int64_t(i) * lanes),
                              Align(vectorBytes));
  }

  /// The initial sums of each block.
  Emitter::Values startValues() {
    Emitter::Values starts;
    Value *zero =
        code.splat(code.CreateTrunc(argument(Zero), code.getInt32Ty()));
    if (tile.products == ByteProducts::Quads && quads.movesDown)
      zero = code.CreateSub(zero, ConstantInt::get(zero->getType(), 128));
    for (int64_t b = 0; b < tile.blocks; ++b) {
      Value *start = code.CreateNeg(code.CreateMul(
          zero, loadIntegers(code.at(argument(Sums), b * lanes))));
      if (tile.result.bias)
        start = code.CreateAdd(
            start, loadIntegers(code.at(argument(Bias), b * lanes)));
      starts.push_back(start);
    }
    return starts;
  }

  /// Emits the loops over rows, taps, and groups of `together` bytes of a tap.
  Emitter::Values
  over(int64_t together, Emitter::Values sums,
       function_ref<Emitter::Values(Value *, Value *, Emitter::Values)> body) {
    int64_t steps = wholeBytes(tile.products, tile.bytes) / together;
    int64_t tapSize = tile.blocks * packedBytes(tile.products, tile.bytes);
    auto turns = [&](int64_t count, Value *in, Value *weights, int64_t inStep,
                     int64_t weightStep, Emitter::Values sums, auto body) {
      if (count == 0) // an empty sum, without weights
        return sums;
      if (count == 1)
        return body(in, weights, sums);
      return code.loop(
          code.integer(0), code.integer(count), sums,
          [&](Value *i, Emitter::Values sums) {
            return body(code.bytesAt(in, code.times(i, inStep)),
                        code.bytesAt(weights, code.times(i, weightStep)), sums);
          });
    };
    auto tap = [&](Value *in, Value *weights, Emitter::Values sums) {
      return turns(steps, in, weights, together,
                   tapSize / std::max<int64_t>(steps, 1), sums, body);
    };
    auto row = [&](Value *in, Value *weights, Emitter::Values sums) {
      return turns(tile.taps, in, weights, tile.inTap, tapSize, sums, tap);
    };
    auto plane = [&](Value *in, Value *weights, Emitter::Values sums) {
      return turns(tile.rows, in, weights, tile.inRow, tile.taps * tapSize,
                   sums, row);
    };
    return turns(tile.planes, argument(In), argument(Weights), tile.inPlane,
                 tile.rows * tile.taps * tapSize, sums, plane);
  }
  Emitter::Values products(Emitter::Values sums) {
    return over(quad, sums,
                [&](Value *in, Value *weights, Emitter::Values sums) {
                  return product(in, weights, sums);
                });
  }

  /// Computes the sums by the processor's tiles. Tiles 0 to 3 hold sums, two of
  /// pixels by two of channels; 4 and 5 hold pixels, 6 and 7 weights.
  void keepTiles(Value *kept) {
    Value *starts =
        code.CreateAlloca(ArrayType::get(integers, uint64_t(tile.blocks)));
    for (auto [b, start] : enumerate(startValues()))
      code.CreateAlignedStore(start, code.at(starts, int64_t(b) * lanes),
                              Align(vectorBytes));
    TileRows rows(tile.width);
    int64_t line = tile.blocks * vectorBytes; // stride of sums, and of weights
    MatrixTiles tiles(code, argument(code.function->arg_size() - 1));
    auto each = [&](function_ref<void(int64_t, int64_t, int64_t)> body) {
      for (int64_t i = 0; i < (rows.second ? 2 : 1); ++i)
        for (int64_t b = 0; b < tile.blocks; ++b)
          body(2 * i + b, i, b);
    };
    // The same vector is loaded into every row of a tile.
    each([&](int64_t number, int64_t, int64_t b) {
      tiles.load(number, code.at(starts, b * lanes), 0);
    });
    over(vectorBytes, {}, [&](Value *in, Value *weights, Emitter::Values none) {
      tiles.load(4, in, tile.inPixel);
      if (rows.second)
        tiles.load(5, code.bytesAt(in, rows.first * tile.inPixel),
                   tile.inPixel);
      for (int64_t b = 0; b < tile.blocks; ++b)
        tiles.load(6 + b, code.bytesAt(weights, b * vectorBytes), line);
      each([&](int64_t number, int64_t i, int64_t b) {
        tiles.multiply(number, 4 + i, 6 + b, tile.isSigned);
      });
      return none;
    });
    each([&](int64_t number, int64_t i, int64_t b) {
      Value *to = code.bytesAt(kept, i * rows.first * line + b * vectorBytes);
      tiles.store(number, to, line);
    });
  }

  /// Adds the products of four bytes of each pixel.
  Emitter::Values product(Value *in, Value *weights, Emitter::Values sums) {
    for (int64_t v = 0; v < vectorsOfQuad(tile.products); ++v) {
      Emitter::Values rows;
      for (int64_t b = 0; tile.width >= leastFetching && b < tile.blocks; ++b)
        code.fetch(code.bytesAt(weights, fetchAhead + (v * tile.blocks + b) *
                                                          vectorBytes),
                   /*level=*/2);
      for (int64_t b = 0; b < tile.blocks; ++b)
        rows.push_back(loadIntegers(
            code.bytesAt(weights, (v * tile.blocks + b) * vectorBytes)));
      for (int64_t x = 0; x < tile.width; ++x) {
        Value *pixel = pixelOf(code.bytesAt(in, x * tile.inPixel), v);
        for (int64_t b = 0; b < tile.blocks; ++b) {
          Value *&sum = sums[size_t(x * tile.blocks + b)];
          sum = multiplyAdd(pixel, rows[size_t(b)], sum);
        }
      }
    }
    return sums;
  }

  /// Broadcasts four bytes of a pixel, or pair `pair` of them as 16-bit
  /// numbers, to every lane.
  Value *pixelOf(Value *from, int64_t pair) {
    if (tile.products == ByteProducts::Quads) {
      Value *word = code.CreateAlignedLoad(code.getInt32Ty(), from, Align(1));
      return code.splat(
          quads.movesDown ? code.CreateXor(word, uint64_t(0x80808080)) : word);
    }
    if (tile.inPart)
      return code.splat(code.CreateAlignedLoad(
          code.getInt32Ty(), code.bytesAt(from, pair * tile.inPart), Align(4)));
    // By integer operations, whose execution units are free: shuffles of
    // vectors would compete with the products.
    auto byte = [&](int64_t i) {
      Value *loaded = code.CreateAlignedLoad(
          code.getInt8Ty(), code.bytesAt(from, 2 * pair + i), Align(1));
      return tile.isSigned ? code.CreateSExt(loaded, code.getInt64Ty())
                           : code.CreateZExt(loaded, code.getInt64Ty());
    };
    Value *low = byte(0), *high = code.CreateShl(byte(1), 16);
    if (tile.isSigned)
      low = code.CreateAnd(low, code.integer(0xffff));
    return code.splat(
        code.CreateTrunc(code.CreateOr(high, low), code.getInt32Ty()));
  }

  Value *multiplyAdd(Value *pixel, Value *weights, Value *sum) {
    if (tile.products == ByteProducts::Pairs)
      return code.CreateAdd(sum, sumOfPairs(code, pixel, weights));
    SmallVector<Value *> parts;
    for (int64_t first = 0; first < lanes; first += quads.lanes) {
      auto part = [&](Value *of) {
        return quads.lanes == lanes
                   ? of
                   : code.CreateShuffleVector(of, numbered(first, quads.lanes));
      };
      auto *sums =
          FixedVectorType::get(code.getInt32Ty(), unsigned(quads.lanes));
      auto *bytes =
          FixedVectorType::get(code.getInt8Ty(), unsigned(quads.lanes * quad));
      SmallVector<llvm::Type *> types;
      if (Intrinsic::isOverloaded(quads.instruction))
        types = {sums, bytes};
      parts.push_back(code.CreateIntrinsic(
          quads.instruction, types,
          {part(sum), code.CreateBitCast(part(pixel), bytes),
           code.CreateBitCast(part(weights), bytes)}));
    }
    return concatenateVectors(code, parts);
  }
  /// Finishes block `b` of pixel `x`.
  void finish(Value *kept, Value *x, int64_t b) {
    Value *channel = code.integer(b * lanes);
    Value *sum = loadIntegers(
        code.at(kept, code.add(code.times(x, tile.blocks * lanes), channel)));
    SmallVector<Value *> extras;
    for (size_t i = 0; i < tile.result.extras.size(); ++i)
      extras.push_back(argument(FirstExtra + unsigned(i)));
    emitIntegerResult(code, tile.result, sum, argument(Out),
                      code.add(code.times(x, tile.outPixel), channel), channel,
                      b + 1 == tile.blocks ? tile.lastLanes : lanes, extras);
  }

  const IntegerTile &tile;
  Emitter code;
  const QuadProducts quads;
  FixedVectorType *integers;
};

} // namespace

void cpu::emitIntegerTile(Emitter &code, const IntegerTile &tile,
                          const IntegerTileCall &call) {
  llvm::Type *pointer = code.getPtrTy();
  // A model of the processor's tiles is in the memory of the thread.
  bool isModelled = tile.products == ByteProducts::Tiles &&
                    MatrixTiles::scratchBytes(code.module.target) > 0;
  SmallVector<llvm::Type *> parameters(
      FirstExtra + call.extras.size() + isModelled, pointer);
  parameters[Zero] = code.getInt64Ty();
  Function *function =
      code.module.sharedFunction(tile.key(), parameters, [&](Function *made) {
        IntegerTileEmitter(code.module, made, tile).emit();
      });
  SmallVector<Value *> arguments = {
      call.in,
      call.weights,
      call.columnSums,
      call.bias ? call.bias : ConstantPointerNull::get(code.getPtrTy()),
      call.out,
      call.zero};
  append_range(arguments, call.extras);
  if (isModelled)
    arguments.push_back(code.scratch());
  code.CreateCall(function, arguments);
}

void cpu::emitTileSizes(Emitter &code, const IntegerTile &tile) {
  if (tile.products != ByteProducts::Tiles)
    return;
  TileRows rows(tile.width);
  std::array<uint8_t, MatrixTiles::count> sizes;
  for (size_t number = 0; number < sizes.size(); ++number) {
    bool isSecond = number == 2 || number == 3 || number == 5;
    int64_t pixels = isSecond ? std::max<int64_t>(rows.second, 1) : rows.first;
    sizes[number] = uint8_t(number >= 6 ? lanes : pixels);
  }
  MatrixTiles(code, code.scratch()).configure(sizes);
}

void cpu::emitTileRelease(Emitter &code) {
  MatrixTiles(code, code.scratch()).release();
}

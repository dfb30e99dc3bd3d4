//===- IntegerMatMul.cpp - products of two matrices of bytes --------------===//
// SPDX-License-Identifier: MIT
//
// Neither matrix is a constant. Products take unsigned bytes by signed ones, so
// that 128 is added to a signed first factor and taken from an unsigned second
// one. With zeros l and r of the moved bytes a and b of `inner` terms, a result
// is
//
//   sum (a - l) (b - r) = sum a b - l sum b - r (sum a - inner l).
//
// A first phase packs the second matrix as constants are packed
// (PackIntegers.cpp), with the sums of its columns. A second one moves the rows
// of the first matrix where its bytes are signed or fill no quads, and makes
// the last term of each row. A chunk adds this term to its results where r is
// not 0.
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/ElementMemory.h"
#include "codegen/step/Step.h"
#include "codegen/tile/IntegerTile.h"
#include "codegen/tile/PanelChunks.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::MatMulIntegerCall;

namespace {

constexpr int64_t quad = 4, vectorBytes = quad * lanes;
constexpr int64_t mostRows = 14;  ///< a tile has, as pixels of images
constexpr int64_t rowsOfBand = 8; ///< rows that are prepared together

/// The sizes of a product, and the places of its phases' results in bytes of
/// shared memory.
struct ProductSizes {
  int64_t batch = 1, rows, inner, columns;
  int64_t padded, blocks;
  bool isSigned, isUnsigned; ///< signs of the two factors
  bool prepared;             ///< whether rows of the first factor are moved
  int64_t matrixBytes, imageAt, termsAt, sharedBytes;

  explicit ProductSizes(const MatMulIntegerCall &call)
      : isSigned(call.lhs.kind() == ElementKind::I8),
        isUnsigned(call.rhs.kind() == ElementKind::U8) {
    const Ints out = call.out.shape();
    rows = out[out.size() - 2], columns = out.back();
    inner = call.lhs.shape().back();
    for (size_t i = 0; i + 2 < out.size(); ++i)
      batch *= out[i];
    padded = wholeBytes(ByteProducts::Quads, inner);
    blocks = (columns + lanes - 1) / lanes;
    prepared = isSigned || padded != inner;
    matrixBytes = panelBytes(blocks);
    imageAt = batch * matrixBytes;
    // A quad of the last row may be read behind it.
    const int64_t image = prepared ? batch * rows * padded + vectorBytes : 0;
    termsAt = (imageAt + image + vectorBytes - 1) / vectorBytes * vectorBytes;
    sharedBytes = termsAt + batch * rows * 4;
  }
  /// Bytes of a panel of so many blocks, with the sums of its columns.
  int64_t panelBytes(int64_t blocks) const {
    return blocks * vectorBytes * (1 + padded / quad);
  }
  int64_t rowBytes() const { return prepared ? padded : inner; }
};

/// A function of the step, with the zeros of the moved bytes.
class ProductCode : public Emitter {
public:
  ProductCode(CodeModule &module, const MatMulIntegerCall &call,
              const ProductSizes &sizes, const Twine &name)
      : Emitter(module, module.addStep(name)), call(call), p(sizes) {}

  Value *leftZero() {
    return add(zeroOf(call.lhsZero), integer(p.isSigned ? 128 : 0));
  }
  Value *rightZero() {
    return add(zeroOf(call.rhsZero), integer(p.isUnsigned ? -128 : 0));
  }
  Value *shared(int64_t offset) {
    return bytesAt(buffer(call.lhs.shared()), integer(offset));
  }
  /// The place of the term of a row, of all rows of the batch.
  Value *termAt(Value *row) {
    return bytesAt(shared(p.termsAt), times(row, 4));
  }
  FixedVectorType *integers() {
    return FixedVectorType::get(getInt32Ty(), unsigned(lanes));
  }

private:
  Value *zeroOf(const Operand &zero) {
    Value *byte = CreateAlignedLoad(getInt8Ty(), buffer(zero), Align(1));
    return zero.kind() == ElementKind::I8 ? CreateSExt(byte, getInt64Ty())
                                          : CreateZExt(byte, getInt64Ty());
  }

  const MatMulIntegerCall &call;
  const ProductSizes &p;
};

/// Packs the second matrix: a chunk is a block of 16 columns.
class PackEmitter {
public:
  PackEmitter(CodeModule &module, const MatMulIntegerCall &call,
              const ProductSizes &sizes, int64_t panel, const Twine &name)
      : call(call), p(sizes), panel(panel), code(module, call, p, name) {}

  NativeStep::Phase emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                emitBlock(code.CreateUDiv(chunk, code.integer(p.blocks)),
                          code.CreateURem(chunk, code.integer(p.blocks)));
              });
    code.CreateRetVoid();
    return {code.function, p.batch * p.blocks};
  }

private:
  void emitBlock(Value *matrix, Value *block) {
    const int64_t rest = p.columns % lanes;
    Value *isLast = code.CreateICmpEQ(block, code.integer(p.blocks - 1));
    if (rest)
      code.when(isLast, [&] { emitColumns(matrix, block, rest); });
    if (rest && p.blocks > 1)
      code.when(code.CreateNot(isLast),
                [&] { emitColumns(matrix, block, lanes); });
    if (!rest)
      emitColumns(matrix, block, lanes);
  }

  void emitColumns(Value *matrix, Value *block, int64_t count) {
    Value *number = code.CreateUDiv(block, code.integer(panel));
    Value *within = code.CreateURem(block, code.integer(panel));
    Value *blocks = code.smaller(
        code.integer(panel),
        code.CreateNSWSub(code.integer(p.blocks), code.times(number, panel)));
    Value *from = code.bytesAt(code.buffer(call.rhs),
                               code.add(code.times(matrix, p.inner * p.columns),
                                        code.times(block, lanes)));
    Value *sumsAt = code.bytesAt(
        code.shared(0), code.add(code.times(matrix, p.matrixBytes),
                                 code.times(number, p.panelBytes(panel))));
    Value *step = code.times(blocks, vectorBytes); // from a quad to the next
    Value *own = code.times(within, vectorBytes);
    Value *words = code.bytesAt(sumsAt, code.add(step, own));
    Emitter::Values sums = {Constant::getNullValue(code.integers())};
    auto store = [&](Value *which, int64_t there, Emitter::Values sums) {
      Value *word =
          wordOf(code.bytesAt(from, code.times(which, quad * p.columns)), count,
                 there);
      code.CreateAlignedStore(
          word, code.bytesAt(words, code.CreateNSWMul(which, step)),
          Align(vectorBytes));
      return Emitter::Values{withBytes(sums[0], word)};
    };
    const int64_t whole = p.inner / quad;
    if (whole)
      sums = code.loop(code.integer(0), code.integer(whole), sums,
                       [&](Value *which, Emitter::Values sums) {
                         return store(which, quad, sums);
                       });
    if (p.inner % quad)
      sums = store(code.integer(whole), p.inner % quad, sums);
    code.CreateAlignedStore(sums[0], code.bytesAt(sumsAt, own),
                            Align(vectorBytes));
  }

  /// Bytes of `there` rows for each column, as signed ones; others are 0.
  Value *wordOf(Value *from, int64_t count, int64_t there) {
    Value *word = nullptr;
    uint64_t signs = 0;
    for (int64_t i = 0; i < there; ++i) {
      Value *bytes =
          loadElements(code, code.getInt8Ty(),
                       code.bytesAt(from, i * p.columns), count, Align(1));
      Value *wide = code.CreateZExt(bytes, code.integers());
      if (i)
        wide = code.CreateShl(wide, uint64_t(8 * i));
      word = word ? code.CreateOr(word, wide) : wide;
      signs |= uint64_t(0x80) << (8 * i);
    }
    return p.isUnsigned
               ? code.CreateXor(word, ConstantInt::get(word->getType(), signs))
               : word;
  }
  /// The sums with the signed bytes of a word.
  Value *withBytes(Value *sums, Value *word) {
    for (uint64_t i = 0; i < quad; ++i) {
      Value *high = i + 1 < quad ? code.CreateShl(word, 24 - 8 * i) : word;
      sums = code.CreateAdd(sums, code.CreateAShr(high, 24));
    }
    return sums;
  }

  const MatMulIntegerCall &call;
  const ProductSizes &p;
  const int64_t panel;
  ProductCode code;
};

/// Moves the rows of the first matrix, and makes the terms of rows.
class RowsEmitter {
public:
  RowsEmitter(CodeModule &module, const MatMulIntegerCall &call,
              const ProductSizes &sizes, const Twine &name)
      : call(call), p(sizes), code(module, call, p, name) {}

  NativeStep::Phase emit() {
    const int64_t all = p.batch * p.rows;
    Value *right = code.rightZero(), *left = code.leftZero();
    Value *hasTerms = code.CreateICmpNE(right, code.integer(0));
    lanesOf = code.CreateAlloca(code.integers());
    rest = code.CreateAlloca(code.getInt64Ty());
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
          Value *first = code.times(chunk, rowsOfBand);
          Value *end = code.smaller(code.add(first, code.integer(rowsOfBand)),
                                    code.integer(all));
          code.loop(first, end, [&](Value *row) {
            Value *from =
                code.bytesAt(code.buffer(call.lhs), code.times(row, p.inner));
            if (p.prepared)
              move(from, code.bytesAt(code.shared(p.imageAt),
                                      code.times(row, p.padded)));
            code.when(hasTerms, [&] {
              Value *sum =
                  code.CreateNSWSub(code.times(left, p.inner), sumOf(from));
              code.CreateAlignedStore(
                  code.CreateTrunc(code.CreateMul(right, sum),
                                   code.getInt32Ty()),
                  code.termAt(row), Align(4));
            });
          });
        });
    code.CreateRetVoid();
    return {code.function, (all + rowsOfBand - 1) / rowsOfBand};
  }

private:
  /// Calls `vector` for whole vectors of a row, and `byte` for other bytes.
  void overRow(function_ref<void(Value *)> vector,
               function_ref<void(Value *)> byte) {
    const int64_t whole = p.inner / vectorBytes;
    if (whole)
      code.loop(code.integer(0), code.integer(whole),
                [&](Value *v) { vector(code.times(v, vectorBytes)); });
    if (p.inner % vectorBytes)
      code.loop(code.integer(whole * vectorBytes), code.integer(p.inner), byte);
  }
  Value *load(Type *type, Value *from, Value *offset) {
    return code.CreateAlignedLoad(type, code.bytesAt(from, offset), Align(1));
  }
  /// Adds 128 to signed bytes.
  Value *moved(Value *bytes, uint64_t signs) {
    return p.isSigned ? code.CreateXor(
                            bytes, ConstantInt::get(bytes->getType(), signs))
                      : bytes;
  }

  void move(Value *from, Value *to) {
    overRow(
        [&](Value *offset) {
          code.CreateAlignedStore(
              moved(load(code.integers(), from, offset), 0x80808080),
              code.bytesAt(to, offset), Align(1));
        },
        [&](Value *offset) {
          code.CreateAlignedStore(
              moved(load(code.getInt8Ty(), from, offset), 0x80),
              code.bytesAt(to, offset), Align(1));
        });
  }

  /// The sum of the moved bytes of a row.
  Value *sumOf(Value *from) {
    code.CreateAlignedStore(Constant::getNullValue(code.integers()), lanesOf,
                            Align(vectorBytes));
    code.CreateAlignedStore(code.integer(0), rest, Align(8));
    overRow(
        [&](Value *offset) {
          Value *words = moved(load(code.integers(), from, offset), 0x80808080);
          Value *sum = code.CreateAlignedLoad(code.integers(), lanesOf,
                                              Align(vectorBytes));
          for (uint64_t i = 0; i < quad; ++i) {
            Value *byte = i ? code.CreateLShr(words, 8 * i) : words;
            if (i + 1 < quad)
              byte = code.CreateAnd(byte,
                                    ConstantInt::get(words->getType(), 0xff));
            sum = code.CreateAdd(sum, byte);
          }
          code.CreateAlignedStore(sum, lanesOf, Align(vectorBytes));
        },
        [&](Value *offset) {
          Value *byte =
              code.CreateZExt(moved(load(code.getInt8Ty(), from, offset), 0x80),
                              code.getInt64Ty());
          Value *sum =
              code.CreateAlignedLoad(code.getInt64Ty(), rest, Align(8));
          code.CreateAlignedStore(code.add(sum, byte), rest, Align(8));
        });
    Value *sum = code.CreateAlignedLoad(code.getInt64Ty(), rest, Align(8));
    for (int64_t i = 0; i < lanes; ++i)
      sum = code.add(
          sum, code.CreateZExt(code.CreateAlignedLoad(
                                   code.getInt32Ty(),
                                   code.bytesAt(lanesOf, 4 * i), Align(4)),
                               code.getInt64Ty()));
    return sum;
  }

  const MatMulIntegerCall &call;
  const ProductSizes &p;
  ProductCode code;
  Value *lanesOf = nullptr, *rest = nullptr; ///< sums of a row, in memory
};

class IntegerMatMulEmitter : PanelChunks {
public:
  IntegerMatMulEmitter(CodeModule &module, const MatMulIntegerCall &call,
                       const Twine &name)
      : call(call), p(call), code(module, call, p, name) {
    choosePanels(module.target, p.blocks, 1);
    width = std::min(chooseWidth(module.target, p.rows, panel), mostRows);
    const int64_t tiles = (p.rows + width - 1) / width;
    units = tiles;
    band = chooseBand(p.padded * panel * lanes * width / quad, tiles);
    bands = quotient(units + band - 1, band);
  }

  NativeStep emit() {
    left = code.leftZero(), right = code.rightZero();
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                emitChunk(code, chunk, p.blocks, p.columns % lanes == 0,
                          [&](const PanelChunk &part) { emitPanel(part); });
              });
    code.CreateRetVoid();
    const std::string name = code.function->getName().str();
    NativeStep step;
    step.phases.push_back(
        PackEmitter(code.module, call, p, panel, name + ".pack").emit());
    step.phases.push_back(
        RowsEmitter(code.module, call, p, name + ".rows").emit());
    step.phases.push_back({code.function, p.batch * perImage().fixed()});
    step.sharedBytes = p.sharedBytes;
    step.choice = tileChoice("quads", "packed in a run", width, panel);
    const double results = double(p.batch * p.rows * p.blocks);
    step.work = tileWork(width, panel, results * double(p.padded) / quad,
                         results, Formula());
    step.work->factors = Factors::Bytes;
    return step;
  }

private:
  void emitPanel(const PanelChunk &part) {
    Value *in = p.prepared ? code.shared(p.imageAt) : code.buffer(call.lhs);
    IntegerTileCall base;
    base.in = code.bytesAt(in, code.times(part.image, p.rows * p.rowBytes()));
    base.columnSums = code.bytesAt(
        code.shared(0), code.add(code.times(part.image, p.matrixBytes),
                                 code.times(part.kernel, p.panelBytes(panel))));
    base.weights =
        code.bytesAt(base.columnSums, code.integer(part.blocks * vectorBytes));
    base.zero = left;
    base.out = code.at(code.buffer(0),
                       code.add(code.times(part.image, p.rows * p.columns),
                                code.times(part.kernel, panel * lanes)));
    IntegerTile tile;
    tile.blocks = part.blocks;
    tile.lastLanes = part.isLast ? (p.columns - 1) % lanes + 1 : lanes;
    tile.inPixel = p.rowBytes(), tile.outPixel = p.columns;
    tile.bytes = p.inner;
    emitTiles(tile, base, part);
    code.when(code.CreateICmpNE(right, code.integer(0)),
              [&] { addTerms(tile, base, part); });
  }

  void emitTiles(IntegerTile tile, const IntegerTileCall &base,
                 const PanelChunk &part) {
    const int64_t full = p.rows / width, rest = p.rows % width;
    auto emitAt = [&](Value *number) {
      Value *row = code.times(number, width);
      IntegerTileCall moved = base;
      moved.in = code.bytesAt(base.in, code.times(row, tile.inPixel));
      moved.out = code.at(base.out, code.times(row, tile.outPixel));
      emitIntegerTile(code, tile, moved);
    };
    if (full) {
      tile.width = width;
      code.loop(part.first, code.smaller(part.end, code.integer(full)), emitAt,
                /*maybeNone=*/true);
    }
    if (rest)
      code.when(code.CreateICmpEQ(part.end, code.integer(units.fixed())), [&] {
        tile.width = rest;
        emitAt(code.integer(full));
      });
  }

  /// Adds the terms of the rows of a chunk.
  void addTerms(const IntegerTile &tile, const IntegerTileCall &base,
                const PanelChunk &part) {
    Value *end =
        code.smaller(code.times(part.end, width), code.integer(p.rows));
    code.loop(code.times(part.first, width), end, [&](Value *row) {
      Value *term = code.splat(code.CreateAlignedLoad(
          code.getInt32Ty(),
          code.termAt(code.add(code.times(part.image, p.rows), row)),
          Align(4)));
      Value *to = code.at(base.out, code.times(row, p.columns));
      for (int64_t b = 0; b < tile.blocks; ++b) {
        const int64_t count = b + 1 == tile.blocks ? tile.lastLanes : lanes;
        Value *at = code.at(to, b * lanes);
        Value *sums =
            loadElements(code, code.getInt32Ty(), at, count, Align(4));
        storeElements(code, code.CreateAdd(sums, term), at, count, Align(4));
      }
    });
  }

  const MatMulIntegerCall &call;
  const ProductSizes p;
  ProductCode code;
  Value *left = nullptr, *right = nullptr; ///< zeros
  int64_t width;                           ///< rows of a tile
};

} // namespace

std::optional<NativeStep> cpu::emitMatMulInteger(CodeModule &module,
                                                 const MatMulIntegerCall &call,
                                                 const Twine &name) {
  if (byteProductsOf(module, ElementKind::I8) != ByteProducts::Quads)
    return std::nullopt;
  return IntegerMatMulEmitter(module, call, name).emit();
}

//===- Transposed.cpp - products with rows as columns ---------------------===//
// SPDX-License-Identifier: MIT
//
// The second matrix is of a run, and its columns are rows in memory. For few
// rows of the first matrix, each result is a sum along two rows: the sums of 16
// results stay in registers, and their lanes are added at the end. For more
// rows, a chunk transposes the panel that its tiles read (MatMul.cpp).
//
//===----------------------------------------------------------------------===//

#include "MatMul.h"
#include "codegen/tile/Shuffles.h"
#include "glow/Base/Functions.h"
#include "llvm/ADT/Sequence.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

//===----------------------------------------------------------------------===//
// A transposed panel
//===----------------------------------------------------------------------===//

void MatMulEmitter::transposePanel(Value *product, Value *panelNumber,
                                   bool last) {
  const int64_t blocks = last ? lastPanel : panel;
  const int64_t step = blocks * lanes, rest = inner % lanes;
  const int64_t lastRows = last ? (columns - 1) % lanes + 1 : lanes;
  const int64_t full = lastRows == lanes ? blocks : blocks - 1;
  Value *from =
      code.at(code.buffer(operands.rhs),
              code.add(code.times(product, inner * columns),
                       code.times(panelNumber, panel * lanes * inner)));
  auto emitBlock = [&](Value *block, int64_t rows) {
    Value *rowsAt = code.at(from, code.times(block, lanes * inner));
    Value *to = code.at(code.scratch(), code.times(block, lanes));
    auto emitPart = [&](Value *k, int64_t count) {
      code.CreateCall(rowsToVectors(code.module, rows, count),
                      {code.at(rowsAt, k), code.integer(inner),
                       code.at(to, code.times(k, step)), code.integer(step)});
    };
    if (inner >= lanes)
      code.loop(code.integer(0), code.integer(inner / lanes),
                [&](Value *i) { emitPart(code.times(i, lanes), lanes); });
    if (rest)
      emitPart(code.integer(inner - rest), rest);
  };
  if (full)
    code.loop(code.integer(0), code.integer(full),
              [&](Value *block) { emitBlock(block, lanes); });
  if (full < blocks)
    emitBlock(code.integer(full), lastRows);
}

//===----------------------------------------------------------------------===//
// Sums along rows
//===----------------------------------------------------------------------===//

namespace {

/// Rows and columns that are multiplied together: each load of a row serves all
/// columns, and each load of a column all rows.
struct RowTile {
  int64_t rows = 4, sums = lanes; ///< `sums` are in registers, of all rows
  int64_t sumLanes = lanes;       ///< of a sum
  int64_t mostRows = 0;           ///< of a product; 0 if a panel is faster

  explicit RowTile(const cpu::Target &target) {
    // All sums whose lanes are then added up, in 16 of 32 registers. Beyond 40
    // rows the wider tiles of a panel are as fast (measured on Zen 4).
    if (target.fits(unsigned(rows), unsigned(lanes / rows)))
      mostRows = 40;
    // With AVX2 a sum is a register. Two multipliers with a latency of four
    // cycles fill eight, and a step of 4 x 2 sums has six loads for eight
    // products (measured on Zen 3).
    else if (target.has("avx2") && target.has("fma"))
      sums = sumLanes = lanes / 2, mostRows = 32;
  }
};

/// Whether sums along rows are faster than a transposed panel. A row adds up
/// lanes as often as it has blocks, which takes as long as `inner` / 6 rows
/// take to transpose.
bool areFewRows(const cpu::Target &target, const MatMulSizes &sizes) {
  return sizes.rows <= std::min(sizes.inner / 6, RowTile(target).mostRows);
}

/// A chunk is some blocks of 16 columns of one product.
class RowProductsEmitter : MatMulEmitter {
public:
  RowProductsEmitter(CodeModule &module, const MatMulOperands &operands,
                     const MatMulSizes &sizes, const Epilogue &epilogue,
                     const Twine &name)
      : MatMulEmitter(module, operands, sizes, epilogue, name),
        tile(module.target) {
    blocks = (columns + lanes - 1) / lanes;
    band = std::min(chooseBand(inner * lanes * rows, blocks), (blocks + 3) / 4);
    bands = (blocks + band - 1) / band;
  }

  NativeStep emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, batch * bands});
    step.choice = tileChoice("", "as rows", std::min(rows, tile.rows), 1);
    const double results = double(batch * rows * blocks);
    step.work =
        tileWork(lanes, 1, results * double(inner), results, epilogue.formula);
    // Each vector of results is added up in 45 steps.
    step.work->operations += results * 45;
    return step;
  }

private:
  void emitChunk(Value *chunk) {
    Value *product = code.CreateUDiv(chunk, code.integer(bands));
    Value *part = code.CreateURem(chunk, code.integer(bands));
    Value *first = code.times(part, band);
    Value *end =
        code.smaller(code.add(first, code.integer(band)), code.integer(blocks));
    left =
        code.at(code.buffer(operands.lhs), code.times(product, rows * inner));
    right = code.at(code.buffer(operands.rhs),
                    code.times(product, columns * inner));
    result = code.times(product, rows * columns);
    const int64_t rest = columns % lanes;
    Value *whole =
        rest ? code.smaller(end, code.integer(columns / lanes)) : end;
    code.loop(
        first, whole, [&](Value *block) { emitBlock(block, lanes); },
        /*maybeNone=*/true);
    if (rest)
      code.when(code.CreateICmpEQ(end, code.integer(blocks)),
                [&] { emitBlock(code.integer(columns / lanes), rest); });
  }

  /// Emits the results of `count` columns.
  void emitBlock(Value *block, int64_t count) {
    const int64_t whole = rows / tile.rows, rest = rows % tile.rows;
    if (whole)
      code.loop(code.integer(0), code.integer(whole), [&](Value *group) {
        emitRows(block, code.times(group, tile.rows), tile.rows, count);
      });
    if (rest)
      emitRows(block, code.integer(whole * tile.rows), rest, count);
  }

  /// The same for `there` rows. Three are computed as four.
  void emitRows(Value *block, Value *row, int64_t there, int64_t count) {
    const int64_t some = there == 3 ? 4 : there;
    const int64_t width = lanes / some; // columns at once
    Value *column = code.times(block, lanes);
    Value *first = code.at(right, code.times(column, inner));
    Value *lefts = code.at(left, code.times(row, inner));
    Emitter::Values parts;
    for (int64_t c = 0; c < lanes; c += width)
      // Columns behind the last are computed as the last one.
      parts.push_back(c < count ? sumsOf(lefts, there, some, first, c, count)
                                : parts.back());
    Value *to = code.add(code.add(result, column), code.times(row, columns));
    for (int64_t r = 0; r < there; ++r)
      finish(rowOf(parts, r, width), code.add(to, code.integer(r * columns)),
             column, count);
  }

  /// The sums of `some` rows, `there` of which exist, with as many columns as
  /// there are lanes for, from column `c` of `count` on.
  Value *sumsOf(Value *rowsAt, int64_t there, int64_t some, Value *first,
                int64_t c, int64_t count) {
    const int64_t width = lanes / some, together = tile.sums / some;
    Emitter::Values all(lanes, nullptr);
    for (int64_t i = 0; i < width; i += together) {
      Emitter::Values sums =
          partOfSums(rowsAt, there, some, first, c + i, together, count);
      for (int64_t r = 0; r < some; ++r)
        std::copy_n(sums.begin() + r * together, together,
                    all.begin() + r * width + i);
    }
    return sumsOfLanes(code, all);
  }

  /// The sums of `width` columns from `c` on, each in all lanes.
  Emitter::Values partOfSums(Value *rowsAt, int64_t there, int64_t some,
                             Value *first, int64_t c, int64_t width,
                             int64_t count) {
    auto add = [&](Value *k, int64_t elements, Emitter::Values sums) {
      Emitter::Values lefts;
      for (int64_t r = 0; r < some; ++r)
        lefts.push_back(
            r < there
                ? loadTerms(code.at(code.at(rowsAt, r * inner), k), elements)
                : lefts.back());
      for (int64_t i = 0; i < width; ++i) {
        int64_t place = std::min(c + i, count - 1) * inner;
        Value *vector = loadTerms(code.at(code.at(first, place), k), elements);
        for (int64_t r = 0; r < some; ++r) {
          Value *&sum = sums[size_t(r * width + i)];
          sum = code.multiplyAdd(lefts[size_t(r)], vector, sum);
        }
      }
      return sums;
    };
    const int64_t step = tile.sumLanes;
    Emitter::Values sums(size_t(some * width),
                         Constant::getNullValue(FixedVectorType::get(
                             code.getFloatTy(), unsigned(step))));
    const int64_t whole = inner / step, rest = inner % step;
    if (whole)
      sums = code.loop(code.integer(0), code.integer(whole), sums,
                       [&](Value *i, Emitter::Values sums) {
                         return add(code.times(i, step), step, sums);
                       });
    if (rest)
      sums = add(code.integer(inner - rest), rest, sums);
    return sums;
  }

  /// Loads so many elements of a row, and zeros, into the lanes of a sum.
  Value *loadTerms(Value *from, int64_t elements) {
    if (tile.sumLanes == lanes)
      return code.loadVector(from, elements);
    auto first = to_vector(seq<int>(0, int(tile.sumLanes)));
    if (elements < tile.sumLanes)
      return code.CreateShuffleVector(code.loadVector(from, elements), first);
    return code.CreateAlignedLoad(
        FixedVectorType::get(code.getFloatTy(), unsigned(elements)), from,
        Align(4));
  }

  /// The results of row `r`: `width` lanes of each part, from lane `r` times
  /// `width` on.
  Value *rowOf(Emitter::Values parts, int64_t r, int64_t width) {
    for (; parts.size() > 1; width *= 2, r = 0) {
      Emitter::Values joined;
      for (size_t i = 0; i < parts.size(); i += 2) {
        SmallVector<int> places;
        for (int64_t lane = 0; lane < lanes; ++lane)
          places.push_back(int(lane < 2 * width ? lane / width * lanes +
                                                      r * width + lane % width
                                                : lane));
        joined.push_back(
            code.CreateShuffleVector(parts[i], parts[i + 1], places));
      }
      parts = joined;
    }
    return parts.front();
  }

  void finish(Value *sums, Value *place, Value *column, int64_t count) {
    if (epilogue.bias)
      sums = code.CreateFAdd(
          sums,
          code.loadVector(code.at(code.buffer(*operands.bias), column), count));
    Emitter::Values values = {sums};
    auto extras = extrasAt(code, operands.extras, epilogue, place, column);
    for (auto [kind, from] : zip(epilogue.extras, extras))
      values.push_back(kind == BroadcastKind::Scalar
                           ? code.splat(code.loadElement(from))
                           : code.loadVector(from, count));
    code.storeVector(emitFormula(code, epilogue.formula, values),
                     code.at(code.buffer(0), place), count);
  }

  const RowTile tile;
  int64_t blocks, band, bands;
  Value *left = nullptr, *right = nullptr; ///< matrices of the product
  Value *result = nullptr;                 ///< its first result
};

} // namespace

std::optional<NativeStep>
cpu::emitRowProducts(CodeModule &module,
                     const calls::CpuMatMulTransposedCall &call,
                     const Twine &name) {
  MatMulOperands operands(call);
  MatMulSizes sizes(module, operands);
  // Strict sums are made one product after the other.
  if (module.math == Math::Strict ||
      (!areFewRows(module.target, sizes) &&
       module.hasPlaceFor(0, sizes.panelBytes())))
    return std::nullopt;
  Epilogue epilogue = epilogueOf(call);
  return RowProductsEmitter(module, operands, sizes, epilogue, name).emit();
}

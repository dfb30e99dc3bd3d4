//===- AttentionBlocks.cpp - attention to many keys, in blocks ------------===//
// SPDX-License-Identifier: MIT
//
// The keys and values of a block are copied, so that they stay in the
// second-level cache over all rows. A row is divided by the sum of its powers
// once, after the product with the values. Attention of 1500 rows and keys
// takes 0.7 of the time; blocks of 512 keys are no faster.
//
// Scratch holds, in elements: the keys of a block [depth][256], its values
// [256][paddedWidth], scores [height][scoreRow], the sums of all rows [row
// tile][panel][row][panelWidth], the largest score of each row, and the sum of
// its powers.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "codegen/emit/OpenSizes.h"
#include <limits>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

int64_t AttentionEmitter::panelBlocks() const {
  int64_t blocks = (a.width + lanes - 1) / lanes, best = 1, least = blocks + 1;
  // With eight rows, registers suffice for three blocks. The largest panel is
  // preferred if another one has as much padding.
  for (int64_t panel = 3; panel; --panel)
    if (int64_t padded = (blocks + panel - 1) / panel * panel;
        code.module.target.fits(height, panel) && padded < least)
      best = panel, least = padded;
  return best;
}

int64_t AttentionEmitter::sumsSize() const {
  return (a.mostRows() + height - 1) / height * height * paddedWidth();
}

int64_t AttentionEmitter::blockedScratch() const {
  return blockKeys * (a.depth + paddedWidth()) + height * scoreRow +
         sumsSize() + 2 * paddedRows();
}

void AttentionEmitter::emitBlocks() {
  packed = code.at(keys, blockKeys * a.depth);
  scores = code.at(packed, blockKeys * paddedWidth());
  sums = code.at(scores, height * scoreRow);
  largest = code.at(sums, sumsSize());
  clearSums();
  // More than two blocks.
  code.loop(code.integer(0), valueOf(code, quotient(a.keys, blockKeys)),
            [&](Value *t) { emitBlock(code.times(t, blockKeys), blockKeys); });
  Length rest = remainder(a.keys, blockKeys);
  Value *last = valueOf(code, a.keys - rest);
  if (!rest.isFixed())
    code.when(code.CreateICmpNE(valueOf(code, rest), code.integer(0)),
              [&] { emitBlock(last, rest); });
  else if (rest.fixed())
    emitBlock(last, rest);
  overRows([&](Value *first, int64_t count) { divideRows(first, count); });
}

void AttentionEmitter::clearSums() {
  Value *zero = ConstantAggregateZero::get(code.vector);
  auto fill = [&](Value *place, const Length &vectors, Value *value) {
    code.loop(
        code.integer(0), valueOf(code, vectors),
        [&](Value *v) {
          code.storeVector(value, code.at(place, code.times(v, lanes)));
        },
        /*maybeNone=*/!vectors.isFixed());
  };
  bool isOpen = !a.rows.isFixed();
  Length ofSums =
      isOpen ? a.rows * (paddedWidth() / lanes) : sumsSize() / lanes;
  Length ofRows = quotient(a.rows + (lanes - 1), lanes);
  fill(sums, ofSums, zero);
  fill(largest, ofRows,
       code.splat(ConstantFP::get(code.getFloatTy(),
                                  -std::numeric_limits<float>::max())));
  fill(code.at(largest, paddedRows()), ofRows, zero);
}

void AttentionEmitter::emitBlock(Value *first, const Length &count) {
  packKeys(code.at(key, code.times(first, a.keyRow)), count, blockKeys);
  packValues(code.at(values, code.times(first, a.valueRow)), count);
  // The function depends on the number of keys; the last block has fewer keys.
  softmax = nullptr;
  overRows([&](Value *row, int64_t rows) {
    emitBlockRows(row, rows, first, count);
  });
}

void AttentionEmitter::packValues(Value *from, const Length &count) {
  code.loop(code.integer(0), valueOf(code, count), [&](Value *row) {
    Value *in = code.at(from, code.times(row, a.valueRow));
    Value *to = code.at(packed, code.times(row, paddedWidth()));
    for (int64_t c = 0; c < paddedWidth(); c += lanes)
      code.storeVector(
          c < a.width
              ? code.loadVector(code.at(in, c), std::min(lanes, a.width - c))
              : ConstantAggregateZero::get(code.vector),
          code.at(to, c));
  });
}

Value *AttentionEmitter::sumsAt(Value *firstRow) {
  return code.at(sums, code.times(firstRow, paddedWidth()));
}

void AttentionEmitter::emitBlockRows(Value *row, int64_t rows, Value *firstKey,
                                     const Length &count) {
  Tile tile;
  tile.width = rows;
  tile.count = 0, tile.outer = false, tile.tail = true;
  TileCall call;
  call.outBlock = code.integer(lanes);
  tile.inPixel = a.queryRow, tile.outPixel = scoreRow;
  tile.weightStep = blockKeys;
  call.in = code.at(query, code.times(row, a.queryRow));
  call.weights = keys, call.out = scores;
  call.tail = code.integer(a.depth);
  emitColumns(tile, call, quotient(count + (lanes - 1), lanes) * lanes);
  Value *rowSums = sumsAt(row);
  for (int64_t r = 0; r < rows; ++r)
    emitSoftmax(code.at(scores, r * scoreRow), code.add(row, code.integer(r)),
                firstKey, count,
                {code.at(rowSums, r * panelWidth()),
                 code.integer(rows * panelWidth())});
  tile.inPixel = scoreRow, tile.outPixel = panelWidth();
  tile.weightStep = paddedWidth(), tile.blocks = panelBlocks();
  // Sums continue those of the blocks before, which the softmax has scaled to
  // the largest score so far.
  tile.starts = 1;
  call.in = scores, call.tail = valueOf(code, count);
  for (int64_t p = 0; p < panels(); ++p) {
    call.weights = code.at(packed, p * panelWidth());
    call.out = code.at(rowSums, p * rows * panelWidth());
    call.starts = {call.out};
    emitTile(code, tile, call);
  }
}

void AttentionEmitter::divideRows(Value *first, int64_t count) {
  Value *from = sumsAt(first);
  Value *to = code.at(out, code.times(first, a.heads * a.width));
  Value *total = code.at(largest, code.add(first, code.integer(paddedRows())));
  for (int64_t row = 0; row < count; ++row) {
    Value *factor = code.CreateFDiv(ConstantFP::get(code.getFloatTy(), 1.0),
                                    code.loadElement(code.at(total, row)));
    for (int64_t c = 0; c < a.width; c += lanes) {
      int64_t panel = c / panelWidth();
      Value *place = code.at(from, (panel * count + row) * panelWidth() +
                                       c % panelWidth());
      code.storeVector(
          code.CreateFMul(code.loadVector(place), code.splat(factor)),
          code.at(to, row * a.heads * a.width + c),
          std::min(lanes, a.width - c));
    }
  }
}

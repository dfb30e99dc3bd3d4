//===- Attention.cpp - softmax(q k' ...) v, one head at a time ------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is one head of one image. Eight rows of scores are computed at a
// time: their product, the formula, the softmax, and the product with the
// values. The scores never leave the first-level cache.
//
// Many keys are processed in blocks. Copies of the keys and values of a block
// stay in the second-level cache over all rows. A row keeps the largest score
// so far, and the sums of exp(score - largest), alone and times the values. If
// a block has a larger score, the sums are scaled down to it.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/tile/Shuffles.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

NativeStep AttentionEmitter::emit() {
  code.loop(
      code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
        // A step has a chunk even if the batch of a run is empty.
        if (a.batch.isFixed() || a.batch.range().low > 0)
          return emitHead(chunk);
        code.when(code.CreateICmpSGT(valueOf(code, a.batch), code.integer(0)),
                  [&] { emitHead(chunk); });
      });
  code.CreateRetVoid();
  NativeStep step;
  step.phases.push_back(
      {code.function, a.batch.range().high * (a.heads * parts)});
  emitMeasure(code, a.batch * (a.heads * parts));
  int64_t whole = (a.depth + height) * a.wholeRow();
  step.scratchBytes =
      4 * (a.areNeverBlocked()    ? whole
           : a.areAlwaysBlocked() ? blockedScratch()
                                  : std::max(whole, blockedScratch()));
  step.work = work();
  return step;
}

Work AttentionEmitter::work() const {
  // The work of a head. The exponential of a score takes 15 instructions; its
  // sum, the maximum and the scale take 5.
  double columns = double(a.paddedKeys()) / lanes;
  double scores = double(a.mostRows()) * columns;
  double values = double(panels() * panelBlocks());
  auto blocksOf = [&](int64_t columns) {
    int64_t blocks = (columns + lanes - 1) / lanes;
    return std::min(columnBlocks(height, columns), blocks);
  };
  Work work = tileWork(height, blocksOf(a.paddedKeys()),
                       scores * double(a.depth), scores, formula);
  work +=
      tileWork(height, a.areNeverBlocked() ? blocksOf(a.width) : panelBlocks(),
               double(a.mostRows() * a.mostKeys()) * values,
               double(a.mostRows()) * values, {});
  work.operations += scores * 20;
  // Keys become columns, 16 by 16 in 4 steps.
  work.operations += columns * double(a.depth) * 6;
  double heads = double(a.batch.range().high * a.heads);
  work.products *= heads, work.operations *= heads;
  return work;
}

int64_t AttentionEmitter::chooseParts() const {
  constexpr int64_t few = 8, rowsOfPart = 64;
  if (!a.batch.isFixed() || !a.rows.isFixed() || !a.areNeverBlocked())
    return 1;
  const int64_t heads = a.batch.fixed() * a.heads;
  return heads < few && heads % 2 && a.rows.fixed() >= 2 * rowsOfPart ? 2 : 1;
}

void AttentionEmitter::locateHead(Value *chunk) {
  if (parts > 1) {
    part = code.CreateURem(chunk, code.integer(parts));
    chunk = code.CreateUDiv(chunk, code.integer(parts));
  }
  head = code.CreateURem(chunk, code.integer(a.heads));
  image = code.CreateUDiv(chunk, code.integer(a.heads));
  keys = code.scratch();
  query = placeOf(call.q, head, a.rows * a.queryRow, a.query, a.depth);
  key = placeOfKeys(call.k, a.keyRow, a.key, a.depth);
  values = placeOfKeys(call.v, a.valueRow, a.value, a.width);
  out = code.at(code.buffer(0),
                code.add(times(code, image, a.rows * (a.heads * a.width)),
                         code.times(head, a.width)));
}

void AttentionEmitter::emitHead(Value *chunk) {
  locateHead(chunk);
  if (a.areNeverBlocked())
    return emitWhole();
  if (a.areAlwaysBlocked())
    return emitBlocks();
  Value *many =
      code.CreateICmpSGT(valueOf(code, a.keys), code.integer(2 * blockKeys));
  code.when(many, [&] { emitBlocks(); });
  softmax = nullptr;
  code.when(code.CreateNot(many), [&] { emitWhole(); });
}

void AttentionEmitter::emitWhole() {
  scores = code.at(keys, a.depth * a.wholeRow());
  packKeys(key, a.keys, a.wholeRow());
  overRows([&](Value *first, int64_t count) { emitRows(first, count); });
}

void AttentionEmitter::overRows(function_ref<void(Value *, int64_t)> body) {
  if (!a.rows.isFixed())
    return overTiles(code, valueOf(code, a.rows), height, body);
  int64_t rows = a.rows.fixed();
  Value *const all = code.integer(rows / height);
  Value *first = code.integer(0), *end = all;
  if (parts > 1) {
    const int64_t ofPart = (rows / height + parts - 1) / parts;
    first = code.times(part, ofPart);
    end = code.smaller(code.add(first, code.integer(ofPart)), all);
  }
  code.loop(first, end, [&](Value *t) { body(code.times(t, height), height); });
  // A smaller last tile has its own code, since a tile reads all of its rows.
  const int64_t rest = rows % height;
  auto emitRest = [&] { body(code.integer(rows - rest), rest); };
  if (rest && parts > 1)
    code.when(code.CreateICmpEQ(end, all), emitRest);
  else if (rest)
    emitRest();
}

Value *AttentionEmitter::placeOf(const Operand &operand, Value *head,
                                 const Length &imageSize, int64_t first,
                                 int64_t depth) {
  Value *offset =
      code.add(times(code, image, imageSize), code.times(head, depth));
  return code.at(code.at(code.buffer(operand), offset), first);
}

Value *AttentionEmitter::placeOfKeys(const Operand &operand, int64_t row,
                                     int64_t first, int64_t depth) {
  Value *shared =
      a.sharing == 1 ? head : code.CreateUDiv(head, code.integer(a.sharing));
  if (a.keyHeads == 0)
    return placeOf(operand, shared, a.keys * row, first, depth);
  Value *number = code.add(code.times(image, a.keyHeads), shared);
  return code.at(
      code.at(code.buffer(operand), times(code, number, a.keys * row)), first);
}

void AttentionEmitter::packKeys(Value *from, const Length &count,
                                int64_t columns) {
  // `last` is the last key of the block; null: the block is whole.
  auto block = [&](Value *first, int64_t rows, Value *last = nullptr) {
    for (int64_t c = 0; c < a.depth; c += lanes) {
      int64_t channels = std::min(lanes, a.depth - c);
      SmallVector<Value *> vectors;
      for (int64_t row = 0; row < lanes; ++row) {
        Value *place = code.at(code.at(from, code.times(first, a.keyRow)),
                               row * a.keyRow + c);
        if (last)
          place = code.at(
              code.at(from,
                      code.times(code.smaller(
                                     code.add(first, code.integer(row)), last),
                                 a.keyRow)),
              c);
        vectors.push_back(row < rows ? code.loadVector(place, channels)
                                     : ConstantAggregateZero::get(code.vector));
      }
      transpose16(code, vectors);
      for (int64_t i = 0; i < channels; ++i)
        code.storeVector(vectors[i],
                         code.at(code.at(keys, first), (c + i) * columns));
    }
  };
  if (!count.isFixed()) {
    Value *all = valueOf(code, count);
    Value *full = code.CreateUDiv(all, code.integer(lanes));
    code.loop(
        code.integer(0), full,
        [&](Value *t) { block(code.times(t, lanes), lanes); },
        /*maybeNone=*/true);
    Value *first = code.times(full, lanes);
    code.when(code.CreateICmpSLT(first, all), [&] {
      block(first, lanes, code.CreateSub(all, code.integer(1)));
    });
    return;
  }
  int64_t there = count.fixed();
  if (there >= lanes)
    code.loop(code.integer(0), code.integer(there / lanes),
              [&](Value *t) { block(code.times(t, lanes), lanes); });
  if (int64_t rest = there % lanes)
    block(code.integer(there - rest), rest);
}

void AttentionEmitter::emitRows(Value *first, int64_t count) {
  Tile tile;
  tile.width = count;
  // The sum runs over `tail` alone: channels are not in blocks of 16 here.
  tile.count = 0, tile.outer = false, tile.tail = true;
  TileCall call;
  call.outBlock = code.integer(lanes);
  // Scores of `count` rows.
  tile.inPixel = a.queryRow, tile.outPixel = a.wholeRow();
  // Both products read rows of the second factor in place. A row of the packed
  // keys is one channel of all keys.
  tile.weightStep = a.wholeRow();
  call.in = code.at(query, code.times(first, a.queryRow));
  call.weights = keys, call.out = scores;
  call.tail = code.integer(a.depth);
  emitColumns(tile, call, quotient(a.keys + (lanes - 1), lanes) * lanes);
  for (int64_t row = 0; row < count; ++row)
    emitSoftmax(code.at(scores, row * a.wholeRow()),
                code.add(first, code.integer(row)), code.integer(0), a.keys,
                {});
  // Their product with the values.
  tile.inPixel = a.wholeRow(), tile.outPixel = a.heads * a.width;
  tile.weightStep = a.valueRow;
  call.in = scores, call.weights = values;
  call.out = code.at(out, code.times(first, a.heads * a.width));
  call.tail = valueOf(code, a.keys);
  emitColumns(tile, call, a.width);
}

int64_t AttentionEmitter::columnBlocks(int64_t rows, int64_t columns) const {
  int64_t most = 1;
  while (code.module.target.fits(unsigned(rows), unsigned(most + 1)) &&
         most < 8)
    ++most;
  // A panel of one block is slow, because it waits for its own sums.
  int64_t blocks = (columns + lanes - 1) / lanes;
  return most == 3 && blocks % 3 == 1 && blocks % 2 == 0 ? 2 : most;
}

void AttentionEmitter::emitColumns(Tile tile, TileCall call,
                                   const Length &all) {
  const int64_t columns = all.range().high;
  tile.blocks = columnBlocks(tile.width, columns);
  int64_t panel = tile.blocks * lanes;
  auto at = [&](const Tile &tile, Value *column) {
    TileCall moved = call;
    moved.weights = code.at(call.weights, column);
    moved.out = code.at(call.out, column);
    emitTile(code, tile, moved);
  };
  if (!all.isFixed()) {
    // Rows of scores have space for whole vectors.
    Value *vectors = valueOf(code, quotient(all, lanes));
    return overTiles(code, vectors, tile.blocks,
                     [&](Value *first, int64_t blocks) {
                       Tile part = tile;
                       part.blocks = blocks;
                       at(part, code.times(first, lanes));
                     });
  }
  if (columns >= panel)
    code.loop(code.integer(0), code.integer(columns / panel),
              [&](Value *t) { at(tile, code.times(t, panel)); });
  if (int64_t rest = columns % panel) {
    // The last panel has lanes beyond the columns; only its last vector is
    // partial.
    tile.blocks = (rest + lanes - 1) / lanes;
    tile.lastLanes = rest % lanes ? rest % lanes : lanes;
    at(tile, code.integer(columns - rest));
  }
}

/// The strides of an operand that is broadcast to [batch, heads, rows, keys].
static Extra extraOf(const Operand &operand) {
  Ints shape = operand.shape();
  Sizes sizes = operand.sizes();
  Extra extra{operand, {0, 0, 0, 0}};
  Length step = 1;
  for (size_t i = shape.size(), axis = 4; i-- > 0;) {
    extra.steps[--axis] = shape[i] == 1 ? 0 : step;
    step = step * sizes[i].length();
  }
  return extra;
}

NativeStep cpu::emitAttention(CodeModule &module,
                              const calls::CpuAttentionCall &call,
                              const Twine &name) {
  Ints q = call.q.shape(), k = call.k.shape(), v = call.v.shape();
  const Ints &first = call.first;
  AttentionSizes a;
  Sizes rows = call.q.sizes();
  a.batch = rows[0].length(), a.heads = call.heads, a.rows = rows[1].length();
  a.keys = call.k.sizes()[1].length(), a.depth = call.depth;
  a.width = call.width;
  a.queryRow = q[2], a.keyRow = k[2], a.valueRow = v[2];
  a.query = first[0], a.key = first[1], a.value = first[2];
  const bool areFirst =
      call.k.sizes()[0].length() == rows[0].length() * call.keyHeads;
  a.keyHeads = areFirst ? call.keyHeads : 0;
  a.sharing = call.keyHeads > 0 ? call.heads / call.keyHeads : 1;
  std::vector<Extra> extras;
  for (size_t i = 0; i < call.extras.size(); ++i)
    extras.push_back(extraOf(call.extras[i]));
  return AttentionEmitter(module, call, a, call.scoreFormula, extras, name)
      .emit();
}

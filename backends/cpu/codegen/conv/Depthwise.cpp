//===- Depthwise.cpp - convolution of each channel on its own -------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is a band of rows of one block of channels of one image. A tile is
// some pixels of a row. It loads each vector of the image once a filter row,
// and all taps that read the vector share it.
//
// Groups of 2, 4 or 8 channels are not expanded to matrices with zeros. A
// vector of weights has one input channel of each group, for 16 output
// channels. It is multiplied by a vector that has this input channel in all
// lanes of the group.
//
//===----------------------------------------------------------------------===//

#include "ConvSizes.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/step/Step.h"
#include "codegen/tile/PanelChunks.h"
#include <map>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// The number of channels of a group that are multiplied at a time: at most
/// four, and so few that their weights take at most half of the registers.
static int64_t groupStep(const Emitter &code, const ConvSizes &c) {
  int64_t step = std::min<int64_t>(c.perGroup, 4);
  while (step > 1 && step * c.taps * 2 > code.module.target.vectorRegisters)
    step /= 2;
  return step;
}

/// The registers of a tile of so many pixels: sums, the pixels of a row, and
/// taps. With groups, weights are kept in registers instead of pixels.
static int64_t registersOf(const Emitter &code, const ConvSizes &c,
                           int64_t width) {
  if (c.perGroup > 1)
    return width + c.taps * groupStep(code, c) + 3;
  int64_t reach = (c.taps - 1) * c.dilationX;
  return width + ((width - 1) * c.strideX + 1 + reach) + c.taps;
}

/// The least number of accumulators that hides the latency of additions.
static constexpr int64_t fewestSums = 10;

/// Whether pixels stay in registers between the taps of a row. For long filter
/// rows each product loads its pixel, so that there are enough registers for
/// sums.
static bool keepsPixels(const Emitter &code, const ConvSizes &c) {
  constexpr int64_t fewest = 4;
  return c.perGroup > 1 ||
         registersOf(code, c, fewest) <= code.module.target.vectorRegisters;
}

namespace {

/// Emits rows of one block of channels.
class RowsEmitter {
public:
  RowsEmitter(Emitter &code, const ConvSizes &c, const Epilogue &epilogue,
              const DepthwiseCall &call)
      : c(c), epilogue(epilogue), code(code), width(depthwiseWidth(code, c)),
        keepsPixels(::keepsPixels(code, c)), in(call.in), filter(call.filter),
        out(call.out), extras(call.extras) {
    if (c.hasOpenRows()) {
      pad = code.scratch();
      code.storeVector(ConstantAggregateZero::get(code.vector), pad);
    }
    start = call.bias ? code.loadVector(call.bias)
                      : ConstantAggregateZero::get(code.vector);
    for (auto [extra, kind] : zip(extras, epilogue.extras))
      if (kind == BroadcastKind::PerChannel)
        extra = code.loadVector(extra);
      else if (kind != BroadcastKind::Elementwise)
        extra = code.splat(code.loadElement(extra));
  }

  void emitRow(Value *row) {
    PlaneRow place(code, c, row);
    rows = clipRows(code, c, place.top);
    if (place.front)
      planes = clipPlanes(code, c, place.front);
    auto tileAt = [&](int64_t shape, int64_t width, Value *x) {
      emitTile(shape, width, x, row, place);
    };
    if (c.hasOpenRows())
      return emitOpenRow(tileAt);
    const int64_t outWidth = c.outWidth.fixed();
    for (int64_t x = 0; x < outWidth;) {
      int64_t size = std::min(width, outWidth - x), next = x + size;
      // As in direct convolution: tiles that read no pads are one loop.
      while (isInside(x, size) && next + width <= outWidth &&
             isInside(next, width))
        next += width;
      if (next - x <= width)
        tileAt(x, size, code.integer(x));
      else
        code.loop(
            code.integer(0), code.integer((next - x) / width), [&](Value *t) {
              tileAt(x, size, code.add(code.times(t, width), code.integer(x)));
            });
      x = next;
    }
  }

private:
  /// Emits a row of a length that a run gives, as direct convolution does. The
  /// last pixels compare each column that they read with the width.
  void emitOpenRow(
      function_ref<void(int64_t shape, int64_t width, Value *x)> tileAt) {
    Value *full = valueOf(code, quotient(c.pixelsInside(), width));
    const int64_t begin = c.tilesOfPad(width);
    atEnd = !c.padLeft.isFixed();
    for (int64_t t = 0; t < begin; ++t)
      code.when(code.CreateICmpSGT(full, code.integer(t)),
                [&] { tileAt(t * width, width, code.integer(t * width)); });
    atEnd = false;
    code.loop(
        code.integer(begin), full,
        [&](Value *t) { tileAt(begin * width, width, code.times(t, width)); },
        /*maybeNone=*/true);
    Value *done = code.times(full, width);
    Value *count = code.CreateNSWSub(valueOf(code, c.outWidth), done);
    atEnd = true;
    overTiles(code, count, width, [&](Value *x, int64_t size) {
      tileAt(begin * width, size, code.add(done, x));
    });
    atEnd = false;
  }

  /// The column of the image that a tap of a pixel reads. If a run gives the
  /// left pad, columns are counted from the first pad.
  int64_t column(int64_t pixel, int64_t tap) const {
    // Negative in the left pad.
    int64_t pad = c.padLeft.isFixed() ? c.padLeft.fixed() : 0;
    return pixel * c.strideX - pad + tap * c.dilationX;
  }
  bool isInside(int64_t first, int64_t size) const {
    return column(first, 0) >= 0 &&
           column(first + size - 1, c.taps - 1) < c.width.fixed();
  }
  /// Whether the column may be read: of tiles whose place depends on a run, all
  /// columns.
  bool isColumn(int64_t at) const {
    return at >= 0 && (!c.width.isFixed() || at < c.width.fixed());
  }

  /// Emits pixels x to x + size of a row. The columns inside of the image are
  /// those of a tile at pixel `shape`.
  void emitTile(int64_t shape, int64_t size, Value *x, Value *row,
                const PlaneRow &place) {
    Emitter::Values sums(size, start);
    Value *left = code.times(x, c.strideX);
    if (!c.padLeft.isFixed())
      left = code.CreateNSWSub(left, valueOf(code, c.padLeft));
    if (!place.front) {
      sums = emitPlane(shape, place.top, left, in, filter, sums);
    } else {
      int64_t plane = (c.height * c.width).fixed() * lanes;
      int64_t window = c.rows * c.taps * c.perGroup * lanes;
      sums = code.loop(
          planes.first, planes.end, sums,
          [&](Value *q, Emitter::Values sums) {
            Value *z = code.add(place.front, code.times(q, c.dilationZ));
            return emitPlane(shape, place.top, left,
                             code.at(in, code.times(z, plane)),
                             code.at(filter, code.times(q, window)), sums);
          },
          /*maybeNone=*/true);
    }
    finish(sums, code.add(times(code, row, c.outWidth), x));
  }

  /// Adds the taps of one filter plane, which reads the image plane at `in`.
  Emitter::Values emitPlane(int64_t shape, Value *top, Value *left, Value *in,
                            Value *filter, Emitter::Values sums) {
    if (c.strideY > 1)
      fetchBelow(int64_t(sums.size()), top, left, in);
    return code.loop(
        rows.first, rows.end, sums,
        [&](Value *r, Emitter::Values sums) {
          Value *y = code.add(top, code.times(r, c.dilationY));
          Value *pixel = code.add(times(code, y, c.width), left);
          Value *pixels = code.at(in, code.times(pixel, lanes));
          firstColumn = left;
          Value *taps =
              code.at(filter, code.times(r, c.taps * c.perGroup * lanes));
          return emitTaps(shape, pixels, taps, sums);
        },
        /*maybeNone=*/true);
  }

  /// Prefetches the rows that the tile below reads and this one does not. If
  /// this is one row, the hardware prefetcher recognises the stream.
  void fetchBelow(int64_t size, Value *top, Value *left, Value *in) {
    Value *row = code.add(top, code.integer((c.rows - 1) * c.dilationY + 1));
    Value *pixel = code.add(times(code, row, c.width), left);
    Value *from = code.at(in, code.times(pixel, lanes));
    for (int64_t y = 0; y < c.strideY; ++y)
      for (int64_t x = 0; x < size * c.strideX; ++x)
        code.fetch(code.at(from, valueOf(code, (c.width * y + x) * lanes)),
                   /*level=*/2);
  }

  /// Loads a column, `offset` columns after the first that a tile reads.
  Value *loadColumn(Value *pixels, int64_t offset) {
    Value *place = code.at(pixels, offset * lanes);
    if (atEnd) {
      // Unsigned: a negative column is out of range as well.
      Value *at = code.add(firstColumn, code.integer(offset));
      place = code.CreateSelect(code.CreateICmpULT(at, valueOf(code, c.width)),
                                place, pad);
    }
    return code.loadVector(place);
  }

  Emitter::Values emitTaps(int64_t shape, Value *pixels, Value *taps,
                           Emitter::Values sums) {
    if (c.perGroup > 1)
      return emitGroups(shape, pixels, taps, sums);
    std::map<int64_t, Value *> loaded; // by the offset from `pixels`
    for (int64_t s = 0; s < c.taps; ++s) {
      Value *tap = code.loadVector(code.at(taps, s * lanes));
      for (int64_t x = 0; x < int64_t(sums.size()); ++x) {
        int64_t at = column(shape + x, s);
        if (!atEnd && !isColumn(at))
          continue;
        // Relative to the tile, which is the same for every tile of the loop.
        int64_t offset = at - shape * c.strideX;
        Value *&pixel = loaded[offset];
        if (!pixel || !keepsPixels)
          pixel = loadColumn(pixels, offset);
        sums[x] = code.multiplyAdd(pixel, tap, sums[x]);
      }
    }
    return sums;
  }

  /// Adds the taps for groups, some of their channels at a time.
  Emitter::Values emitGroups(int64_t shape, Value *pixels, Value *taps,
                             Emitter::Values sums) {
    // Pixels, by their offset, and the sums and taps that read them.
    std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>> readers;
    for (int64_t x = 0; x < int64_t(sums.size()); ++x)
      for (int64_t s = 0; s < c.taps; ++s)
        if (int64_t at = column(shape + x, s); atEnd || isColumn(at))
          readers[at - shape * c.strideX].push_back({x, s});
    int64_t step = groupStep(code, c), reach = (c.taps - 1) * c.dilationX + 1;
    for (int64_t first = 0; first < c.perGroup; first += step) {
      Emitter::Values weights; // [s][k]
      for (int64_t s = 0; s < c.taps; ++s)
        for (int64_t k = first; k < first + step; ++k)
          weights.push_back(
              code.loadVector(code.at(taps, (s * c.perGroup + k) * lanes)));
      // Pixels that share an accumulator are not consecutive, so that additions
      // do not wait.
      for (int64_t phase = 0; phase < reach; ++phase)
        for (auto &[offset, uses] : readers) {
          if ((offset - readers.begin()->first) % reach != phase)
            continue;
          Value *pixel = quartersOf(loadColumn(pixels, offset), first);
          for (int64_t k = 0; k < step; ++k) {
            Value *channel = channelOf(pixel, first + k);
            for (auto [x, s] : uses)
              sums[x] =
                  code.multiplyAdd(channel, weights[s * step + k], sums[x]);
          }
        }
    }
    return sums;
  }

  /// Replaces each quarter of a vector by the quarter of its group that has
  /// channel `k`.
  Value *quartersOf(Value *pixel, int64_t k) {
    if (c.perGroup < 8)
      return pixel;
    SmallVector<int> places;
    for (int64_t l = 0; l < lanes; ++l)
      places.push_back(int(l / c.perGroup * c.perGroup + k / 4 * 4 + l % 4));
    return code.CreateShuffleVector(pixel, places);
  }
  /// Broadcasts channel `k` of each group to all lanes of the group, after
  /// quartersOf().
  Value *channelOf(Value *pixel, int64_t k) {
    int64_t near = std::min<int64_t>(c.perGroup, 4);
    SmallVector<int> places;
    for (int64_t l = 0; l < lanes; ++l)
      places.push_back(int(l / near * near + k % near));
    return code.CreateShuffleVector(pixel, places);
  }

  void finish(ArrayRef<Value *> sums, Value *pixel) {
    Value *place = code.times(pixel, lanes);
    for (auto [x, sum] : enumerate(sums)) {
      SmallVector<Value *> operands = {sum};
      for (auto [extra, kind] : zip(extras, epilogue.extras))
        operands.push_back(kind == BroadcastKind::Elementwise
                               ? code.loadVector(code.at(code.at(extra, place),
                                                         int64_t(x) * lanes))
                               : extra);
      code.storeVector(emitFormula(code, epilogue.formula, operands),
                       code.at(code.at(out, place), int64_t(x) * lanes));
    }
  }

  const ConvSizes &c;
  const Epilogue &epilogue;
  Emitter &code;
  int64_t width;    // pixels of a tile
  bool keepsPixels; // pixels stay in registers between taps
  Value *in, *filter, *start, *out;
  SmallVector<Value *> extras; // addresses, or values that do not change
  RowRange rows, planes;       // filter rows and planes inside of the image
  // The end of a row whose length a run gives, or a begin whose pads a run
  // gives: whether tiles are there, zeros in the place of pads, and the column
  // of a tile.
  bool atEnd = false;
  Value *pad = nullptr, *firstColumn = nullptr;
};

} // namespace

int64_t cpu::depthwiseWidth(const Emitter &code, const ConvSizes &c) {
  int64_t width = 1, most = code.module.target.vectorRegisters;
  const int64_t pixels = c.outWidth.range().high;
  if (!keepsPixels(code, c))
    width = std::min({pixels, fewestSums, most - 2}); // a tap, a pixel
  while (width < pixels && registersOf(code, c, width + 1) <= most)
    ++width;
  return c.hasOpenRows() ? width : evenWidth(pixels, width);
}

void cpu::emitDepthwiseRows(Emitter &code, const ConvSizes &c,
                            const Epilogue &epilogue, const DepthwiseCall &call,
                            Value *first, Value *end) {
  RowsEmitter rows(code, c, epilogue, call);
  code.loop(first, end, [&](Value *row) { rows.emitRow(row); });
}

NativeStep cpu::emitDepthwise(CodeModule &module,
                              const calls::CpuConvCall &conv,
                              const Twine &name) {
  ConvOperands operands(conv);
  Epilogue epilogue =
      epilogueOf(conv, convolvedShape(conv), 0, /*blocked=*/true);
  ConvSizes c = sizesOf(conv);
  Emitter code(module, module.addStep(name));
  int64_t blocks = c.outBlocks();
  const Length rows = c.outHeight * c.outDepth, band = quarterOf(rows);
  const Length bands = quotient(rows + band - 1, band);
  auto emitChunk = [&](Value *chunk) {
    Value *block = code.CreateURem(chunk, code.integer(blocks));
    Value *rest = code.CreateUDiv(chunk, code.integer(blocks));
    Value *parts = valueOf(code, bands);
    Value *image = code.CreateUDiv(rest, parts);
    Value *plane = code.add(times(code, block, c.images), image);
    Value *first = times(code, code.CreateURem(rest, parts), band);
    Value *channel = code.times(block, lanes);
    Value *place = times(code, plane, rows * c.outWidth * lanes);
    DepthwiseCall call;
    call.in = code.at(code.buffer(operands.in),
                      times(code, plane, c.pixels() * lanes));
    call.filter = code.at(code.buffer(operands.packedFilter()),
                          code.times(channel, c.filterSize()));
    if (epilogue.bias)
      call.bias = code.at(code.buffer(*operands.bias), channel);
    call.out = code.at(code.buffer(0), place);
    call.extras = extrasAt(code, operands.extras, epilogue, place, channel);
    emitDepthwiseRows(code, c, epilogue, call, first,
                      code.smaller(code.add(first, valueOf(code, band)),
                                   valueOf(code, rows)));
  };
  code.loop(code.function->getArg(2), code.function->getArg(3), emitChunk);
  code.CreateRetVoid();
  NativeStep step;
  const Length chunks = c.images * bands * blocks;
  step.phases.push_back({code.function, chunks.range().high});
  emitMeasure(code, chunks);
  if (c.hasOpenRows())
    step.scratchBytes = lanes * 4;
  packOperands(module, operands, c, 1, 0, name, step);
  step.choice = {"", std::to_string(depthwiseWidth(code, c)) + "x16",
                 "cnhw16c"};
  double results = double((c.images * rows * c.outWidth * blocks).range().high);
  step.work = Work();
  step.work->products = results * double(c.filterSize());
  step.work->operations = results * (1 + operationsOf(epilogue.formula));
  return step;
}

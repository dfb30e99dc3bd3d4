//===- Conv.cpp - direct convolution of blocked images --------------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is one image, one panel of output channels, and a band of rows. The
// panel of weights stays in the second-level cache over the band; the whole
// reduction stays in registers (Tile.h). Reads of a tap outside of the image
// are left out: columns when the code is made, rows and planes by loop bounds.
//
//===----------------------------------------------------------------------===//

#include "ConvTiles.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/tile/HalfTile.h"
#include "codegen/tile/PanelChunks.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvCall, calls::CpuConvTransposeCall;

namespace {

class ConvEmitter : ConvTiles, PanelChunks {
public:
  ConvEmitter(CodeModule &module, const ConvOperands &operands,
              const ConvSizes &sizes, const Epilogue &epilogue,
              const Twine &name, int64_t weightsBefore)
      : ConvTiles(module, operands, sizes, epilogue, name, weightsBefore) {
    choosePanels(module.target, c.outBlocks(), c.groups);
    width = isOfTiles(c.form) ? linesOfTiles(c.outWidth)
                              : chooseWidth(module.target, c.outWidth, panel);
    units = c.isPointwise() ? (c.outWidth + width - 1) / width
                            : c.outDepth * (c.outHeight / c.poolRows);
    int64_t work = c.filterSize() * panel * lanes *
                   (c.isPointwise() ? width : c.poolRows * c.outWidth);
    band = chooseBand(work, units);
    // All panels of a band together, if all weights fit the second-level cache.
    rowsFirst = c.outBlocks() * lanes * c.filterSize() * 4 <=
                cpu::Target::secondLevelCache / 2;
    if (rowsFirst)
      band = std::min(band, bandOfRows(units));
    bands = (units + band - 1) / band;
  }

  NativeStep emit() {
    emitTileLines(code, c.form, width);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                emitChunk(code, chunk, c.outBlocks(), /*isAlike=*/true,
                          [&](const PanelChunk &part) { emitPanel(part); });
              });
    emitTileRelease(code, c.form);
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, c.mostImages() * perImage()});
    emitMeasure(code, c.images * perImage());
    step.scratchBytes = tileScratchBytes(code.module.target, c.form);
    if (c.isPooled())
      step.scratchBytes += c.poolRows * panel * c.outWidth * lanes * 4;
    step.packings.push_back(packFilter(c, panel, operands.filter));
    if (epilogue.bias)
      step.packings.push_back(packBias(c.channels, *operands.bias));
    step.choice = tileChoice(c.form == WeightForm::Pairs ? "bf16" : "",
                             "cnhw16c", width, panel);
    double results = double(c.mostImages() * c.outBlocks() * c.outDepth *
                            c.outHeight * c.outWidth);
    step.work = tileWork(width, panel, results * double(c.filterSize()),
                         results, epilogue.formula);
    if (c.form == WeightForm::Pairs)
      step.work->factors = Factors::Halves;
    return step;
  }

private:
  /// The pointers of one panel, and the loops over its band.
  void emitPanel(const PanelChunk &part) {
    auto [image, kernel, first, end, blocks, isLast] = part;
    call = callAt(image, kernel, panel, panels, blocks);
    if (c.isPointwise())
      return emitPixels(first, end, blocks);
    code.loop(first, end, [&](Value *row) {
      if (c.isPooled())
        return emitPooledRow(row, blocks, call.out);
      Value *out = code.times(row, c.outStepY * c.imageWidth * lanes);
      emitRow(row, out, blocks);
    });
  }

  /// Emits the pixels of a pointwise convolution, which lie in one row.
  void emitPixels(Value *first, Value *end, int64_t blocks) {
    int64_t full = c.outWidth / width, rest = c.outWidth % width;
    if (full)
      code.loop(
          first, code.smaller(end, code.integer(full)),
          [&](Value *t) {
            tileAt(tileOf(width, blocks, width), call, code.times(t, width));
          },
          /*maybeNone=*/true);
    if (rest)
      code.when(code.CreateICmpEQ(end, code.integer(units)), [&] {
        tileAt(tileOf(rest, blocks, width), call, code.integer(full * width));
      });
  }

  /// Computes the rows of a row of pools into scratch, and then the maximum of
  /// each pool.
  void emitPooledRow(Value *row, int64_t blocks, Value *out) {
    int64_t line = c.outWidth * lanes;
    Value *scratch = code.bytesAt(code.scratch(),
                                  tileScratchBytes(code.module.target, c.form));
    call.out = scratch;
    call.outBlock = code.integer(line);
    code.loop(code.integer(0), code.integer(c.poolRows), [&](Value *r) {
      emitRow(code.add(code.times(row, c.poolRows), r),
              code.times(r, blocks * line), blocks);
    });
    Value *to = code.at(out, code.times(row, c.imageWidth * lanes));
    code.loop(code.integer(0), code.integer(blocks), [&](Value *b) {
      code.loop(code.integer(0), code.integer(c.imageWidth), [&](Value *x) {
        Value *place = code.times(x, c.poolColumns * lanes);
        Value *from = code.at(scratch, code.add(code.times(b, line), place));
        Emitter::Values pool;
        for (int64_t r = 0; r < c.poolRows; ++r)
          for (int64_t s = 0; s < c.poolColumns; ++s)
            pool.push_back(
                code.loadVector(code.at(from, r * blocks * line + s * lanes)));
        code.storeVector(emitLargest(code, pool),
                         code.at(to, code.add(times(code, b, outBlock()),
                                              code.times(x, lanes))));
      });
    });
  }

  /// Emits a row whose first pixel is stored `out` elements after the address
  /// of the call.
  void emitRow(Value *row, Value *out, int64_t blocks) {
    TileCall base = call;
    PlaneRow place(code, c, row);
    Value *offset = code.times(place.top, c.width * c.lanesIn);
    base.in = code.at(base.in,
                      code.add(offset, code.integer(-c.padLeft * c.lanesIn)));
    RowRange range = clipRows(code, c, place.top);
    base.firstRow = range.first, base.endRow = range.end;
    if (c.isDeep()) {
      base.in = code.at(
          base.in, code.times(place.front, c.height * c.width * c.lanesIn));
      RowRange planes = clipPlanes(code, c, place.front);
      base.firstPlane = planes.first, base.endPlane = planes.end;
    }
    base.out = code.at(base.out, out);
    for (auto [extra, kind] : zip(base.extras, epilogue.extras))
      if (kind == BroadcastKind::Elementwise)
        extra = code.at(extra, out);
    for (int64_t x = 0; x < c.outWidth;) {
      Tile tile = tileOf(std::min(width, c.outWidth - x), blocks, width);
      tile.inside = insideOf(x, tile.width);
      int64_t next = x + tile.width;
      // Tiles without pads are alike and become one loop; each tile at a border
      // has its own function.
      while (tile.inside.empty() && next + width <= c.outWidth &&
             insideOf(next, width).empty())
        next += width;
      if (next - x <= width)
        tileAt(tile, base, code.integer(x));
      else
        code.loop(code.integer(0), code.integer((next - x) / width),
                  [&](Value *t) {
                    tileAt(tile, base,
                           code.add(code.times(t, width), code.integer(x)));
                  });
      x = next;
    }
  }

  /// For each tap the pixels of a tile that read inside of the image; empty if
  /// all do.
  std::vector<std::pair<int64_t, int64_t>> insideOf(int64_t first,
                                                    int64_t count) const {
    std::vector<std::pair<int64_t, int64_t>> result;
    bool all = true;
    for (int64_t s = 0; s < c.taps; ++s) {
      int64_t from = count, to = 0;
      for (int64_t x = 0; x < count; ++x) {
        int64_t at = (first + x) * c.strideX - c.padLeft + s * c.dilationX;
        if (at < 0 || at >= c.width)
          continue;
        from = std::min(from, x), to = x + 1;
      }
      all &= from == 0 && to == count;
      result.push_back({from, to});
    }
    if (all)
      result.clear();
    return result;
  }

  TileCall call;
  int64_t width; // pixels of a tile
};

} // namespace

Ints cpu::convolvedShape(const CpuConvCall &call) {
  return convolvedShape(call.out.shape(), call.in.shape(), call.filter.shape(),
                        call.strides, call.pads, call.dilations);
}

/// The spatial entries of a list from `first` on, one to three, extended to
/// three.
static std::tuple<int64_t, int64_t, int64_t>
axesOf(const Ints &list, size_t first, int64_t missing) {
  Ints axes(3, missing);
  std::copy(list.begin() + long(first), list.end(),
            axes.end() - long(list.size() - first));
  return {axes[0], axes[1], axes[2]};
}

/// Treats planes as images if no window spans planes. If windows span only
/// planes, treats a plane as a row.
static void flattenPlanes(ConvSizes &c) {
  if (c.planes == 1 && c.strideZ == 1 && c.padFront == 0 &&
      c.outDepth == c.depth) {
    c.images = c.images * c.depth;
    c.depth = c.outDepth = 1;
    return;
  }
  bool alone = c.rows == 1 && c.taps == 1 && c.strideY == 1 && c.strideX == 1 &&
               c.padTop == 0 && c.padLeft == 0 && c.height == c.outHeight &&
               c.width == c.outWidth;
  if (!alone || c.isPooled())
    return;
  c.width *= c.height, c.outWidth *= c.outHeight;
  c.height = c.depth, c.outHeight = c.outDepth, c.rows = c.planes;
  c.strideY = c.strideZ, c.dilationY = c.dilationZ, c.padTop = c.padFront;
  c.depth = c.outDepth = c.planes = c.strideZ = c.dilationZ = 1;
  c.padFront = 0;
}

/// Treats an image of one column as a row, whose pixels fill tiles.
static void layColumnDown(ConvSizes &c) {
  if (c.width != 1 || c.outWidth != 1 || c.taps != 1 || c.padLeft != 0 ||
      c.poolColumns != 1)
    return;
  c.strideX = c.dilationX = 1;
  std::swap(c.width, c.height);
  std::swap(c.outWidth, c.outHeight);
  std::swap(c.taps, c.rows);
  std::swap(c.strideX, c.strideY);
  std::swap(c.dilationX, c.dilationY);
  std::swap(c.padLeft, c.padTop);
  std::swap(c.poolColumns, c.poolRows);
}

/// Treats a single row with long windows as a column. Filter rows are a loop,
/// whose bounds handle the image's ends; taps of a row and tiles at a border
/// are unrolled. This applies only if the channels of a vector are not summed,
/// so that a pixel has only taps to add.
static void standRowUp(ConvSizes &c) {
  constexpr int64_t mostTaps = 64;
  bool isRow = c.rows == 1 && c.strideY == 1 && c.padTop == 0 &&
               c.height == c.outHeight && !c.isDeep() && !c.isPooled();
  if (!isRow || c.taps <= mostTaps ||
      (c.lanesIn == lanes && c.perGroup >= lanes))
    return;
  c.images = c.images * c.height;
  c.height = c.width, c.outHeight = c.outWidth, c.rows = c.taps;
  c.width = c.outWidth = c.taps = 1;
  c.strideY = c.strideX, c.dilationY = c.dilationX, c.padTop = c.padLeft;
  c.strideX = c.dilationX = 1, c.padLeft = 0;
  c.filter.row = c.filter.tap;
}

/// The sizes that direct and transposed convolutions share. `out` is the shape
/// of the sums, before a pool.
template <typename Call>
static ConvSizes sizesOf(const Call &call, const Ints &out, const Ints &pool,
                         bool transposed) {
  ConvSizes c;
  Ints in = call.in.shape(), filter = call.filter.shape();
  auto cut = [](Ints list) { return list.pop_back(), list; };
  c.blocks = in[0], c.lanesIn = in.back();
  c.images = call.in.sizes()[1].length();
  std::tie(c.depth, c.height, c.width) = axesOf(cut(in), 2, 1);
  std::tie(c.outDepth, c.outHeight, c.outWidth) = axesOf(cut(out), 2, 1);
  std::tie(c.planes, c.rows, c.taps) = axesOf(filter, 2, 1);
  std::tie(c.strideZ, c.strideY, c.strideX) = axesOf(call.strides, 0, 1);
  std::tie(c.dilationZ, c.dilationY, c.dilationX) =
      axesOf(call.dilations, 0, 1);
  Ints pads = expr::take(call.pads, expr::size(call.strides));
  std::tie(c.padFront, c.padTop, c.padLeft) = axesOf(pads, 0, 0);
  c.channels = filter[transposed], c.perGroup = filter[!transposed];
  c.groups = call.group;
  std::tie(std::ignore, c.poolRows, c.poolColumns) = axesOf(pool, 0, 1);
  int64_t plane = c.rows * c.taps, window = c.planes * plane;
  c.filter = {0, c.perGroup * window, window, plane, c.taps, 1};
  if (transposed)
    c.filter.out = window, c.filter.in = c.channels * window;
  flattenPlanes(c);
  layColumnDown(c);
  if (!transposed)
    standRowUp(c);
  c.imageHeight = c.outHeight / c.poolRows;
  c.imageWidth = c.outWidth / c.poolColumns;
  return c;
}

ConvSizes cpu::sizesOf(const CpuConvCall &call) {
  return ::sizesOf(call, convolvedShape(call), call.pool, false);
}
ConvSizes cpu::sizesOf(const CpuConvTransposeCall &call) {
  return ::sizesOf(call, call.out.shape(), Ints(call.strides.size(), 1), true);
}

NativeStep cpu::emitDirect(CodeModule &module, const ConvOperands &operands,
                           const ConvSizes &sizes, const Epilogue &epilogue,
                           const Twine &name, int64_t weightsBefore) {
  return ConvEmitter(module, operands, sizes, epilogue, name, weightsBefore)
      .emit();
}

/// The range of taps inside of `size`, if the first of `taps` is at `top` and
/// they lie `d` apart.
static RowRange clip(Emitter &code, Value *top, int64_t d, int64_t size,
                     int64_t taps) {
  auto upwards = [&](Value *value) { // divided by the dilation
    return code.CreateSDiv(code.add(value, code.integer(d - 1)),
                           code.integer(d));
  };
  Value *zero = code.integer(0);
  Value *above = code.larger(code.CreateNSWSub(zero, top), zero);
  Value *below = code.larger(code.CreateNSWSub(code.integer(size), top), zero);
  // Filter row r reads image row top + r * d. The range begins at the first r
  // for which this is at least 0, and ends at the first r at or past the size.
  return {upwards(above), code.smaller(upwards(below), code.integer(taps))};
}
RowRange cpu::clipRows(Emitter &code, const ConvSizes &c, Value *top) {
  return clip(code, top, c.dilationY, c.height, c.rows);
}
RowRange cpu::clipPlanes(Emitter &code, const ConvSizes &c, Value *front) {
  return clip(code, front, c.dilationZ, c.depth, c.planes);
}

PlaneRow::PlaneRow(Emitter &code, const ConvSizes &c, Value *row) {
  if (c.isDeep()) {
    Value *plane = code.CreateUDiv(row, code.integer(c.outHeight));
    row = code.CreateURem(row, code.integer(c.outHeight));
    front = code.CreateNSWSub(code.times(plane, c.strideZ),
                              code.integer(c.padFront));
  }
  top = code.CreateNSWSub(code.times(row, c.strideY), code.integer(c.padTop));
}

void cpu::gatherFirst(CodeModule &module, const Operand &image,
                      const ConvSizes &c, const Twine &name, NativeStep &step) {
  Emitter code(module, module.addStep(name + ".gather"));
  Value *in = code.buffer(image), *out = code.buffer(image.shared());
  code.loop(code.function->getArg(2), code.function->getArg(3), [&](Value *b) {
    Value *image =
        code.at(in, code.times(b, c.depth * c.height * c.width * lanes));
    Value *to = code.at(
        out, code.times(b, c.outDepth * c.outHeight * c.outWidth * lanes));
    int64_t rows = c.outDepth * c.outHeight;
    code.loop(code.integer(0), code.integer(rows), [&](Value *r) {
      PlaneRow place(code, c, r);
      Value *row = code.times(place.top, c.width * lanes);
      if (place.front)
        row =
            code.add(row, code.times(place.front, c.height * c.width * lanes));
      row = code.at(image, row);
      Value *toRow = code.at(to, code.times(r, c.outWidth * lanes));
      code.loop(code.integer(0), code.integer(c.outWidth), [&](Value *x) {
        Value *from = code.at(row, code.times(x, c.strideX * lanes));
        code.storeVector(code.loadVector(from),
                         code.at(toRow, code.times(x, lanes)));
      });
    });
  });
  code.CreateRetVoid();
  int64_t chunks = c.mostImages() * c.blocks;
  emitMeasure(code, c.images * c.blocks);
  step.phases.insert(step.phases.begin(), {code.function, chunks});
  step.sharedBytes = bytesOfGathered(c);
}

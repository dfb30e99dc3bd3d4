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

namespace {

class ConvEmitter : ConvTiles, PanelChunks {
public:
  ConvEmitter(CodeModule &module, const ConvOperands &operands,
              const ConvSizes &sizes, const Epilogue &epilogue,
              const Twine &name, int64_t weightsBefore)
      : ConvTiles(module, operands, sizes, epilogue, name, weightsBefore) {
    choosePanels(module.target, c.outBlocks(), c.groups);
    const int64_t most = c.outWidth.range().high;
    width = isOfTiles(c.form) ? linesOfTiles(most)
                              : chooseWidth(module.target, most, panel);
    // All panels of a band together, if all weights fit the second-level cache.
    rowsFirst = c.outBlocks() * lanes * c.filterSize() * 4 <=
                cpu::Target::secondLevelCache / 2;
    chooseBands(c.isPointwise()
                    ? quotient(c.outWidth + width - 1, width)
                    : quotient(c.outHeight, c.poolRows) * c.outDepth,
                c.filterSize() * panel * lanes *
                    (c.isPointwise() ? width : c.poolRows * most));
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
    const Length chunks = c.images * perImage();
    step.phases.push_back({code.function, chunks.range().high});
    emitMeasure(code, chunks);
    step.scratchBytes = tileScratchBytes(code.module.target, c.form);
    if (c.isPooled())
      step.scratchBytes += c.poolRows * panel * c.outWidth.fixed() * lanes * 4;
    if (c.hasOpenRows() && !c.isPointwise())
      step.scratchBytes += mostBlocksIn() * blockOfEnd() * 4;
    packOperands(code.module, operands, c, panel, weightsBefore,
                 code.function->getName(), step);
    step.choice = tileChoice(c.form == WeightForm::Pairs ? "bf16" : "",
                             "cnhw16c", width, panel);
    double results =
        double((c.images * c.outPixels() * c.outBlocks()).range().high);
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
      Value *out = times(code, row, c.imageWidth * (c.outStepY * lanes));
      emitRow(row, out, blocks);
    });
  }

  /// Emits the pixels of a pointwise convolution, which lie in one row.
  void emitPixels(Value *first, Value *end, int64_t blocks) {
    const Length full = quotient(c.outWidth, width);
    const Length rest = remainder(c.outWidth, width);
    auto pixelsAt = [&](Value *pixel, int64_t count) {
      tileAt(tileOf(count, blocks, width), call, pixel);
    };
    if (full != 0)
      code.loop(
          first, code.smaller(end, valueOf(code, full)),
          [&](Value *t) { pixelsAt(code.times(t, width), width); },
          /*maybeNone=*/true);
    if (rest != 0)
      code.when(code.CreateICmpEQ(end, valueOf(code, units)), [&] {
        Value *pixel = valueOf(code, full * width);
        if (rest.isFixed())
          pixelsAt(pixel, rest.fixed());
        else
          overRest(code, pixel, valueOf(code, rest), width, pixelsAt);
      });
  }

  /// Computes the rows of a row of pools into scratch, and then the maximum of
  /// each pool.
  void emitPooledRow(Value *row, int64_t blocks, Value *out) {
    int64_t line = c.outWidth.fixed() * lanes;
    Value *scratch = code.bytesAt(code.scratch(),
                                  tileScratchBytes(code.module.target, c.form));
    call.out = scratch;
    call.outBlock = code.integer(line);
    code.loop(code.integer(0), code.integer(c.poolRows), [&](Value *r) {
      emitRow(code.add(code.times(row, c.poolRows), r),
              code.times(r, blocks * line), blocks);
    });
    Value *to = code.at(out, times(code, row, c.imageWidth * lanes));
    code.loop(code.integer(0), code.integer(blocks), [&](Value *b) {
      code.loop(code.integer(0), valueOf(code, c.imageWidth), [&](Value *x) {
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
    Value *offset = times(code, place.top, c.width * c.lanesIn);
    base.in = code.at(base.in,
                      code.add(offset, valueOf(code, c.padLeft * -c.lanesIn)));
    RowRange range = clipRows(code, c, place.top);
    base.firstRow = range.first, base.endRow = range.end;
    if (c.isDeep()) {
      base.in = code.at(
          base.in, times(code, place.front, c.height * c.width * c.lanesIn));
      RowRange planes = clipPlanes(code, c, place.front);
      base.firstPlane = planes.first, base.endPlane = planes.end;
    }
    base.out = code.at(base.out, out);
    for (auto [extra, kind] : zip(base.extras, epilogue.extras))
      if (kind == BroadcastKind::Elementwise)
        extra = code.at(extra, out);
    if (c.hasOpenRows())
      return emitOpenRow(base, range, blocks);
    const int64_t outWidth = c.outWidth.fixed();
    for (int64_t x = 0; x < outWidth;) {
      Tile tile = tileOf(std::min(width, outWidth - x), blocks, width);
      tile.inside = insideOf(x, tile.width);
      int64_t next = x + tile.width;
      // Tiles without pads are alike and become one loop; each tile at a border
      // has its own function.
      while (tile.inside.empty() && next + width <= outWidth &&
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

  /// Emits a row of a length that a run gives. Taps of its first and last
  /// pixels may lie outside of the image.
  void emitOpenRow(const TileCall &base, const RowRange &rows, int64_t blocks) {
    Value *full = valueOf(code, quotient(c.pixelsInside(), width));
    Tile tile = tileOf(width, blocks, width);
    const int64_t begin = c.tilesOfPad(width);
    for (int64_t t = 0; t < begin; ++t)
      code.when(code.CreateICmpSGT(full, code.integer(t)), [&] {
        Value *pixel = code.integer(t * width);
        if (!c.padLeft.isFixed()) {
          TileCall copy = copyColumns(base, rows, pixel, code.integer(width));
          return tileAt(tile, copy, code.integer(0));
        }
        Tile padded = tile;
        padded.inside = insideOf(t * width, width);
        tileAt(padded, base, pixel);
      });
    code.loop(
        code.integer(begin), full,
        [&](Value *t) { tileAt(tile, base, code.times(t, width)); },
        /*maybeNone=*/true);
    Value *done = code.times(full, width);
    Value *count = code.CreateNSWSub(valueOf(code, c.outWidth), done);
    code.when(code.CreateICmpSGT(count, code.integer(0)), [&] {
      TileCall end = copyColumns(base, rows, done, count);
      overTiles(code, count, width, [&](Value *pixel, int64_t size) {
        tileAt(tileOf(size, blocks, width), end, pixel);
      });
    });
  }

  /// The most pixels of a row after its whole tiles without right pads.
  int64_t mostOfEnd() const {
    // A run that gives the left pad copies the columns of whole tiles, too.
    const int64_t least = c.padLeft.isFixed() ? 0 : width;
    return std::min(std::max(width - 1 + c.mostPadded(c.padRight), least),
                    c.outWidth.range().high);
  }
  /// The most columns of the image that these pixels read.
  int64_t columnsOfEnd() const {
    return (mostOfEnd() - 1) * c.strideX + c.reach() + 1;
  }
  /// Elements of these columns in a block of input channels.
  int64_t blockOfEnd() const { return c.rows * columnsOfEnd() * c.lanesIn; }
  int64_t mostBlocksIn() const {
    return (c.perGroup + c.lanesIn - 1) / c.lanesIn;
  }

  /// Copies the columns that `count` pixels from `first` on read to scratch, as
  /// [block][row][column][lanesIn] with zeros in the place of pads. Returns the
  /// arguments of tiles from there on.
  TileCall copyColumns(const TileCall &base, const RowRange &rows, Value *first,
                       Value *count) {
    const int64_t row = columnsOfEnd() * c.lanesIn;
    Value *scratch = code.scratch();
    // Columns of the image, from its left end; and those to read.
    Value *left =
        code.add(code.times(first, c.strideX), valueOf(code, c.padLeft * -1));
    Value *columns =
        code.add(code.times(code.add(count, code.integer(-1)), c.strideX),
                 code.integer(c.reach() + 1));
    Value *begin =
        code.larger(code.CreateNSWSub(code.integer(0), left), code.integer(0));
    begin = code.smaller(begin, columns);
    Value *end =
        code.smaller(code.CreateNSWSub(valueOf(code, c.width), left), columns);
    end = code.larger(end, begin);
    Value *source = code.at(base.in, code.times(first, c.strideX * c.lanesIn));
    code.loop(code.integer(0), code.integer(mostBlocksIn()), [&](Value *o) {
      code.loop(
          rows.first, rows.end,
          [&](Value *r) {
            Value *from =
                code.at(source, code.add(code.CreateNSWMul(o, base.inOuter),
                                         code.CreateNSWMul(r, base.inRow)));
            Value *to = code.at(scratch, code.add(code.times(o, blockOfEnd()),
                                                  code.times(r, row)));
            auto copy = [&](Value *from, Value *first, Value *end) {
              code.loop(
                  first, end, [&](Value *x) { copyColumn(from, to, x); },
                  /*maybeNone=*/true);
            };
            copy(nullptr, code.integer(0), begin);
            copy(from, begin, end);
            copy(nullptr, end, columns);
          },
          /*maybeNone=*/true);
    });
    TileCall call = base;
    call.in = scratch;
    call.inRow = code.integer(row), call.inOuter = code.integer(blockOfEnd());
    Value *out = code.times(first, c.outStepX * lanes);
    call.out = code.at(base.out, out);
    for (auto [extra, kind] : zip(call.extras, epilogue.extras))
      if (kind == BroadcastKind::Elementwise)
        extra = code.at(extra, out);
    return call;
  }
  /// Copies one block of channels of a column; null stands for a pad.
  void copyColumn(Value *from, Value *to, Value *column) {
    Value *place = code.times(column, c.lanesIn);
    to = code.at(to, place);
    if (c.lanesIn == lanes)
      code.storeVector(from ? code.loadVector(code.at(from, place))
                            : ConstantAggregateZero::get(code.vector),
                       to);
    else
      code.CreateAlignedStore(from ? code.loadElement(code.at(from, place))
                                   : ConstantFP::get(code.getFloatTy(), 0),
                              to, Align(4));
  }

  /// For each tap the pixels of a tile that read inside of the image; empty if
  /// all do. Tiles whose place depends on a run read no right pads.
  std::vector<std::pair<int64_t, int64_t>> insideOf(int64_t first,
                                                    int64_t count) const {
    std::vector<std::pair<int64_t, int64_t>> result;
    bool all = true;
    for (int64_t s = 0; s < c.taps; ++s) {
      int64_t from = count, to = 0;
      for (int64_t x = 0; x < count; ++x) {
        int64_t at =
            (first + x) * c.strideX - c.padLeft.fixed() + s * c.dilationX;
        if (at < 0 || (c.width.isFixed() && at >= c.width.fixed()))
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

NativeStep cpu::emitDirect(CodeModule &module, const ConvOperands &operands,
                           const ConvSizes &sizes, const Epilogue &epilogue,
                           const Twine &name, int64_t weightsBefore) {
  return ConvEmitter(module, operands, sizes, epilogue, name, weightsBefore)
      .emit();
}

void cpu::gatherFirst(CodeModule &module, const Operand &image,
                      const ConvSizes &c, const Twine &name, NativeStep &step) {
  Emitter code(module, module.addStep(name + ".gather"));
  Value *in = code.buffer(image), *out = code.buffer(image.shared());
  code.loop(code.function->getArg(2), code.function->getArg(3), [&](Value *b) {
    Value *image = code.at(in, times(code, b, c.pixels() * lanes));
    Value *to = code.at(out, times(code, b, c.outPixels() * lanes));
    const Length rows = c.outHeight * c.outDepth;
    code.loop(code.integer(0), valueOf(code, rows), [&](Value *r) {
      PlaneRow place(code, c, r);
      Value *row = times(code, place.top, c.width * lanes);
      if (place.front)
        row =
            code.add(row, times(code, place.front, c.height * c.width * lanes));
      row = code.at(image, row);
      Value *toRow = code.at(to, times(code, r, c.outWidth * lanes));
      code.loop(code.integer(0), valueOf(code, c.outWidth), [&](Value *x) {
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
  step.sharedBytes = std::max(step.sharedBytes, bytesOfGathered(c));
}

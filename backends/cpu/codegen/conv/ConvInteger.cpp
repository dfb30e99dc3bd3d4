//===- ConvInteger.cpp - convolutions and products of bytes ---------------===//
// SPDX-License-Identifier: MIT
//
// The channels of a pixel are contiguous, and so are the taps of a filter row
// without dilation: a tile then reads one stream for each row. A chunk is one
// image, one panel of output channels, and a band of rows.
//
// A first phase may write the image again in the form that tiles read. It is
// needed for padding, for rows of taps that do not fill quads, and for signed
// bytes if the processor multiplies only unsigned ones. For products of numbers
// of 16 bits it widens the bytes, so that a tile loads a pair at once.
//
//===----------------------------------------------------------------------===//

#include "IntegerSizes.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/tile/MatrixTiles.h"
#include "codegen/tile/PanelChunks.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvIntegerCall;

namespace {

/// The most pixels of a tile of vectors. More pixels would need a loop over the
/// formula, which costs more than they gain: single blocks of channels with 30
/// pixels lost two thirds of the time.
constexpr int64_t mostPixels = 14;

class ConvIntegerEmitter : PanelChunks {
public:
  ConvIntegerEmitter(CodeModule &module, const CpuConvIntegerCall &call,
                     const Twine &name)
      : call(call), c(module, call), extras(call),
        code(module, module.addStep(name)) {
    choosePanels(module.target, c.blocks(), c.groups);
    width =
        c.products == ByteProducts::Tiles
            ? evenWidth(c.x.out, 2 * lanes)
            : std::min(chooseWidth(module.target, c.x.out, panel), mostPixels);
    tiles = (c.x.out + width - 1) / width;
    // A unit is a row of the result, or a tile if the result is one row.
    isRow = c.rowsOut() == 1;
    units = isRow ? tiles : c.rowsOut();
    int64_t work = c.tapBytes() * c.taps() * c.rowTaps() * panel * lanes *
                   (isRow ? width : c.x.out) / 4;
    band = chooseBand(work, units.fixed());
    rowsFirst =
        panels * c.panelBytes(panel) <= cpu::Target::secondLevelCache / 2;
    bands = quotient(units + band - 1, band);
  }

  NativeStep emit() {
    zero = loadZero(code, call, c);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                emitChunk(code, chunk, c.blocks(),
                          /*isAlike=*/c.columns % lanes == 0,
                          [&](const PanelChunk &part) { emitPanel(part); });
              });
    if (c.products == ByteProducts::Tiles)
      emitTileRelease(code);
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, c.mostImages() * perImage().fixed()});
    emitMeasure(code, c.images * perImage());
    step.packings.push_back(packIntegers(c, panel, call.filter));
    if (call.bias)
      step.packings.push_back(packIntegerBias(c, *call.bias));
    double products =
        double(c.mostImages() * c.rowsOut() * c.x.out * c.blocks()) *
        double(c.rowTaps() * c.taps() * c.tapBytes());
    auto [name, factors, together] = described();
    step.choice = tileChoice(name, "nhwc", width, panel);
    step.work =
        tileWork(width, panel, products / together,
                 products / double(c.rowTaps() * c.taps() * c.tapBytes()),
                 call.epilogue);
    step.work->factors = factors;
    if (c.products == ByteProducts::Tiles)
      step.scratchBytes = MatrixTiles::scratchBytes(code.module.target);
    if (c.prepared)
      prepareFirst(code.module, call, c, code.function->getName(), step);
    return step;
  }

private:
  struct Products {
    const char *name;
    Factors factors;
    double together; ///< products that a lane adds at once
  };
  Products described() const {
    switch (c.products) {
    case ByteProducts::Tiles:
      return {"tiles", Factors::Tiles, 32};
    case ByteProducts::Quads:
      return {"quads", Factors::Bytes, 4};
    case ByteProducts::Pairs:
      return {"pairs", Factors::Words, 2};
    case ByteProducts::Words:
    case ByteProducts::Single:
      break; // ScalarConvInteger.cpp
    }
    llvm_unreachable("a kind of products without a name");
  }

  /// The pointers of one panel, and the loops over its band.
  void emitPanel(const PanelChunk &part) {
    auto [image, kernel, first, end, blocks, isLast] = part;
    int64_t lastLanes = isLast ? (c.columns - 1) % lanes + 1 : lanes;
    Value *in = code.times(image, c.imageRows() * c.rowBytes());
    if (c.groups > 1) {
      Value *group = code.CreateUDiv(kernel, code.integer(panels / c.groups));
      in = code.add(in, code.times(group, c.perGroup));
    }
    IntegerTileCall base;
    base.in = code.bytesAt(
        code.buffer(c.prepared ? call.in.shared() : unsigned(call.in)), in);
    base.columnSums = code.bytesAt(code.buffer(call.filter),
                                   code.times(kernel, c.panelBytes(panel)));
    base.weights =
        code.bytesAt(base.columnSums, code.integer(blocks * lanes * 4));
    Value *channel = code.times(kernel, panel * lanes);
    if (call.bias)
      base.bias = code.at(code.buffer(*call.bias), channel);
    base.zero = zero;
    Value *place =
        code.add(code.times(image, c.rowsOut() * c.x.out * c.columns), channel);
    base.out = elementAt(code, code.buffer(0), place, call.out.kind());
    base.extras = extras.at(code, place, channel);
    IntegerTile tile;
    tile.products = c.products;
    tile.blocks = blocks, tile.lastLanes = lastLanes;
    tile.inPixel = c.x.stride * c.channels, tile.outPixel = c.columns;
    tile.planes = c.z.taps, tile.rows = c.y.taps, tile.taps = c.taps();
    tile.inPlane = c.z.dilation * c.planeRows() * c.rowBytes();
    tile.inRow = c.y.dilation * c.rowBytes();
    tile.inTap = c.x.dilation * c.channels;
    tile.bytes = c.tapBytes();
    tile.isSigned =
        c.isSigned && c.products != ByteProducts::Quads && !c.inWords;
    tile.inPart = c.inWords ? c.partBytes() : 0;
    tile.result = extras.result;
    if (isRow)
      return emitTiles(tile, base, first, end);
    code.loop(first, end, [&](Value *row) {
      emitTiles(tile,
                moved(base, code.times(rowIn(code, c, row), c.rowBytes()),
                      code.times(row, c.x.out * c.columns)),
                code.integer(0), code.integer(tiles));
    });
  }

  /// Tiles of a row, of which the last may be narrower.
  void emitTiles(IntegerTile tile, const IntegerTileCall &base, Value *first,
                 Value *end) {
    int64_t full = c.x.out / width, rest = c.x.out % width;
    auto emitAt = [&](Value *number) {
      Value *pixel = code.times(number, width);
      emitIntegerTile(code, tile,
                      moved(base, code.times(pixel, tile.inPixel),
                            code.times(pixel, tile.outPixel)));
    };
    if (full) {
      tile.width = width;
      emitTileSizes(code, tile);
      code.loop(first, code.smaller(end, code.integer(full)), emitAt,
                /*maybeNone=*/true);
    }
    if (rest)
      code.when(code.CreateICmpEQ(end, code.integer(tiles)), [&] {
        tile.width = rest;
        emitTileSizes(code, tile);
        emitAt(code.integer(full));
      });
  }

  /// The arguments moved by so many bytes of the image, and elements of the
  /// result.
  IntegerTileCall moved(IntegerTileCall moved, Value *in, Value *out) {
    moved.in = code.bytesAt(moved.in, in);
    moved.out = elementAt(code, moved.out, out, call.out.kind());
    moveExtras(code, extras.result, moved.extras, out);
    return moved;
  }

  const CpuConvIntegerCall &call;
  const IntegerSizes c;
  const IntegerExtras extras;
  Emitter code;
  Value *zero = nullptr;
  int64_t width, tiles; // pixels of a tile, and tiles of a row
  bool isRow;
};

} // namespace

NativeStep cpu::emitConvInteger(CodeModule &module,
                                const CpuConvIntegerCall &call,
                                const Twine &name) {
  if (module.target.lanes == 1)
    return emitScalarConvInteger(module, call, name);
  return ConvIntegerEmitter(module, call, name).emit();
}

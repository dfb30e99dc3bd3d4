//===- ConvTiles.cpp - the tiles of a convolution -------------------------===//
// SPDX-License-Identifier: MIT

#include "ConvTiles.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/tile/HalfTile.h"

using namespace glow::cpu;
using namespace llvm;

TileCall ConvTiles::callAt(Value *image, Value *kernel, int64_t panel,
                           int64_t panels, int64_t blocks) {
  TileCall call;
  Value *in = times(code, image, inImage());
  if (c.groups > 1) {
    int64_t panelsOfGroup = panels / c.groups;
    Value *group = code.CreateUDiv(kernel, code.integer(panelsOfGroup));
    in = code.add(in, times(code, group, inBlock() * (c.perGroup / c.lanesIn)));
  }
  bool isShared = c.form != WeightForm::F32 || c.gathered;
  unsigned from = isShared ? operands.in.shared() : unsigned(operands.in);
  call.in = code.at(code.buffer(from), in);
  call.weights =
      code.at(code.at(code.buffer(operands.packedFilter()), weightsBefore),
              code.times(kernel, c.filterSize() * packedSize(c.form, panel)));
  Value *channel = code.times(kernel, panel * lanes);
  if (epilogue.bias)
    call.bias = code.at(code.buffer(*operands.bias), channel);
  Value *out = code.add(times(code, image, outImage()),
                        times(code, kernel, outBlock() * panel));
  out = code.add(out, code.integer(c.outFirst * lanes));
  call.out = code.at(code.buffer(0), out);
  call.extras = extrasAt(code, operands.extras, epilogue, out, channel);
  call.outBlock = valueOf(code, outBlock());
  call.outer = code.integer(c.perGroup / c.lanesIn);
  call.inOuter = valueOf(code, inBlock());
  call.weightsOuter = code.integer(c.planes * c.rows * c.taps * c.lanesIn *
                                   packedSize(c.form, blocks));
  call.rest = valueOf(code, inBlock() * (c.perGroup / c.lanesIn * c.groups));
  call.inPlane = valueOf(code, c.height * c.width * (c.dilationZ * c.lanesIn));
  call.inRow = valueOf(code, c.width * (c.dilationY * c.lanesIn));
  call.tail = code.integer(c.perGroup % c.lanesIn);
  return call;
}

Tile ConvTiles::tileOf(int64_t width, int64_t blocks, int64_t lines) const {
  Tile tile;
  tile.width = width, tile.blocks = blocks;
  tile.inPixel = c.strideX * c.lanesIn;
  tile.taps = c.taps;
  tile.inTap = c.dilationX * c.lanesIn;
  tile.count = c.lanesIn;
  tile.outer = c.perGroup >= c.lanesIn;
  // A loop over filter rows is needed if there are several, or if one may lie
  // outside of the image.
  bool readsBelow =
      c.isFixed() ? (c.outHeight.fixed() - 1) * c.strideY - c.padTop.fixed() >=
                        c.height.fixed()
                  : c.padBottom != 0;
  tile.rows = c.rows != 1 || c.padTop != 0 || readsBelow;
  tile.planeRows = c.isDeep() ? c.rows : 0;
  tile.outPixel = c.outStepX * lanes;
  tile.tail = c.perGroup % c.lanesIn != 0;
  tile.stream = true;
  tile.form = c.form;
  tile.ahead = c.lanesIn > 1 && !isOfTiles(c.form);
  tile.lines = isOfTiles(c.form) ? lines : 0;
  tile.epilogue = epilogue;
  return tile;
}

void ConvTiles::tileAt(const Tile &tile, const TileCall &base, Value *pixel) {
  TileCall moved = base;
  // Prefetches the pixels of the next tile, or of the next row of tiles.
  moved.ahead = c.strideY == 1 && c.strideX == 1
                    ? code.integer(tile.width * tile.inPixel)
                    : valueOf(code, c.width * (c.strideY * c.lanesIn));
  moved.in = code.at(base.in, code.times(pixel, tile.inPixel));
  Value *out = code.times(pixel, tile.outPixel);
  moved.out = code.at(base.out, out);
  for (auto [extra, kind] : zip(moved.extras, epilogue.extras))
    if (kind == BroadcastKind::Elementwise)
      extra = code.at(extra, out);
  emitTile(code, tile, moved);
}

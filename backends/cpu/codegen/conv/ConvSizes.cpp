//===- ConvSizes.cpp - the sizes of a convolution -------------------------===//
// SPDX-License-Identifier: MIT

#include "ConvSizes.h"
#include "codegen/emit/OpenSizes.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvCall, calls::CpuConvTransposeCall;

Ints cpu::convolvedShape(const CpuConvCall &call) {
  return convolvedShape(call.out.shape(), call.in.shape(), call.filter.shape(),
                        call.strides, call.pads, call.dilations);
}

/// The spatial entries of a list from `first` on, one to three, extended to
/// three.
template <typename List>
static auto axesOf(const List &list, size_t first, int64_t missing) {
  List axes(3, missing);
  std::copy(list.begin() + long(first), list.end(),
            axes.end() - long(list.size() - first));
  return std::tuple(axes[0], axes[1], axes[2]);
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
  c.width = c.width * c.height, c.outWidth = c.outWidth * c.outHeight;
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
  std::swap(c.padRight, c.padBottom);
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
  c.padBottom = c.padRight;
  c.strideX = c.dilationX = 1, c.padLeft = c.padRight = 0;
  c.filter.row = c.filter.tap;
}

/// The sizes that direct and transposed convolutions share. `out` is the shape
/// of the sums, before a pool.
template <typename Call>
static ConvSizes sizesOf(const Call &call, const Sizes &out, const Ints &pool,
                         bool transposed) {
  ConvSizes c;
  const Sizes in = call.in.sizes();
  Ints filter = call.filter.shape();
  auto planesOf = [](Sizes sizes) {
    sizes.pop_back(); // lanes
    auto [depth, height, width] = axesOf(sizes, 2, 1);
    return std::tuple(depth.extent(), height.length(), width.length());
  };
  c.blocks = in[0].extent(), c.lanesIn = in.back().extent();
  c.images = in[1].length();
  std::tie(c.depth, c.height, c.width) = planesOf(in);
  std::tie(c.outDepth, c.outHeight, c.outWidth) = planesOf(out);
  std::tie(c.planes, c.rows, c.taps) = axesOf(filter, 2, 1);
  std::tie(c.strideZ, c.strideY, c.strideX) = axesOf(call.strides, 0, 1);
  std::tie(c.dilationZ, c.dilationY, c.dilationX) =
      axesOf(call.dilations, 0, 1);
  const int64_t axes = expr::size(call.strides);
  const Sizes pads = call.in.instr->list("pads");
  auto padsOf = [](const Sizes &sizes) {
    auto [depth, height, width] = axesOf(sizes, 0, 0);
    return std::tuple(depth.extent(), height.length(), width.length());
  };
  std::tie(c.padFront, c.padTop, c.padLeft) = padsOf(expr::take(pads, axes));
  std::tie(std::ignore, c.padBottom, c.padRight) =
      padsOf(expr::drop(pads, axes));
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
  c.imageHeight = quotient(c.outHeight, c.poolRows);
  c.imageWidth = quotient(c.outWidth, c.poolColumns);
  return c;
}

ConvSizes cpu::sizesOf(const CpuConvCall &call) {
  const bool isPooled = expr::prod(call.pool) != 1;
  return ::sizesOf(call,
                   isPooled ? Sizes(convolvedShape(call)) : call.out.sizes(),
                   call.pool, false);
}
ConvSizes cpu::sizesOf(const CpuConvTransposeCall &call) {
  return ::sizesOf(call, call.out.sizes(), Ints(call.strides.size(), 1), true);
}

/// The range of taps inside of `size`, if the first of `taps` is at `top` and
/// they lie `d` apart.
static RowRange clip(Emitter &code, Value *top, int64_t d, const Length &size,
                     int64_t taps) {
  auto upwards = [&](Value *value) { // divided by the dilation
    return code.CreateSDiv(code.add(value, code.integer(d - 1)),
                           code.integer(d));
  };
  Value *zero = code.integer(0);
  Value *above = code.larger(code.CreateNSWSub(zero, top), zero);
  Value *below = code.larger(code.CreateNSWSub(valueOf(code, size), top), zero);
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
    Value *height = valueOf(code, c.outHeight);
    Value *plane = code.CreateUDiv(row, height);
    row = code.CreateURem(row, height);
    front = code.CreateNSWSub(code.times(plane, c.strideZ),
                              code.integer(c.padFront));
  }
  top = code.CreateNSWSub(code.times(row, c.strideY), valueOf(code, c.padTop));
}

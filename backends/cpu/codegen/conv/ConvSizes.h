//===- ConvSizes.h - the sizes of a convolution ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_CONV_CONVSIZES_H
#define GLOW_BACKENDS_CPU_CODEGEN_CONV_CONVSIZES_H

#include "codegen/step/Halves.h"
#include "common/ConvShape.h"

namespace glow::cpu {

/// The offset of a filter's first element, and its strides.
struct FilterSteps {
  int64_t first = 0, out, in, plane, row, tap;
};

/// The sizes of a convolution with up to three spatial dimensions. One
/// dimension is a row, and two dimensions are a plane.
struct ConvSizes {
  // A run may give the number of images, their height and width, and pads.
  Length images, height, width;
  Length outHeight, outWidth; // sizes of the sums, before a pool
  int64_t blocks, lanesIn;
  int64_t channels, perGroup, groups; // output channels, inputs of a group
  int64_t rows, taps;                 // sizes of the filter
  int64_t strideY, strideX, dilationY, dilationX;
  Length padTop, padLeft;
  Length padBottom, padRight; // used if a run gives height and width

  // Planes of the image, of the filter, and of the sums.
  int64_t depth = 1, planes = 1, outDepth = 1;
  int64_t strideZ = 1, dilationZ = 1, padFront = 0;

  /// Whether the image is a copy in shared memory, without pixels that no tap
  /// reads.
  bool gathered = false;

  /// The form of the filter. Input channels may be pairs of bf16 (Halves.h) of
  /// an image in shared memory; pairs are then counted.
  WeightForm form = WeightForm::F32;
  int64_t channelsIn = 0; ///< input channels of a group, for forms of tiles

  /// The window of the max pool after the convolution.
  int64_t poolRows = 1, poolColumns = 1;

  // The strides of results in a larger image, in rows and pixels.
  Length imageHeight, imageWidth;
  int64_t outStepY = 1, outStepX = 1, outFirst = 0;

  FilterSteps filter;

  int64_t mostImages() const { return images.range().high; }
  /// Whether images have the same height and width in all runs.
  bool isFixed() const { return height.isFixed() && width.isFixed(); }
  /// Whether a run determines the pixels of a row that read pads.
  bool hasOpenRows() const {
    return !width.isFixed() || !outWidth.isFixed() || !padLeft.isFixed();
  }
  /// Pixels of all planes of an image, and of the sums.
  Length pixels() const { return height * width * depth; }
  Length outPixels() const { return outHeight * outWidth * outDepth; }
  /// Columns from the first that a pixel reads to the last.
  int64_t reach() const { return (taps - 1) * dilationX; }
  /// The pixels of a row before the first that reads pads to its right.
  Length pixelsInside() const {
    Length last = quotient(width + (padLeft - reach() - 1), strideX);
    return lesser(outWidth, greater(last + 1, 0));
  }
  /// The tiles of so many pixels that may read pads to the left.
  int64_t tilesOfPad(int64_t pixels) const {
    return (mostPadded(padLeft) + pixels - 1) / pixels;
  }
  /// The most pixels of a row that read so many columns of pads.
  int64_t mostPadded(const Length &pad) const {
    return (pad.range().high + strideX - 1) / strideX;
  }
  int64_t outBlocks() const { return (channels + lanes - 1) / lanes; }
  /// Elements of the filter for each output channel.
  int64_t filterSize() const { return perGroup * planes * rows * taps; }
  bool isPooled() const { return poolRows * poolColumns > 1; }
  /// Whether there is a loop over planes. A deep convolution has no pool.
  bool isDeep() const { return depth > 1 || planes > 1 || outDepth > 1; }
  bool isPointwise() const {
    return !isDeep() && !isPooled() && rows == 1 && taps == 1 && strideY == 1 &&
           strideX == 1 && padTop == 0 && padLeft == 0 && height == outHeight &&
           width == outWidth && outStepY == 1 && outStepX == 1;
  }
  /// Whether the only tap skips pixels, in rows that are shorter than a tile.
  bool isSparse() const {
    return isFixed() && !isPooled() && planes == 1 && rows == 1 && taps == 1 &&
           strideZ * strideY * strideX > 1 && padFront == 0 && padTop == 0 &&
           padLeft == 0 && lanesIn == lanes && outWidth.fixed() < lanes &&
           (outDepth - 1) * strideZ < depth &&
           (outHeight.fixed() - 1) * strideY < height.fixed() &&
           (outWidth.fixed() - 1) * strideX < width.fixed();
  }
  /// The convolution on the gathered pixels that the single tap reads.
  ConvSizes ofGathered() const {
    ConvSizes c = *this;
    c.gathered = true, c.strideZ = c.strideY = c.strideX = 1;
    c.width = c.outWidth = c.imageWidth = outPixels();
    c.height = c.outHeight = c.imageHeight = 1;
    c.depth = c.outDepth = 1;
    return c;
  }
};

/// The sizes of a convolution over one, two or three spatial axes. A transposed
/// convolution has one or two axes, and a filter [in, out, ...].
ConvSizes sizesOf(const calls::CpuConvCall &call);
ConvSizes sizesOf(const calls::CpuConvTransposeCall &call);
/// The direct convolution that computes the result pixels of a transposed one
/// from a row and a column on, which lie a stride apart.
ConvSizes phaseOf(const ConvSizes &whole, int64_t row, int64_t column);

/// Treats the pixels of a pointwise convolution as one row, as emitDirect takes
/// them. Other sizes stay as they are.
void layPixelsInRow(ConvSizes &c);

/// The buffers of a convolution, transposed or not.
struct ConvOperands {
  template <typename Call>
  explicit ConvOperands(const Call &call)
      : out(call.out), in(call.in), filter(call.filter), bias(call.bias),
        extras(call.extras) {}

  /// The buffer of the packed filter.
  unsigned packedFilter() const {
    return filter.known() ? unsigned(filter) : filter.shared();
  }

  Operand out, in, filter;
  std::optional<Operand> bias;
  Operands extras;
};

/// The packed filter begins after `weightsBefore` elements: of the packed
/// constant or, for a filter that a run gives, of shared memory.
NativeStep emitDirect(CodeModule &module, const ConvOperands &operands,
                      const ConvSizes &sizes, const Epilogue &epilogue,
                      const llvm::Twine &name, int64_t weightsBefore = 0);

/// Bytes of the pixels that a filter of one tap reads.
inline int64_t bytesOfGathered(const ConvSizes &c) {
  return c.mostImages() * c.blocks * c.outPixels().fixed() * lanes * 4;
}

/// Adds a first phase that copies the pixels which a filter of one tap reads to
/// contiguous shared memory. If rows of the result are shorter than a tile,
/// tiles are then as wide as in any other pointwise convolution. The copy takes
/// a hundredth of the time.
void gatherFirst(CodeModule &module, const Operand &image, const ConvSizes &c,
                 const llvm::Twine &name, NativeStep &step);

/// The form of a direct convolution.
WeightForm formOf(const CodeModule &module, const calls::CpuConvCall &call);

/// The filter of direct convolution as [panel][c / lanesIn][q][r][s][lanesIn]
/// [block][16], where panels have so many blocks of output channels. For tiles
/// it has pairs in place of channels, in one part or two (packedSize).
Packing packFilter(const ConvSizes &c, int64_t panel, unsigned buffer);
/// The filter of each channel on its own, or of groups of few, as
/// [block][q][r][s][channels of a group][16].
Packing packTaps(const ConvSizes &c, unsigned buffer);
/// The bias, padded to whole blocks of channels.
Packing packBias(int64_t channels, unsigned buffer);

/// Elements of the packed filter.
int64_t packedElements(const ConvSizes &c);
/// Packs the filter for panels of so many blocks: when the program is compiled
/// or, if a run gives it, in a first phase that writes it to shared memory from
/// element `before` on. Adds the packing of the bias, too.
void packOperands(CodeModule &module, const ConvOperands &operands,
                  const ConvSizes &c, int64_t panel, int64_t before,
                  const llvm::Twine &name, NativeStep &step);

/// The shape of the sums of a convolution, before its pool.
Ints convolvedShape(const calls::CpuConvCall &call);

/// The rows, or planes, of a filter that lie inside of the image.
struct RowRange {
  llvm::Value *first, *end;
};
/// The filter rows inside of the image for a pixel whose first filter row reads
/// row `top`.
RowRange clipRows(Emitter &code, const ConvSizes &c, llvm::Value *top);
/// The filter planes inside of the image for a pixel whose first filter plane
/// reads plane `front`.
RowRange clipPlanes(Emitter &code, const ConvSizes &c, llvm::Value *front);

/// A row of the result, of the `outHeight` rows of each plane.
struct PlaneRow {
  PlaneRow(Emitter &code, const ConvSizes &c, llvm::Value *row);
  llvm::Value *front = nullptr; ///< the plane that its first plane reads
  llvm::Value *top;             ///< the row that its first row reads
};

/// The addresses of one block of channels, for row 0 of plane 0, even if that
/// row is not stored.
struct DepthwiseCall {
  llvm::Value *in, *filter, *bias = nullptr, *out;
  llvm::SmallVector<llvm::Value *> extras;
};
/// Emits rows `first` to `end` of the result, at least one row. Rows are
/// numbered through all planes.
void emitDepthwiseRows(Emitter &code, const ConvSizes &c,
                       const Epilogue &epilogue, const DepthwiseCall &call,
                       llvm::Value *first, llvm::Value *end);

/// The pixels of its tiles.
int64_t depthwiseWidth(const Emitter &code, const ConvSizes &c);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_CONV_CONVSIZES_H

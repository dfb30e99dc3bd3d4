//===- Winograd.h - the transforms of Winograd's algorithm ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_CONV_WINOGRAD_H
#define GLOW_BACKENDS_CPU_CODEGEN_CONV_WINOGRAD_H

#include "ConvSizes.h"

namespace glow::cpu {

/// The sizes of a 3x3 convolution of stride 1 or 2, or of a sum of `planes`
/// such convolutions of different image planes. `size` is m: a tile has m x m
/// results. A run may give the number, height, width and pads of images.
struct WinogradSizes {
  int64_t size;
  Length images;
  int64_t inChannels, channels;
  Length height, width, outHeight, outWidth, padTop, padLeft;
  int64_t stride;
  int64_t poolRows, poolColumns; ///< window of the max pool
  int64_t depth, planes, outDepth, padFront;
  FilterSteps filter;     ///< of whole filters, upwards or downwards
  bool inRun;             ///< whether a run gives the filter
  int64_t blockTiles = 0; ///< tiles of a plane that are transformed at a time
  int64_t panel = 1;      ///< blocks of output channels of a panel

  /// The side of an image tile, and of its transform.
  int64_t side() const { return stride == 1 ? size + 2 : 2 * size + 1; }
  int64_t points() const { return side() * side(); }
  /// The same for the filter, whose last point stands for all points after it.
  int64_t filterSide() const { return size + 2; }
  int64_t filterPoints() const { return filterSide() * filterSide(); }
  int64_t inBlocks() const { return inChannels / lanes; }
  int64_t outBlocks() const { return (channels + lanes - 1) / lanes; }
  Length tileRows() const { return quotient(outHeight + size - 1, size); }
  Length tileColumns() const { return quotient(outWidth + size - 1, size); }
  Length resultHeight() const { return quotient(outHeight, poolRows); }
  Length resultWidth() const { return quotient(outWidth, poolColumns); }
  /// Tiles of one plane of all images, and the most in a run.
  Length tiles() const { return images * tileRows() * tileColumns(); }
  int64_t mostTiles() const { return tiles().range().high; }
  bool isDeep() const { return depth > 1 || planes > 1 || outDepth > 1; }

  /// Whether all tiles are transformed before any is multiplied.
  bool isOneBlock() const { return mostTiles() <= blockTiles; }
  /// Elements of U of so many blocks of output channels.
  int64_t elementsOfU(int64_t blocks) const {
    return filterPoints() * inChannels * planes * blocks * lanes;
  }
  /// Bytes by which a packed constant is larger than the filter.
  int64_t grownBytes() const {
    const int64_t taps = 9 * inChannels * planes * outBlocks() * lanes;
    return inRun ? 0 : (elementsOfU(outBlocks()) - taps) * 4;
  }

  /// The elements from a point of V to the next: an odd number of cache lines.
  /// A tile is stored to all points, which must not compete for the same cache
  /// lines.
  int64_t pointOfV(int64_t tiles) const {
    // A vector is one line.
    return (inBlocks() * depth * tiles | 1) * lanes;
  }
  /// Bytes of V and M of a block.
  int64_t bytesOfV() const {
    return points() * pointOfV(std::min(blockTiles, mostTiles())) * 4;
  }
  int64_t bytesOfM() const {
    return points() * panel * std::min(blockTiles, mostTiles()) * outDepth *
           lanes * 4;
  }
  /// Bytes of U of a filter that a run gives: of all threads, for blocks of
  /// tiles, or of a panel.
  int64_t sharedBytesOfU() const {
    return inRun && !isOneBlock() ? elementsOfU(outBlocks()) * 4 : 0;
  }
  int64_t bytesOfU() const {
    return inRun && isOneBlock() ? elementsOfU(panel) * 4 : 0;
  }
};

/// The filter planes inside of the image for a plane of the result: the first,
/// and the end.
using PlaneRange = std::pair<int64_t, int64_t>;
PlaneRange planesInside(const WinogradSizes &w, int64_t z);

/// The numbers of multiplied vectors, of transformed points of 16 channels, and
/// of result vectors before the pool.
double productsOf(const WinogradSizes &w);
double transformsOf(const WinogradSizes &w);
double resultsOf(const WinogradSizes &w);

/// The fastest size with its blocks; nothing if Winograd's algorithm saves less
/// than a tenth, or if the arena has no space for it.
std::optional<WinogradSizes> bestWinograd(const CodeModule &module,
                                          WinogradSizes w);

/// The image, row and column of tile number `t`.
struct TilePlace {
  TilePlace(Emitter &code, const WinogradSizes &w, llvm::Value *t);
  llvm::Value *image, *row, *column;
};

/// Writes V of one tile of a plane of 16 channels to `to`, each point
/// `step` elements further. Pixels outside of the image are 0.
void emitInputTransform(Emitter &code, const WinogradSizes &w,
                        llvm::Value *image, const TilePlace &place,
                        llvm::Value *to, int64_t step);

/// The same for the gradients of the results of one tile, of stride 1: Z = A y
/// A'. Pixels outside of the results are 0.
void emitResultTransform(Emitter &code, const WinogradSizes &w,
                         llvm::Value *image, const TilePlace &place,
                         llvm::Value *to, int64_t step);

/// The arguments of an output transform.
struct OutputCall {
  TilePlace place;
  llvm::Value *m; ///< the first point; each is `step` elements further
  int64_t step;
  llvm::Value *bias; ///< of 16 channels, or null
  llvm::Value *out;
  llvm::SmallVector<llvm::Value *> extras;
};

/// Writes the formula of the pixels of one tile, or the maximum of each pool. A
/// tile at the end of a row or column may be smaller than others.
void emitOutputTransform(Emitter &code, const WinogradSizes &w,
                         const Epilogue &epilogue, const OutputCall &call);

/// U of the filter of a convolution, as [panel][point of the filter][c / 16][q]
/// [16][block][16].
void packWinograd(const WinogradSizes &w, const float *filter, float *u);

/// Writes U of a panel for one block of input channels. `filter` is the address
/// of the panel's first output channel. The panel has `blocks` blocks, and the
/// last of them has so many output channels.
void emitFilterTransform(Emitter &code, const WinogradSizes &w,
                         llvm::Value *filter, llvm::Value *block,
                         int64_t blocks, int64_t rowsOfLast, llvm::Value *u);

/// Writes the gradient of the taps of a filter of stride 1: G' M G of the
/// points at `m`, which lie `step` elements apart. A point is a vector of
/// output channels, of which `rows` are written; from the taps of one to those
/// of the next are `rowStep` elements.
void emitFilterOfPoints(Emitter &code, const WinogradSizes &w, llvm::Value *m,
                        int64_t step, int64_t rows, llvm::Value *to,
                        int64_t rowStep);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_CONV_WINOGRAD_H

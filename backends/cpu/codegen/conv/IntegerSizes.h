//===- IntegerSizes.h - the sizes of a convolution of bytes -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_CONV_INTEGERSIZES_H
#define GLOW_BACKENDS_CPU_CODEGEN_CONV_INTEGERSIZES_H

#include "codegen/step/Step.h"
#include "codegen/tile/IntegerTile.h"

namespace glow::cpu {

/// The sizes along one axis of an image.
struct Axis {
  int64_t in = 1, out = 1, taps = 1, stride = 1, dilation = 1;
  int64_t before = 0, after = 0; ///< padding

  /// Pixels that taps read, including padding.
  int64_t reach() const {
    return (out - 1) * stride + dilation * (taps - 1) + 1;
  }
  bool isPlain() const {
    return taps == 1 && stride == 1 && before == 0 && after == 0;
  }
};

/// The sizes of a convolution. An image of one axis is a row, and an image of
/// two axes a plane.
struct IntegerSizes {
  IntegerSizes(const CodeModule &module, const calls::CpuConvIntegerCall &call);

  int64_t blocks() const { return (columns + lanes - 1) / lanes; }
  /// Whether signed bytes are offset to be unsigned.
  bool moves() const {
    return isSigned && !depthwise &&
           (products == ByteProducts::Quads || inWords);
  }

  /// Taps that tiles count, and the bytes of one.
  int64_t taps() const { return merged ? 1 : x.taps; }
  int64_t tapBytes() const { return perGroup * (merged ? x.taps : 1); }
  /// Bytes of a row of the image that is read, and of its first part, with the
  /// first pair of each quad, where there are two.
  int64_t rowBytes() const { return (inWords ? 2 : 1) * partBytes(); }
  int64_t partBytes() const { return (prepared ? x.reach() : x.in) * channels; }
  int64_t imageBytes() const; ///< of all images
  int64_t mostImages() const { return images.range().high; }
  int64_t planeRows() const { return prepared ? y.reach() : y.in; }
  int64_t planes() const { return prepared ? z.reach() : z.in; }
  int64_t imageRows() const { return planes() * planeRows(); }
  /// Rows of the result.
  int64_t rowsOut() const { return z.out * y.out; }
  /// Rows of the filter.
  int64_t rowTaps() const { return z.taps * y.taps; }

  /// Bytes of the weights in a panel, which follow its sums.
  int64_t weightBytes(int64_t panelBlocks) const {
    return panelBlocks * rowTaps() * taps() * packedBytes(products, tapBytes());
  }
  int64_t panelBytes(int64_t panelBlocks) const {
    return panelBlocks * lanes * 4 + weightBytes(panelBlocks);
  }

  ByteProducts products;
  bool isSigned;
  Length images; ///< a run may give their number
  int64_t channels, columns, perGroup, groups;
  Axis z, y, x;
  bool depthwise; ///< each channel is a group
  bool merged;    ///< the taps of a row count as one
  bool prepared;  ///< tiles read a copy of the image
  bool inWords;   ///< the copy has numbers of 16 bits (IntegerTile.def)
};

/// The image row where a row of the result begins. Rows of a volume are
/// numbered through all planes.
llvm::Value *rowIn(Emitter &code, const IntegerSizes &sizes, llvm::Value *row);

/// The convolution on a processor without vectors.
NativeStep emitScalarConvInteger(CodeModule &module,
                                 const calls::CpuConvIntegerCall &call,
                                 const llvm::Twine &name);

/// Adds a first phase that writes the image as tiles read it: with padding, and
/// with unsigned bytes if the processor's products require them.
void prepareFirst(CodeModule &module, const calls::CpuConvIntegerCall &call,
                  const IntegerSizes &sizes, const llvm::Twine &name,
                  NativeStep &step);

/// The zero point of the image's bytes as tiles read them, an i64.
llvm::Value *loadZero(Emitter &code, const calls::CpuConvIntegerCall &call,
                      const IntegerSizes &sizes);

/// The packing of weights in panels of so many blocks of 16 columns. The sums
/// of its columns precede each panel.
Packing packIntegers(const IntegerSizes &sizes, int64_t panel,
                     const Operand &filter);
/// The packing of the bias, padded to whole blocks of channels.
Packing packIntegerBias(const IntegerSizes &sizes, const Operand &bias);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_CONV_INTEGERSIZES_H

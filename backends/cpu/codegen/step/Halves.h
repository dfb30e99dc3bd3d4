//===- Halves.h - products of bf16, two at a time -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Products of bf16 on processors that have them, with sums in f32. A pair of
// channels takes the space of an f32 element, so tiles count pairs. With
// Math::Fast factors are rounded to bf16. With the tiles of AMX a factor can
// also be the sum of two bf16 numbers. This takes three products instead of
// one, and is as accurate as Math::Default requires.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_STEP_HALVES_H
#define GLOW_BACKENDS_CPU_CODEGEN_STEP_HALVES_H

#include "Step.h"
#include "glow/Base/Functions.h"

namespace glow::cpu {

/// The number of pairs of `channels` for tiles, rounded up to whole pixels of
/// 16.
inline int64_t pairsOfTiles(int64_t channels) {
  return (channels + 2 * lanes - 1) / (2 * lanes) * lanes;
}

/// An image whose channels are rounded. Steps are in elements.
struct HalfImage {
  int64_t channels;
  int64_t images = 1, depth = 1, height = 1; ///< sizes of the result
  int64_t width = 1, before = 0, after = 0;  ///< `before` and `after`: zeros
  int64_t planeStep = 0, rowStep = 0, pixelStep = 0, imageStep = 0;
  int64_t blockStep = 0; ///< from 16 channels to the next
  int64_t step = 1;      ///< stride of a tile's pixels, in pixels of the result

  int64_t rows() const { return images * depth * height; }
  /// Pixels of 32 channels in the result, [c / 32][row][pixel][16].
  int64_t pixels() const { return rows() * (before + width + after); }
  /// Elements of the result. As many further elements hold the remainders of
  /// rounding. Saturates at the largest number.
  int64_t elements() const {
    return expr::prod(
        Ints{pairsOfTiles(channels), rows(), before + width + after});
  }
};

/// Bytes of shared memory for the pairs that a form of tiles reads.
int64_t bytesOfPairs(WeightForm form, const HalfImage &image);

/// The sizes of a product by which its form is chosen.
struct ProductSizes {
  int64_t line;        ///< contiguous pixels (rows) that tiles can cover
  int64_t lines = 1;   ///< number of such lines
  int64_t inner;       ///< channels that are summed
  int64_t taps = 1;    ///< taps of the filter
  int64_t columns;     ///< results of a pixel
  int64_t copied;      ///< numbers that are rounded first
  double saved = 1;    ///< speed of the alternative, relative to plain products
  HalfImage image;     ///< the copy that a form of tiles reads
  int64_t scratch = 0; ///< bytes of a thread that tiles need
};

/// The fastest form that is accurate enough. Operands are rounded first: this
/// does not pay for few columns, and the arena must have space for the copy.
WeightForm formOf(const CodeModule &module, const ProductSizes &sizes);

/// The pixels of a tile of `line`, chosen so that all tiles have about as many.
int64_t linesOfTiles(int64_t line);
/// The choice of a product by tiles for reports, and its work for predictions.
StepChoice choiceOfTiles(WeightForm form, const ProductSizes &sizes,
                         std::string layout);
Work workOfTiles(const Target &target, WeightForm form,
                 const ProductSizes &sizes);

/// Adds a first phase that writes pairs as a form of tiles has them to the
/// step's shared memory.
void pairFirst(CodeModule &module, const Operand &buffer,
               const HalfImage &image, WeightForm form, const llvm::Twine &name,
               NativeStep &step);

/// A number as the sum of two bf16 numbers, with an error of 2^-18: the nearest
/// one, which is finite for finite numbers, and the remainder. Each has the
/// upper 16 bits of a word.
struct SplitFloat {
  explicit SplitFloat(float value);
  uint32_t high, low;
};

/// Writes pairs of channels `low` and `high` to a packing of a form of tiles,
/// for a multiple of 16 columns.
void packPair(WeightForm form, llvm::ArrayRef<float> low,
              llvm::ArrayRef<float> high, float *to);

/// The same for vectors: their pairs and, with WeightForm::SplitTiles, the
/// pairs of the remainders.
llvm::SmallVector<llvm::Value *, 2>
emitPairs(Emitter &code, WeightForm form, llvm::Value *low, llvm::Value *high);

/// Adds a first phase that writes a buffer as bf16 to the step's shared memory.
void roundFirst(CodeModule &module, const Operand &buffer,
                const llvm::Twine &name, NativeStep &step);

/// Rounds two numbers to bf16, halves to even, and returns both as the bits of
/// an f32. Finite numbers stay finite.
float halvesOf(float low, float high);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_STEP_HALVES_H

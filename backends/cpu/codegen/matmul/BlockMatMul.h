//===- BlockMatMul.h - products with weights of few bits -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The weights of a column are codes in blocks along the summed dimension. They
// are packed for vectors of 16 columns. A 32-bit word of each column holds the
// next codes of the block: even codes in its lower half and odd codes in its
// upper half, the first in the lowest bits. So shifting and masking both halves
// gives a pair of neighbouring codes:
//
//   codes   [panel of 16 columns][block][word][16]
//   scales  [panel of 16 columns][block][16], zeros as well
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_MATMUL_BLOCKMATMUL_H
#define GLOW_BACKENDS_CPU_CODEGEN_MATMUL_BLOCKMATMUL_H

#include "codegen/step/Step.h"

namespace glow::cpu {

/// The zero point of codes.
enum class CodeZero {
  Middle, ///< the middle of the range of codes
  Byte,   ///< an unsigned byte for each block
  Real    ///< an f32 for each block
};

/// The sizes of a product, in blocks of the emitted code.
struct BlockSizes {
  explicit BlockSizes(const calls::MatMulNBitsCall &call);

  int64_t rows, inner,
      columns; ///< inner: elements of a row of the first factor
  int64_t bits;
  int64_t part;        ///< elements of a row that have one scale
  int64_t block;       ///< codes of a block, some parts
  int64_t blocks;      ///< blocks of a column; the last may have fewer codes
  int64_t modelBlock;  ///< codes of a block of the model, a multiple of `block`
  int64_t modelBlocks; ///< blocks of the model in a column
  CodeZero zero;

  int64_t panels() const { return (columns + lanes - 1) / lanes; }
  int64_t levels() const { return int64_t(1) << bits; }
  /// Codes of a word of 32 bits, and words of a block.
  int64_t wordCodes() const { return 32 / bits; }
  int64_t words() const { return block / wordCodes(); }
  int64_t parts() const { return block / part; }
  /// Elements of a row, padded with zeros to the end of the last block.
  int64_t wholeInner() const { return blocks * block; }
};

/// Emits code for a panel; the last panel may have fewer columns.
void emitForColumns(Emitter &code, const BlockSizes &sizes, llvm::Value *panel,
                    llvm::function_ref<void(int64_t columns)> body);

/// Adds the packings of a product's constants.
void packBlocks(const calls::MatMulNBitsCall &call, const BlockSizes &sizes,
                NativeStep &step);

/// Rows as 16-bit numbers, which a first phase writes to shared memory. Each
/// part of a block has a scale.
///
///   steps       i16 [row][wholeInner]
///   parameters  [row][block] of the scale, an f32, and of 4 bytes for zero
///               points: minus the sum of the block's steps; for Middle times
///               the middle, and for Real times the scale, an f32
struct RowSteps {
  explicit RowSteps(const BlockSizes &sizes);

  /// The largest magnitude of a step.
  static constexpr int64_t most = 32512;

  int64_t stepBytes, parameterBytes; ///< from a row to the next
  int64_t parametersAt;              ///< bytes of shared memory before them
  int64_t bytes;                     ///< total bytes of shared memory
};

/// Adds the phase that rounds the rows, before the existing phases.
void roundRowsFirst(CodeModule &module, const calls::MatMulNBitsCall &call,
                    const BlockSizes &sizes, const llvm::Twine &name,
                    NativeStep &step);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_MATMUL_BLOCKMATMUL_H

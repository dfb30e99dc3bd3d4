//===- BlockMatMul.h - products with weights of few bits -------*- C++ -*-===//
//
// The weights of a column are codes in blocks along the sum. They are packed
// for vectors of 16 columns: a word of 32 bits of each column holds the next
// codes of the block, those of even number in its lower half and those of odd
// number in its upper half, the first in the lowest bits. So 16 bits of every
// half, shifted and masked, are a pair of neighbouring codes:
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
  Byte,   ///< a number without a sign for each block
  Real    ///< an f32 for each block
};

/// The sizes of a product, in blocks as code takes them.
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
  /// Elements of a row, with zeros for what the last block lacks.
  int64_t wholeInner() const { return blocks * block; }
};

/// Emits what is done with a panel, of which the last may have fewer columns.
void emitForColumns(Emitter &code, const BlockSizes &sizes, llvm::Value *panel,
                    llvm::function_ref<void(int64_t columns)> body);

/// The zero points of a block of 16 columns, as real numbers; `place` is the
/// index of its first scale.
llvm::Value *zeroOfBlock(Emitter &code, const calls::MatMulNBitsCall &call,
                         const BlockSizes &sizes, llvm::Value *place);
/// The weights of a word of each of 16 columns, in their order.
Emitter::Values realsOfWord(Emitter &code, const BlockSizes &sizes,
                            llvm::Value *codes, llvm::Value *scale,
                            llvm::Value *zero);

/// Adds the constants of a product as its code reads them.
void packBlocks(const calls::MatMulNBitsCall &call, const BlockSizes &sizes,
                NativeStep &step);

/// Rows as numbers of 16 bits, written by a first phase to shared memory: a
/// part of a block has a scale, with which they are multiplied.
///
///   steps       i16 [row][wholeInner]
///   parameters  [row][block] of an f32, the scale, and of 4 bytes by which
///               zero points count: minus the sum of the block's steps, for
///               Middle times the middle; for Real times the scale, an f32
struct RowSteps {
  explicit RowSteps(const BlockSizes &sizes);

  /// The largest step, which is rounded to with any sign.
  static constexpr int64_t most = 32512;

  int64_t stepBytes, parameterBytes; ///< from a row to the next
  int64_t parametersAt;              ///< bytes of shared memory before them
  int64_t bytes;                     ///< of all
};

/// Adds the phase that rounds the rows, before the existing phases.
void roundRowsFirst(CodeModule &unit, const calls::MatMulNBitsCall &call,
                    const BlockSizes &sizes, const llvm::Twine &name,
                    NativeStep &step);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_MATMUL_BLOCKMATMUL_H

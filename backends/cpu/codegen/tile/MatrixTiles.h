//===- MatrixTiles.h - registers of 16 rows of 64 bytes ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The tiles of AMX (Intel's Software Developer's Manual, volume 2), or a model
// of them: library functions with the same effect on memory of the thread, so
// that code for tiles runs on any processor.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_MATRIXTILES_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_MATRIXTILES_H

#include "codegen/emit/Emit.h"
#include <array>

namespace glow::cpu {

/// Emits operations on the 8 tiles.
class MatrixTiles {
public:
  static constexpr int64_t count = 8, rowBytes = 64;

  /// `memory` is scratch of the thread for a model of tiles.
  MatrixTiles(Emitter &code, llvm::Value *memory)
      : code(code), memory(code.module.target.modelsTiles ? memory : nullptr) {}

  /// Bytes of a thread's scratch that a model needs; 0 without a model.
  static int64_t scratchBytes(const Target &target);

  /// Sets the number of rows of each tile; rows have 64 bytes. The contents of
  /// the tiles are lost.
  void configure(const std::array<uint8_t, count> &rows);
  void release();
  /// Loads rows that begin `step` bytes after each other; 0 makes all rows
  /// equal.
  void load(int64_t tile, llvm::Value *from, int64_t step);
  void store(int64_t tile, llvm::Value *to, int64_t step);
  /// sums[i, j] += the sum over 4 k of a[i, k] * b[k / 4, j, k % 4], in i32;
  /// bytes of `a` have a sign or none, those of `b` have one.
  void multiply(int64_t sums, int64_t a, int64_t b, bool isSigned);
  /// sums[i, j] += the sum over 2 k of a[i, k] * b[k / 2, j, k % 2] of bf16, in
  /// f32: even and odd `k` separately, each in order, then both. Denormal
  /// numbers count as 0.
  void multiplyHalves(int64_t sums, int64_t a, int64_t b);

private:
  void call(llvm::StringRef function, llvm::ArrayRef<llvm::Value *> arguments);

  Emitter &code;
  llvm::Value *memory; ///< null for the processor's tiles
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_MATRIXTILES_H

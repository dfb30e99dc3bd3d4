//===- IntegerResult.h - requantization of integer sums ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Sums are i32. A result is the sum itself, or the element nearest to the value
// of a formula of the sum as a real number. Each operation is rounded as in the
// interpreter, so that integers are equal on every processor.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERRESULT_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERRESULT_H

#include "codegen/emit/Calls.h"
#include "codegen/emit/Emit.h"
#include "common/BroadcastKind.h"

namespace glow::cpu {

/// The properties of the result that determine the code of a tile.
struct IntegerResult {
  /// A tensor that the formula reads: x1, x2...
  struct Extra {
    BroadcastKind broadcast;
    ElementKind kind;
  };

  bool bias = false;
  ElementKind kind = ElementKind::I32; ///< f32, i8, u8, or i32 without formula
  Formula formula;                     ///< x0 is the sum
  std::vector<Extra> extras;

  std::string key() const;
};

/// The extras of a call, those of f32 first.
struct IntegerExtras {
  IntegerExtras(const calls::CpuConvIntegerCall &call);

  /// The address of each extra for a kernel that writes from element `out` on,
  /// of channel `channel`.
  llvm::SmallVector<llvm::Value *> at(Emitter &code, llvm::Value *out,
                                      llvm::Value *channel) const;
  IntegerResult result;

private:
  std::vector<unsigned> buffers;
};

/// The address so many elements of a kind after a pointer.
llvm::Value *elementAt(Emitter &code, llvm::Value *pointer,
                       llvm::Value *elements, ElementKind kind);

/// Moves the addresses of extras that are read element by element.
void moveExtras(Emitter &code, const IntegerResult &result,
                llvm::MutableArrayRef<llvm::Value *> extras,
                llvm::Value *elements);

/// Emits the results of a vector of sums, or of its first `count`. `place` is
/// the offset of its first element from `out`, and `channel` the offset from
/// the channel of the extras.
void emitIntegerResult(Emitter &code, const IntegerResult &result,
                       llvm::Value *sums, llvm::Value *out, llvm::Value *place,
                       llvm::Value *channel, int64_t count,
                       llvm::ArrayRef<llvm::Value *> extras);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERRESULT_H

//===- IntegerResult.h - what sums of integers become -----------*- C++ -*-===//
//
// Sums are i32. A result is the sum as it is, or the element nearest to what a
// formula makes of the sum as a real number, rounded operation by operation as
// the interpreter does: integers are the same to the last bit everywhere.
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
  ElementKind kind = ElementKind::I32; ///< f32, i8, u8, or i32 of no formula
  Formula formula;                     ///< x0 is the sum
  std::vector<Extra> extras;

  std::string key() const;
};

/// The extras of a call, those of f32 first.
struct IntegerExtras {
  IntegerExtras(const calls::CpuConvIntegerCall &call);

  /// Where a kernel reads each, that writes to element `out` on, of channel
  /// `channel`.
  llvm::SmallVector<llvm::Value *> at(Emitter &code, llvm::Value *out,
                                      llvm::Value *channel) const;
  IntegerResult result;

private:
  std::vector<unsigned> buffers;
};

/// An address so many elements of a kind further.
llvm::Value *elementAt(Emitter &code, llvm::Value *pointer,
                       llvm::Value *elements, ElementKind kind);

/// The same of those extras that are read element by element.
void moveExtras(Emitter &code, const IntegerResult &result,
                llvm::MutableArrayRef<llvm::Value *> extras,
                llvm::Value *elements);

/// A vector of sums, or the first `count`: `place` is that of its first element
/// behind `out`, `channel` behind the channel of the extras.
void emitIntegerResult(Emitter &code, const IntegerResult &result,
                       llvm::Value *sums, llvm::Value *out, llvm::Value *place,
                       llvm::Value *channel, int64_t count,
                       llvm::ArrayRef<llvm::Value *> extras);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERRESULT_H

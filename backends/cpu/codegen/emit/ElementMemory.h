//===- ElementMemory.h - elements as they lie in memory ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Code computes in f32, f64 and integers of 32 and 64 bits; a tensor may have
// any kind. A value is one element, or a vector of elements.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_ELEMENTMEMORY_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_ELEMENTMEMORY_H

#include "Emit.h"
#include "glow/Base/ElementKind.h"

namespace glow::cpu {

/// The type of an element in memory.
llvm::Type *memoryType(Emitter &code, ElementKind kind);

/// Converts a loaded element to the computation type `wanted`.
llvm::Value *fromMemory(Emitter &code, llvm::Value *loaded, ElementKind kind,
                        llvm::Type *wanted);

/// Whether a number is not 0. An integer is compared in the type that it was
/// widened from, of which a register holds more.
llvm::Value *isNotZero(Emitter &code, llvm::Value *number);

/// The conversion of a number that is out of the range of an integer kind.
enum class Beyond {
  Wraps,  ///< its low bits
  Nearest ///< for a real number the nearest integer in range, and 0 for NaN
};

/// Converts a number to the form of an element in memory. `isUnsigned` marks an
/// unsigned 64-bit integer.
llvm::Value *toMemory(Emitter &code, llvm::Value *number, ElementKind kind,
                      bool isUnsigned, Beyond beyond = Beyond::Wraps);

/// Loads a vector of elements without conversion, or its first `count` and
/// zeros.
llvm::Value *loadElements(Emitter &code, llvm::Type *element, llvm::Value *from,
                          int64_t count, llvm::Align align);
/// Loads a vector of real numbers, or its first `count` and zeros, from
/// elements of a kind at offset `place`.
llvm::Value *loadReals(Emitter &code, llvm::Value *pointer, llvm::Value *place,
                       ElementKind kind, int64_t count);
/// Loads one real number and broadcasts it to all lanes.
llvm::Value *loadReal(Emitter &code, llvm::Value *pointer, ElementKind kind);
/// Stores a vector, or its first `count` elements, without conversion.
void storeElements(Emitter &code, llvm::Value *vector, llvm::Value *pointer,
                   llvm::Value *place, int64_t count);
void storeElements(Emitter &code, llvm::Value *vector, llvm::Value *to,
                   int64_t count, llvm::Align align);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_ELEMENTMEMORY_H

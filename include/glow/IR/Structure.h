//===- Structure.h - functions and buffers of instructions ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The dialect `glowir`, its buffer type, and the operations that no record of
// an instruction declares: func, alloc, dealloc and copy. They are declared in
// defs/Structure.td.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IR_STRUCTURE_H
#define GLOW_IR_STRUCTURE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "glow/IR/Dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "glow/IR/StructureTypes.h.inc"

namespace glow::ir {

/// Registers instructions for every dialect that is created from now on.
/// Generated code and plug-ins call it before a context exists.
void registerInstrOps(void (*add)(GlowIRDialect &));

/// The access of a program to a binding.
enum class BindingKind : uint8_t {
  Constant, ///< read only
  Mutable,  ///< read with its initial value, and written
  Output    ///< written before any read
};

/// Bytes of one element: 1 for a bool, those of the storage for a quantised
/// element. 0 if buffers cannot hold the type.
uint64_t elementBytes(mlir::Type element);

/// The type in the text of a function: `float<8 x 28 x 1>`, or
/// `i8<S:1.000000e-01 O:3, 8 x 16>`. A type without such a form is printed as
/// any other type.
std::string textOf(BufferType type);

/// The tensor type of a buffer; null for a null buffer.
inline mlir::Type tensorOf(mlir::Value buffer) {
  return buffer ? llvm::cast<BufferType>(buffer.getType()).getTensor()
                : mlir::Type();
}
llvm::SmallVector<mlir::Type> tensorsOf(mlir::ValueRange buffers);

} // namespace glow::ir

#define GET_OP_CLASSES
#include "glow/IR/Structure.h.inc"

#endif // GLOW_IR_STRUCTURE_H

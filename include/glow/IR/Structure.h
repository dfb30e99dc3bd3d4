//===- Structure.h - functions and buffers of instructions ------*- C++ -*-===//
//
// The dialect `glowir`, its buffer type, and the operations that are no
// instructions of their own: func, alloc, dealloc; and copy. They are declared
// in defs/Structure.td.
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

/// Adds instructions to every dialect that is made from now on. Generated code
/// and plug-ins call it before a context exists.
void registerInstrOps(void (*add)(GlowIRDialect &));

/// What a program may do with a binding.
enum class BindingKind : uint8_t {
  Constant, ///< reads it
  Mutable,  ///< reads the value it has when the program begins, and writes it
  Output    ///< writes it, before any read
};

/// The bytes of one element: one of a bool, those of the storage of a quantised
/// element. Zero if the type is no element of a buffer.
uint64_t elementBytes(mlir::Type element);

/// The type as it stands in the text of a function: `float<8 x 28 x 1>`,
/// `i8<S:1.000000e-01 O:3, 8 x 16>`, or as any type where there is no such
/// form.
std::string textOf(BufferType type);

/// The tensor that a buffer holds; null for none.
inline mlir::Type tensorOf(mlir::Value buffer) {
  return buffer ? llvm::cast<BufferType>(buffer.getType()).getTensor()
                : mlir::Type();
}
llvm::SmallVector<mlir::Type> tensorsOf(mlir::ValueRange buffers);

} // namespace glow::ir

#define GET_OP_CLASSES
#include "glow/IR/Structure.h.inc"

#endif // GLOW_IR_STRUCTURE_H

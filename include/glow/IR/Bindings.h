//===- Bindings.h - many bindings at once -----------------------*- C++ -*-===//

#ifndef GLOW_IR_BINDINGS_H
#define GLOW_IR_BINDINGS_H

#include "glow/IR/Structure.h"

namespace glow::ir {

/// A binding as FuncOp::addBinding takes it.
struct BindingDeclaration {
  mlir::Location location;
  BufferType type;
  BindingKind kind;
  llvm::StringRef storage;
};

/// Declares bindings at the end of a function: one by one, each would make a
/// list of all before it.
void addBindings(FuncOp function, llvm::ArrayRef<BindingDeclaration> bindings);

} // namespace glow::ir

#endif // GLOW_IR_BINDINGS_H

//===- Bindings.h - many bindings at once -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_BINDINGS_H
#define GLOW_IR_BINDINGS_H

#include "glow/IR/Structure.h"

namespace glow::ir {

/// The arguments of FuncOp::addBinding for one binding.
struct BindingDeclaration {
  mlir::Location location;
  BufferType type;
  BindingKind kind;
  llvm::StringRef storage;
};

/// Appends bindings to a function. Adding them one by one would copy the list
/// of earlier bindings each time.
void addBindings(FuncOp function, llvm::ArrayRef<BindingDeclaration> bindings);

} // namespace glow::ir

#endif // GLOW_IR_BINDINGS_H

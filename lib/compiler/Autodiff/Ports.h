//===- Ports.h - storage that the passes of training add --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_PORTS_H
#define GLOW_COMPILER_AUTODIFF_PORTS_H

#include "glow/Graph/Dialect.h"

namespace glow {

/// Whether the elements of a type may change by small steps: f32 or f64.
bool isTrainableType(mlir::Type type);

/// The words of an option, for messages.
std::string listOf(llvm::ArrayRef<const char *> words);

/// Adds an input, and a read of it at the builder's insertion point. Null after
/// an error: the module has storage of that name.
mlir::Value addInput(mlir::OpBuilder &builder, FuncOp function,
                     llvm::StringRef name, mlir::Type type);

/// Adds an output, and a save of the value at the end of the function. Null
/// after an error: the module has storage of that name.
PlaceholderOp addOutput(FuncOp function, llvm::StringRef name,
                        mlir::Value value);

/// The output with this name of a run; null without one.
PlaceholderOp findOutput(mlir::ModuleOp module, llvm::StringRef name);

/// The only function that saves an output, and the save. Null after an error.
SaveOp saveOf(PlaceholderOp output);

/// Erases an output and its save.
void eraseOutput(PlaceholderOp output);

/// Erases the nodes and reads of a block that nothing uses.
void eraseUnused(mlir::Block &block);

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_PORTS_H

//===- NewFunction.h - a called function that is being built --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_NEWFUNCTION_H
#define GLOW_COMPILER_AUTODIFF_NEWFUNCTION_H

#include "Backward.h"
#include "mlir/IR/Builders.h"

namespace glow {

/// A parameter of a function, and the value that a call gives it.
struct Parameter {
  mlir::FlatSymbolRefAttr port;
  mlir::Value inside, outside;

  bool isRead() const { return !inside.use_empty(); }
};

/// A called function that is being built.
class NewFunction {
public:
  /// Adds an empty function behind all others. Its name is that of `source`,
  /// and `suffix`.
  NewFunction(mlir::SymbolTable &symbols, FuncOp source,
              llvm::StringRef suffix);

  /// Adds storage for a parameter, and a read of it.
  Parameter take(llvm::StringRef name, mlir::Type type,
                 mlir::Value outside = {});
  /// Adds the parameters of `source`, without values outside.
  llvm::SmallVector<Parameter> takeAllOf(FuncOp source);
  /// Saves a value as the next result.
  void give(llvm::StringRef name, mlir::Value value);

  /// Clones the nodes of `source` on values of its parameters, and builds the
  /// gradients of those which `isSource` marks. `ofResults` are the gradients
  /// of its results, null where there is none. Returns a gradient for each
  /// parameter, null where none flows. Fails after an error.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  differentiate(const BackwardPass &outer, mlir::Operation *call, FuncOp source,
                llvm::ArrayRef<Parameter> parameters,
                const llvm::BitVector &isSource,
                llvm::ArrayRef<mlir::Value> ofResults);

  /// Erases nodes that nothing uses; reads of parameters stay.
  void sweep();
  /// Ends the function, which has these parameters; others must not be read.
  void finish(llvm::ArrayRef<Parameter> parameters);
  /// Erases the function.
  void erase();

  mlir::FlatSymbolRefAttr name() {
    return mlir::FlatSymbolRefAttr::get(function.getSymNameAttr());
  }

  FuncOp function;
  mlir::OpBuilder builder; ///< at the end of the function

private:
  mlir::FlatSymbolRefAttr addPort(llvm::StringRef name, mlir::Type type);

  mlir::SymbolTable &symbols;
  llvm::SmallVector<mlir::Attribute> ports, gives;
  mlir::Operation *lastRead = nullptr;
};

/// The last word of the name of a port of a function, for other functions.
llvm::StringRef wordOf(mlir::Attribute port, FuncOp function);

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_NEWFUNCTION_H

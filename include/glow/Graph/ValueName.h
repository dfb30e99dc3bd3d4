//===- ValueName.h - names that a model gives to values ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_VALUENAME_H
#define GLOW_GRAPH_VALUENAME_H

#include "mlir/IR/Operation.h"
#include <string>

namespace glow {

/// The name that the model gives to a result, which may differ from that of the
/// node. Empty if the model has none: results that an operator has in between,
/// and results in a module from text.
llvm::StringRef valueNameOf(mlir::OpResult result);

/// Puts the name of a result into the location of its node, whose own name
/// stays (`nameIn`). Bytecode has the names, text has not.
void setValueName(mlir::OpResult result, llvm::StringRef name);

} // namespace glow

#endif // GLOW_GRAPH_VALUENAME_H

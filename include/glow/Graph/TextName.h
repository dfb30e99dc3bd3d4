//===- TextName.h - names in text and of values -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_TEXTNAME_H
#define GLOW_GRAPH_TEXTNAME_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace glow {

/// Turns a name into one that the parser reads back unchanged: only digits, or
/// letters, digits and `_$.-` without a leading digit. Any other character
/// becomes `_`.
std::string textName(llvm::StringRef name);

/// The name that the model gives to a result, which may differ from that of the
/// node. Empty if the model has none: results that an operator has in between,
/// and results in a module from text.
llvm::StringRef valueNameOf(mlir::OpResult result);

/// Puts the name of a result into the location of its node, whose own name
/// stays (`nameIn`). Bytecode has the names, text has not.
void setValueName(mlir::OpResult result, llvm::StringRef name);

} // namespace glow

#endif // GLOW_GRAPH_TEXTNAME_H

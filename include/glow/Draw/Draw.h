//===- Draw.h - a drawing of a graph ----------------------------*- C++ -*-===//

#ifndef GLOW_DRAW_DRAW_H
#define GLOW_DRAW_DRAW_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace glow {

/// Prints a module of nodes for Graphviz: a box for each node with its name, an
/// ellipse for each storage, and the types of values on the arrows.
void printDot(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace glow

#endif // GLOW_DRAW_DRAW_H

//===- Draw.h - a drawing of a model ----------------------------*- C++ -*-===//

#ifndef GLOW_DRAW_DRAW_H
#define GLOW_DRAW_DRAW_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>

namespace glow {

/// Prints a module of nodes or of instructions for Graphviz: a box for each,
/// with its name, its kind, what it makes and the weights that it reads; an
/// ellipse for each input and output. Boxes have the colours of their records'
/// families, or of the devices that run them where functions name such, or,
/// where there are `times` of some by their names, the darker the
/// longer they take.
void printDot(mlir::ModuleOp module, llvm::raw_ostream &os,
              const std::map<std::string, double> &times = {});

} // namespace glow

#endif // GLOW_DRAW_DRAW_H

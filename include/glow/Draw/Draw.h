//===- Draw.h - a drawing of a model ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRAW_DRAW_H
#define GLOW_DRAW_DRAW_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>

namespace glow {

/// Prints a module of nodes or instructions for Graphviz. An operation becomes
/// a box with its name, kind, results and weights; an input or output becomes
/// an ellipse. Boxes have the colours of their records' families, or of their
/// devices if functions name devices. With `times`, by name, a box is darker
/// the longer it takes.
void printDot(mlir::ModuleOp module, llvm::raw_ostream &os,
              const std::map<std::string, double> &times = {});

} // namespace glow

#endif // GLOW_DRAW_DRAW_H

//===- Passes.h - rewrites of the graph for this backend ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_GRAPH_PASSES_H
#define GLOW_BACKENDS_CPU_GRAPH_PASSES_H

#include "glow/Graph/Dialect.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/IR/Structure.h"
#include "mlir/Pass/Pass.h"

namespace glow::cpu {

#define GEN_PASS_DECL
#include "glow/Cpu/Passes.h.inc"

/// Copies the mark halfFactors to the product that replaces `from`.
inline void keepMark(mlir::Operation *from, mlir::Value made) {
  if (mlir::Attribute mark = from->getAttr(halfFactors))
    made.getDefiningOp()->setAttr(halfFactors, mark);
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_PASSES_H

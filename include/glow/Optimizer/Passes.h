//===- Passes.h - passes on nodes -----------------------------*- C++ -*-===//

#ifndef GLOW_OPTIMIZER_PASSES_H
#define GLOW_OPTIMIZER_PASSES_H

#include "glow/Graph/Dialect.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL_CHECKGRAPH
#define GEN_PASS_DECL_EXPANDQUANTIZED
#define GEN_PASS_DECL_FOLDCONSTANTS
#define GEN_PASS_DECL_SIMPLIFYGRAPH
#define GEN_PASS_DECL_MOVETRANSPOSES
#define GEN_PASS_DECL_SINKRESHAPES
#include "glow/Graph/Passes.h.inc"

} // namespace glow

#endif // GLOW_OPTIMIZER_PASSES_H

//===- Passes.h - passes on instructions ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Passes from defs/passes/IROptimizer.td. Each works on one `glowir.func`.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IROPTIMIZER_PASSES_H
#define GLOW_IROPTIMIZER_PASSES_H

#include "glow/IR/Structure.h"
#include "mlir/Pass/Pass.h"

namespace glow::ir {

#define GEN_PASS_DECL
#include "glow/IROptimizer/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/IROptimizer/Passes.h.inc"

} // namespace glow::ir

#endif // GLOW_IROPTIMIZER_PASSES_H

//===- Passes.h - passes on nodes -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_OPTIMIZER_PASSES_H
#define GLOW_OPTIMIZER_PASSES_H

#include "glow/Graph/Dialect.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <utility>
#include <vector>

namespace glow {

#define GEN_PASS_DECL
#include "glow/Optimizer/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Optimizer/Passes.h.inc"

/// The bindings of a run: names of placeholders and their stored types, in
/// order.
using Signature =
    std::vector<std::pair<mlir::StringAttr, mlir::RankedTensorType>>;

/// Verifies the graph, and that its placeholders match `signature`. The first
/// of the passes that share `signature` fills it.
std::unique_ptr<mlir::Pass>
createCheckGraph(std::shared_ptr<Signature> signature);

} // namespace glow

#endif // GLOW_OPTIMIZER_PASSES_H

//===- Passes.h - passes of phase partition ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PARTITION_PASSES_H
#define GLOW_PARTITION_PASSES_H

#include "glow/Graph/Dialect.h"
#include "glow/Partition/NodeCosts.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL
#include "glow/Partition/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Partition/Passes.h.inc"

/// Creates the pass for a request, with known costs.
std::unique_ptr<mlir::Pass>
createPartitionGraph(PartitionRequest request,
                     std::shared_ptr<NodeCosts> costs);

} // namespace glow

#endif // GLOW_PARTITION_PASSES_H

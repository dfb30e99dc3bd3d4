//===- Passes.h - passes that quantize nodes --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_PASSES_H
#define GLOW_QUANTIZATION_PASSES_H

#include "glow/Graph/Dialect.h"
#include "glow/Quantization/GraphQuantization.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL
#include "glow/Quantization/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Quantization/Passes.h.inc"

/// The pass quantize-graph, which performs a request and fills in its results.
std::unique_ptr<mlir::Pass>
createQuantizeGraph(std::shared_ptr<GraphQuantization> request);

} // namespace glow

#endif // GLOW_QUANTIZATION_PASSES_H

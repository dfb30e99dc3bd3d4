//===- Passes.h - passes that make a training step ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_AUTODIFF_PASSES_H
#define GLOW_AUTODIFF_PASSES_H

#include "glow/Graph/Dialect.h"
#include "glow/Program/Training.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace glow {

#define GEN_PASS_DECL
#include "glow/Autodiff/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Autodiff/Passes.h.inc"

/// Adds the passes that turn an imported model into a step of training, or into
/// the evaluation of one.
void addTrainingPasses(mlir::OpPassManager &passes,
                       const TrainingRequest &request);

} // namespace glow

#endif // GLOW_AUTODIFF_PASSES_H

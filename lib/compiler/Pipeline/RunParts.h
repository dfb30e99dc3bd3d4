//===- RunParts.h - the phases behind a division by backends ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PIPELINE_RUNPARTS_H
#define GLOW_LIB_PIPELINE_RUNPARTS_H

#include "mlir/Pass/Pass.h"
#include <functional>

namespace glow {

/// Adds the phases from lowering on, for one backend.
using AddPhases =
    std::function<void(mlir::OpPassManager &, llvm::StringRef backend)>;

/// Runs the phases of each function's backend on it. If there are several
/// functions, each gets a module of its own with the storage that it uses.
/// Storage that another function saves becomes an input of that module.
/// `backends` are those that may receive parts of the model, without their
/// fallbacks. A module without a backend runs on the first one.
std::unique_ptr<mlir::Pass> createLeadParts(std::vector<std::string> backends,
                                            AddPhases addPhases);

} // namespace glow

#endif // GLOW_LIB_PIPELINE_RUNPARTS_H

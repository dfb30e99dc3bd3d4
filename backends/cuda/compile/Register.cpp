//===- Register.cpp - this backend and its passes -------------------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace glow;
using namespace glow::cuda;

void CudaBackend::addFusionPasses(mlir::OpPassManager &passes,
                                  const CodeOptions &) const {
  passes.addPass(mlir::createCSEPass());
}

static const CudaBackend backend;
[[maybe_unused]] static const bool registered =
    (registerBackend(backend), true);

//===- Register.cpp - this backend and its passes -------------------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "common/Target.h"
#include "glow/Optimizer/Passes.h"
#include "graph/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace glow;
using namespace glow::cpu;

namespace glow::cpu {
#define GEN_PASS_REGISTRATION
#include "glow/Cpu/Passes.h.inc"
} // namespace glow::cpu

/// Folds constants. A broadcast tensor is not materialised: a formula
/// broadcasts it while it reads.
static void foldConstants(mlir::OpPassManager &passes, bool widen = false) {
  FoldConstantsOptions small;
  small.limit = 64;
  small.widen = widen;
  passes.addPass(createFoldConstants(small));
}

void CpuBackend::addGraphPasses(mlir::OpPassManager &passes,
                                const CodeOptions &options) const {
  // Options without a possible target are refused later, when code is made.
  if (!options.settings.empty())
    if (Result<Target> target = Target::create(options);
        target && target->lanes == 1)
      passes.addPass(createCpuMarkScalar());
  passes.addPass(createCpuWidenHalves());
  // Kernels take weights as f32: quantised and narrow weights are widened.
  foldConstants(passes, /*widen=*/true);
  passes.addPass(createCpuAssignLayout());
  // Constants may have been put into blocks: the result is folded.
  foldConstants(passes);
}

void CpuBackend::addFusionPasses(mlir::OpPassManager &passes,
                                 const CodeOptions &) const {
  passes.addPass(createCpuFuse());
  passes.addPass(mlir::createCSEPass());
  foldConstants(passes);
  passes.addPass(createSimplifyGraph());
}

static const CpuBackend backend;
[[maybe_unused]] static const bool registered = [] {
  registerBackend(backend);
  registerGlowCpuPasses();
  return true;
}();

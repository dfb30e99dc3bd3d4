//===- Register.cpp - dialects, passes and backends of this build ---------===//
// SPDX-License-Identifier: MIT

#include "glow/Autodiff/Passes.h"
#include "glow/IRGen/IRGen.h"
#include "glow/IROptimizer/Passes.h"
#include "glow/Lowering/Passes.h"
#include "glow/Memory/Passes.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Partition/Passes.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Predication/Passes.h"
#include "glow/Quantization/Passes.h"
#include "glow/Scans/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

void glow::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<GlowDialect, ir::GlowIRDialect, mlir::quant::QuantDialect,
                  mlir::func::FuncDialect>();
  // Instructions use the attributes of nodes. A dependent dialect would be
  // loaded too early for the dialects that are attached to it, which load this
  // one.
  registry.addExtension(+[](mlir::MLIRContext *context, ir::GlowIRDialect *) {
    context->getOrLoadDialect<GlowDialect>();
  });
  addAttachments(registry);
}

void glow::registerPasses() {
  registerGlowOptimizerPasses();
  registerGlowPredicationPasses();
  registerGlowScansPasses();
  registerGlowAutodiffPasses();
  registerGlowQuantizationPasses();
  registerGlowPartitionPasses();
  registerGlowLoweringPasses();
  registerGlowIRGenPasses();
  ir::registerGlowIROptimizerPasses();
  ir::registerGlowMemoryPasses();
}

//===- Passes.td - rewrites of the graph for this backend -----------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_CPU_PASSES
#define GLOW_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CpuWidenHalves : Pass<"cpu-widen-halves", "::mlir::ModuleOp"> {
  let summary = "compute in f32 what a model computes in f16 or bf16";
}

def CpuMarkScalar : Pass<"cpu-mark-scalar", "::mlir::ModuleOp"> {
  let summary = "have the code be for a processor without registers of vectors";
}

def CpuAssignLayout : Pass<"cpu-assign-layout", "::mlir::ModuleOp"> {
  let summary = "keep images of convolutions in blocks of 16 channels";
}

def CpuFuse : Pass<"cpu-fuse", "::mlir::ModuleOp"> {
  let summary = "fuse elementwise nodes, with each other and as epilogues of "
                "what makes their operand";
  let dependentDialects = ["::glow::ir::GlowIRDialect"];
}

#endif // GLOW_CPU_PASSES

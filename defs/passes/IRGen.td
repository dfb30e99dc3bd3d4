//===- IRGen.td - passes from nodes to instructions ----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_IRGEN
#define GLOW_PASSES_IRGEN

include "mlir/Pass/PassBase.td"

def GenerateInstrs : Pass<"generate-instrs", "::mlir::ModuleOp"> {
  let summary = "turn nodes into instructions on buffers";
  let dependentDialects = ["::glow::ir::GlowIRDialect"];
}

def CheckBindings : Pass<"check-bindings", "::mlir::ModuleOp"> {
  let summary = "check that bindings are storage of their type and role";
}

def CheckElements : Pass<"check-elements", "::mlir::ModuleOp"> {
  let summary = "check that no instruction is on quantised elements";
}

#endif // GLOW_PASSES_IRGEN

//===- IROptimizer.td - passes on instructions ----------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_IROPTIMIZER
#define GLOW_PASSES_IROPTIMIZER

include "mlir/Pass/PassBase.td"

def VerifyOrder : Pass<"verify-order", "::glow::ir::FuncOp"> {
  let summary = "check that every read follows a write, and each buffer ends once";
  let description = [{
    Fails if an instruction reads a buffer or an output that none has written,
    touches a buffer after its dealloc, or writes what it reads where its record
    does not say that it may; if a buffer has no dealloc or more than one; if an
    output is never written.
  }];
}

def EliminateCopies : Pass<"eliminate-copies", "::glow::ir::FuncOp"> {
  let summary = "let instructions read the source of a copy, or write its target";
}

def EliminateDeadStores : Pass<"eliminate-dead-stores", "::glow::ir::FuncOp"> {
  let summary = "remove instructions whose results nothing reads";
}

def ShareBuffers : Pass<"share-buffers", "::glow::ir::FuncOp"> {
  let summary = "let instructions write over an input that they are the last to read";
}

def ShrinkLifetimes : Pass<"shrink-lifetimes", "::glow::ir::FuncOp"> {
  let summary = "put alloc before the first use of a buffer, dealloc after the last";
}

def UpdateStates : Pass<"update-states", "::mlir::ModuleOp"> {
  let summary = "compute the next value of a state in its own buffer";
}

#endif // GLOW_PASSES_IROPTIMIZER

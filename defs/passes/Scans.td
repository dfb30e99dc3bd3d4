//===- Scans.td - loops that become index notation -----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_SCANS
#define GLOW_PASSES_SCANS

include "mlir/Pass/PassBase.td"

def ComposeScans : Pass<"compose-scans", "::mlir::ModuleOp"> {
  let summary = "make loops of index notation one node each";
  let description = [{
    A `loop` with a known number of trips, whose function consists of nodes with index notation
    on f32, becomes a `scan`: the statements of these nodes run step by step. A node that
    computes an element from elements is a part of the statement that reads it, so that its
    result has no memory. A loop with a larger product stays: code for products is faster.
  }];
  let options = [
    ListOption<"backends", "backends", "std::string",
               "backends that run the module; empty for any">];
}

#endif // GLOW_PASSES_SCANS

//===- Predication.td - passes that leave rows out -----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_PREDICATION
#define GLOW_PASSES_PREDICATION

include "mlir/Pass/PassBase.td"

def PredicateRows : Pass<"predicate-rows", "::mlir::ModuleOp"> {
  let summary = "compute the rows alone that a select takes";
  let description = [{
    A `select` whose condition has one value for each row, along axis 0, is a predicate: its
    second operand is needed in the rows where the condition holds, and its third one in the
    others. Nodes whose rows depend on the same rows of their operands, and that nothing else
    reads, run on the needed rows: these are gathered, and their results are written over the
    rows of the other operand. The number of rows is a size that the run computes.

    Rows are left out where products take most of the time, so that it exceeds that of moving
    rows.
  }];
}

#endif // GLOW_PASSES_PREDICATION

//===- Graph.td - passes on nodes -----------------------------------------===//

#ifndef GLOW_PASSES_GRAPH
#define GLOW_PASSES_GRAPH

include "mlir/Pass/PassBase.td"

def CheckGraph : Pass<"check-graph", "::mlir::ModuleOp"> {
  let summary = "check that reads and saves name storage of their type";
}

def CheckTensorMemory : Pass<"check-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "check that storage, and each value with it, is within a limit";
  let options = [Option<"limit", "limit", "uint64_t", "0",
                        "of all tensors, in bytes; 0 is the machine's">];
}

def ExpandQuantized : Pass<"expand-quantized", "::mlir::ModuleOp"> {
  let summary = "let nodes compute with the numbers that quantised elements stand for";
}

def FoldConstants : Pass<"fold-constants", "::mlir::ModuleOp"> {
  let summary = "compute nodes whose operands are all known";
  let options = [Option<"limit", "limit", "int64_t", "16777216",
                        "the largest result to keep, in bytes">,
                 Option<"widen", "widen", "bool", "false",
                        "measure in elements instead, so that numbers may become wider">];
}

def SimplifyGraph : Pass<"simplify-graph", "::mlir::ModuleOp"> {
  let summary = "apply the folds of the records and remove dead nodes";
}

def MoveTransposes : Pass<"move-transposes", "::mlir::ModuleOp"> {
  let summary = "run nodes in another order of axes where that needs fewer transposes";
}

def SinkReshapes : Pass<"sink-reshapes", "::mlir::ModuleOp"> {
  let summary = "put reshapes behind pointwise nodes";
}

def PartitionGraph : Pass<"partition-graph", "::mlir::ModuleOp"> {
  let summary = "cut functions into one a device, the largest as small as can be";
  let options = [Option<"devices", "devices", "int64_t", "1",
                        "how many devices there are">];
}

def CheckPartition : Pass<"check-partition", "::mlir::ModuleOp"> {
  let summary = "check that functions run in order, each in the memory of its device";
  let options = [Option<"memory", "memory", "uint64_t", "0",
                        "of each device, in bytes; 0 is without limit">];
}

def LowerForBackend : Pass<"lower-for-backend", "::mlir::ModuleOp"> {
  let summary = "rewrite nodes until the backend runs every one of them";
  let options = [Option<"backend", "backend", "std::string",
                        "\"interpreter\"", "name of the backend">];
}

def GenerateInstrs : Pass<"generate-instrs", "::mlir::ModuleOp"> {
  let summary = "turn nodes into instructions on buffers";
  let dependentDialects = ["::glow::ir::GlowIRDialect"];
}

def CheckWeights : Pass<"check-weights", "::mlir::ModuleOp"> {
  let summary = "check that weights are storage of their type and role";
}

def CheckElements : Pass<"check-elements", "::mlir::ModuleOp"> {
  let summary = "check that no instruction is on quantised elements";
}

#endif // GLOW_PASSES_GRAPH

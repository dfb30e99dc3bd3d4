//===- Optimizer.td - passes that better a graph -------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_OPTIMIZER
#define GLOW_PASSES_OPTIMIZER

include "mlir/Pass/PassBase.td"

def AppendStates : Pass<"append-states", "::mlir::ModuleOp"> {
  let summary = "store states that grow with the axis first along which they do";
  let options = [ListOption<"given", "given", "std::string", "pairs INPUT=OUTPUT">,
                 Option<"recognises", "recognises", "bool", "false",
                        "pairs whose names suggest it, too">];
}

def CheckGraph : Pass<"check-graph", "::mlir::ModuleOp"> {
  let summary = "check that reads and saves name storage of their type";
}

def CheckTensorMemory : Pass<"check-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "check that storage, and each value with it, is within a limit";
  let options = [Option<"limit", "limit", "uint64_t", "0",
                        "of all tensors, in bytes; 0 is the machine's">];
}

def ChooseProgram : Pass<"choose-program", "::mlir::ModuleOp"> {
  let summary = "leave one function of a module whose functions are programs";
  let options = [Option<"name", "name", "std::string", "\"\"",
                        "of the function; default: the only one">];
}

def ExpandQuantized : Pass<"expand-quantized", "::mlir::ModuleOp"> {
  let summary = "let nodes compute with the numbers that quantised elements stand for";
}

def FoldConstants : Pass<"fold-constants", "::mlir::ModuleOp"> {
  let summary = "compute nodes whose operands are all known";
  let options = [Option<"limit", "limit", "int64_t", "16777216",
                        "the largest result to keep, in bytes">,
                 Option<"widen", "widen", "bool", "false",
                        "measure in elements instead, so that numbers may become wider">,
                 Option<"marks", "marks", "bool", "false",
                        "mark what stays, so that it does after lowering as well">,
                 Option<"lowered", "lowered", "bool", "false",
                        "compute what rules made, however large, unless it only repeats elements">,
                 Option<"keepMarks", "keep-marks", "bool", "false",
                        "leave the marks with `lowered`: nodes are lowered once more">];
}

def UnifyConstants : Pass<"unify-constants", "::mlir::ModuleOp"> {
  let summary = "let equal constants be one";
}

def SimplifyControlFlow : Pass<"simplify-control-flow", "::mlir::ModuleOp"> {
  let summary = "inline known branches and short loops, and move nodes out of loops";
}

def SimplifyGraph : Pass<"simplify-graph", "::mlir::ModuleOp"> {
  let summary = "apply the rewrites of the records and remove dead nodes";
  let options = [
    Option<"backend", "backend", "std::string", "\"\"", "whose own rewrites apply as well">,
    Option<"beforeFolding", "before-folding", "bool", "false",
           "only those that see nodes on constants">,
    Option<"raising", "raising", "bool", "false", "those, too, that make nodes which are lowered">,
    ListOption<"runs", "runs", "std::string",
               "those, too, that need one of these nodes, which the backend runs">];
}

def TabulateBytes : Pass<"tabulate-bytes", "::mlir::ModuleOp"> {
  let summary = "make tables of functions of a byte that give bytes";
}

def MoveTransposes : Pass<"move-transposes", "::mlir::ModuleOp"> {
  let summary = "run nodes in another order of axes where that needs fewer transposes";
}

def SinkReshapes : Pass<"sink-reshapes", "::mlir::ModuleOp"> {
  let summary = "put reshapes behind pointwise nodes";
}

def RaiseSlices : Pass<"raise-slices", "::mlir::ModuleOp"> {
  let summary = "put slices before the nodes that make what is sliced, which compute fewer "
                "elements then";
}

#endif // GLOW_PASSES_OPTIMIZER

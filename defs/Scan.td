//===- Scan.td - index notation that a module has as text -----------------===//
// SPDX-License-Identifier: MIT
//
// Statements that no record has: compose-scans makes them of loops. Headers of their own
// (Graph/Scan.h, IR/Scan.h) have the classes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SCAN
#define GLOW_SCAN

include "glow/Structure.td"

def Glow_ScanOp : Op<Glow_Dialect, "scan", [Pure, KeepsNames]> {
  let summary = "statements of index notation, which may run step by step";
  let description = [{
    `loops` is one program in the language of glow/Loops/Text.h. Its first tensors are the
    results, its last ones are the operands, and those between are memory of the node. A result
    `jumps` where an operand changes a little if the program has a step function.

    ```
    %sums = glow.scan "loops in f32 { tensor y: f32[8,4] tensor x: f32[8,4] scan t < 8 from 0 {
        for i in 4 { y[t,i] = x[t,i] + if(t == 0, 0.0, y[t - 1,i]) } } }" (%x)
        : (tensor<8x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$loops, Variadic<GlowTensor>:$inputs, UnitAttr:$jumps);
  let results = (outs Variadic<GlowTensor>:$values);
  let assemblyFormat = [{
    $loops `(` $inputs `)` (`jumps` $jumps^)? attr-dict `:` functional-type($inputs, $values)
  }];
}

// The program in `loops` has the buffers as its tensors, in their order.
def ScanInstr : ControlFlowInstr<"scan",
    (ins ManyOut:$values, ManyOut:$memory, ManyIn:$inputs, StrAttr:$loops)> {
  let summary = "runs statements of index notation, as the node of its name";
}

#endif // GLOW_SCAN

//===- ControlFlow.td - nodes that call functions -------------------------===//
// SPDX-License-Identifier: MIT
//
// The results of a branch or loop are those of functions of the module, so that their types
// follow from these, and from no signature. Every pass on functions runs on called ones too.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CONTROLFLOW
#define GLOW_CONTROLFLOW

include "glow/Base.td"
include "mlir/IR/SymbolInterfaces.td"

class ControlFlowOp<string mnemonic>
    : Op<Glow_Dialect, mnemonic, [Pure, KeepsNames, AttrSizedOperandSegments,
                                  DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let results = (outs Variadic<GlowTensor>:$values);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Glow_IfOp : ControlFlowOp<"if"> {
  let summary = "the results of one of two functions";
  let description = [{
    `then` runs on `captured` if `condition`, a bool[], is true, else `otherwise` runs on `others`.
    The other function does not run.

    ```
    %y = glow.if %c then @f(%x) else @g(%x, %z) : (...) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins GlowTensor:$condition, Variadic<GlowTensor>:$captured,
                       Variadic<GlowTensor>:$others, FlatSymbolRefAttr:$then,
                       FlatSymbolRefAttr:$otherwise);
}

def Glow_LoopOp : ControlFlowOp<"loop"> {
  let summary = "the results of a function that runs once for each trip";
  let description = [{
    The function takes the number of the trip, an i64[], then the carried values, one slice of
    each `sliced` tensor along axis 0, and the captured values. It gives the next carried values,
    and the slices that are stacked along a new axis 0. A bool[] may come first: whether another
    trip follows.

    There are as many trips as `trips`, an i64[], and `count` allow, none if one is negative.
    `count` is the size of axis 0 of all sliced and stacked tensors. No trip is done if
    `condition`, a bool[], is false. If the loop is `checked`, a run fails where another trip
    follows the last one that `count` allows. `backwards` has a number for each sliced, then for
    each stacked tensor: 1 if the first trip has the last slice of the trips that `trips` and
    `count` allow.

    Results are the last carried values (the initial ones without a trip), the stacked tensors,
    and the number of trips that were done, an i64[]. Slices of later trips are undefined.

    ```
    %sum, %sums, %n = glow.loop @step while %c carries(%x) slices(%xs) captures() count [8]
        : (...) -> (tensor<4xf32>, tensor<8x4xf32>, tensor<i64>)
    ```
  }];
  let arguments = (ins Optional<GlowTensor>:$trips, Optional<GlowTensor>:$condition,
                       Variadic<GlowTensor>:$initial, Variadic<GlowTensor>:$sliced,
                       Variadic<GlowTensor>:$captured, FlatSymbolRefAttr:$body,
                       OptionalAttr<AnyAttr>:$count, UnitAttr:$checked,
                       OptionalAttr<DenseI64ArrayAttr>:$backwards);
  let extraClassDeclaration = [{
    size_t carriedCount() { return getInitial().size(); }
    size_t stackedCount() { return getNumResults() - 1 - carriedCount(); }
    /// The number of the operand that is the first carried value, if there is one.
    unsigned firstCarried() { return getODSOperandIndexAndLength(2).first; }
    /// Whether the function of the loop gives first whether another trip follows.
    bool givesGoing(FuncOp function) {
      return function.getGivesAttr().size() == getNumResults();
    }
    /// Whether fewer trips than `count` may be done.
    bool mayEndEarly(FuncOp function) {
      return getTrips() || getCondition() || givesGoing(function);
    }
    /// Whether the tensor `index`, of sliced and then stacked ones, begins at its end.
    bool isBackwards(size_t index) {
      return getBackwards() && (*getBackwards())[index] != 0;
    }
  }];
}

#endif // GLOW_CONTROLFLOW

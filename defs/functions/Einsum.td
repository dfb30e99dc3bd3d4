//===- Einsum.td - Einstein's notation ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// The functions' C++ is in lib/compiler/Graph/Einsum.cpp, which documents
// how an axis is encoded as a number.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_EINSUM
#define GLOW_FUNCTIONS_EINSUM

include "glow/Functions.td"

let declare = 1 in {
// Whether an equation fits operands of these ranks.
def : Function<"einsumFits", ["text", "ints"], "bool">;
// The axes of an operand of these ranks; an index behind the last operand gives
// those of the result.
def : Function<"einsumAxes", ["text", "ints", "int"], "ints">;
// The positions of axes of an operand that are 1 long where another operand has another
// size: the operand is repeated along them. Arguments: equation, ranks, sizes of all
// operands one after the other, number of the operand.
def : Function<"einsumRepeated", ["text", "ints", "ints", "int"], "ints">;
}

#endif // GLOW_FUNCTIONS_EINSUM

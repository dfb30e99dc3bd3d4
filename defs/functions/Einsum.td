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
def : Function<"einsumFits", ["text", "ints"], "bool",
               "whether an equation fits operands of these ranks">;
// The axes of an operand of these ranks; an index behind the last operand gives
// those of the result.
def : Function<"einsumAxes", ["text", "ints", "int"], "ints",
               "the axes of an operand: equation, ranks, index of the operand; behind the last "
               "operand those of the result">;
// The positions of axes of an operand that are 1 long where another operand has another
// size: the operand is repeated along them. Arguments: equation, ranks, sizes of all
// operands one after the other, number of the operand.
def : Function<"einsumRepeated", ["text", "ints", "ints", "int"], "ints",
               "the axes along which an operand is repeated: equation, ranks, sizes of all "
               "operands, index of the operand">;
}

#endif // GLOW_FUNCTIONS_EINSUM

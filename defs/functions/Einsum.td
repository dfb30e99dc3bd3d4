//===- Einsum.td - Einstein's notation ------------------------------------===//
//
// Their C++ is in lib/compiler/Importer/Einsum.cpp, which says how an axis is a
// number.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_EINSUM
#define GLOW_FUNCTIONS_EINSUM

include "glow/Functions.td"

let declare = 1 in {
// Whether an equation can be one of operands of these ranks.
def : Function<"einsumFits", ["text", "ints"], "bool">;
// The axes of an operand of these ranks, or, behind the last, of the result.
def : Function<"einsumAxes", ["text", "ints", "int"], "ints">;
// The places of axes of an operand that are 1 long where another operand has another
// size: it is repeated along them. Equation, ranks, sizes of all operands one after the
// other, which operand.
def : Function<"einsumRepeated", ["text", "ints", "ints", "int"], "ints">;
}

#endif // GLOW_FUNCTIONS_EINSUM

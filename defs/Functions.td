//===- Functions.td - the functions of the expression language ------------===//
// SPDX-License-Identifier: MIT
//
// Their C++ is in include/glow/Base/Functions.h and Scalar.h.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS
#define GLOW_FUNCTIONS

include "glow/Base.td"

//===----------------------------------------------------------------------===//
// Functions of compile-time values
//===----------------------------------------------------------------------===//

// Numbers.
def : Function<"max", ["number", "number"], "number">;
def : Function<"min", ["number", "number"], "number">;
def : Function<"abs", ["number"], "number">;
def : Function<"int", ["number"], "int">;      // towards zero
def : Function<"real", ["number"], "real">;
def : Function<"floor", ["real"], "int">;
def : Function<"ceil", ["real"], "int">;
def : Function<"sqrt", ["real"], "real">;
def : Function<"log", ["real"], "real">;
def : Function<"exp", ["real"], "real">;
def : Function<"power", ["real", "real"], "real">;
def : Function<"isNan", ["real"], "bool">;
def : Function<"stepsUntil", ["int", "int", "int"], "int">; // from, end (exclusive), step

// Lists of integers.
def : Function<"size", ["ints"], "int">;
def : Function<"length", ["reals"], "int">;
def : Function<"prod", ["ints"], "int">;
def : Function<"sum", ["ints"], "int">;
def : Function<"repeat", ["int", "int"], "ints">;   // value, how often
def : Function<"range", ["int", "int"], "ints">;    // from, to (exclusive)
def : Function<"at", ["ints", "int"], "int">;       // the element, or 0 outside
def : Function<"take", ["ints", "int"], "ints">;    // the first so many
def : Function<"drop", ["ints", "int"], "ints">;    // all but the first so many
def : Function<"set", ["ints", "int", "int"], "ints">;    // list, index, value
def : Function<"pick", ["ints", "ints"], "ints">;   // the elements at indices
def : Function<"common", ["ints", "ints"], "ints">;    // the elements that are in the second
def : Function<"excluding", ["ints", "ints"], "ints">; // those that are not
def : Function<"unique", ["ints"], "ints">;         // each value once, where it is first
def : Function<"indicesOf", ["ints", "ints"], "ints">; // values, the list that they are in
def : Function<"nonzeros", ["ints"], "ints">;       // the indices of elements that are not 0
def : Function<"contains", ["ints", "int"], "bool">;
def : Function<"allAtLeast", ["ints", "int"], "bool">;
def : Function<"allBelow", ["ints", "int"], "bool">;
def : Function<"distinct", ["ints"], "bool">;

// Functions on a list of activations ("tanh, hard_sigmoid 0.2 0.5"): a name, and one
// of its values.
def : Function<"activationName", ["text", "int"], "text">;
def : Function<"activationValue", ["text", "int", "int"], "real">;


// Functions on an index of a tensor, in index notation.
def : Function<"shift", ["ints", "int", "int"], "ints">; // adds along an axis
def : Function<"reflect", ["ints", "ints"], "ints">;     // index, sizes
def : Function<"clampIndex", ["ints", "ints"], "ints">;  // index, sizes

// Axes and shapes. A negative axis counts from the end.
def : Function<"wrapAxis", ["int", "int"], "int">;     // axis, rank
def : Function<"wrapAxes", ["ints", "int"], "ints">;
def : Function<"inverse", ["ints"], "ints">;           // of a permutation
def : Function<"compose", ["ints", "ints"], "ints">;   // first, then second
def : Function<"canBroadcast", ["ints", "ints"], "bool">;
def : Function<"broadcastShape", ["ints", "ints"], "ints">;
def : Function<"broadcastsTo", ["ints", "ints", "int"], "bool">;
def : Function<"keepsOrder", ["ints", "ints"], "bool">; // shape, permutation: only sizes of 1 move
def : Function<"unreduced", ["ints", "ints", "ints", "bool"], "ints">;
    // an index of that, one along axes, axes, whether they stay
def : Function<"exactQuotient", ["ints", "ints"], "ints">; // -1 where it is not whole

// Slices, from ONNX's bounds; negative ones count from the end.
def : Function<"sliceFits", ["ints", "ints", "ints", "ints"], "bool">;
    // shape, starts, steps, sizes

// Windows, from ONNX's attributes. `mode` is auto_pad; extents include the
// dilation.

// Sizes, from ONNX's scales.

// Element kinds.
def : Function<"isFloat", ["kind"], "bool">;
def : Function<"isBool", ["kind"], "bool">;
def : Function<"bitsOf", ["kind"], "int">;
def : Function<"largestOf", ["kind"], "real">; // finite, of a float kind
def : Function<"lowestOf", ["kind"], "real">; // that no element is below
def : Function<"areNormal", ["reals", "kind"], "bool">;
    // whether a kind holds numbers of these sizes in full
def : Function<"areFinite", ["reals", "kind"], "bool">; // whether it holds them at all
def : Function<"holdsAll", ["kind", "kind"], "bool">;
    // whether each value of the first is one of the second

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

let kinds = ["f32", "f64"] in {
def : ScalarFunction<"exp", 1, ["exp(a)"], 15> { let atZero = "1"; }
def : ScalarFunction<"expm1", 1, ["exp(a)"], 15> { let atZero = "0";
                                                  } // exp(a) - 1, also where a is small
def : ScalarFunction<"log", 1, ["1 / a"], 25>;
def : ScalarFunction<"log1p", 1, ["1 / (1 + a)"], 25>; // log(1 + a), also where a is small
def : ScalarFunction<"atan", 1, ["1 / (1 + a * a)"], 30>;
def : ScalarFunction<"tan", 1, ["1 + tan(a) * tan(a)"], 50>;
def : ScalarFunction<"asin", 1, ["1 / sqrt(1 - a * a)"], 30>;
def : ScalarFunction<"acos", 1, ["-1 / sqrt(1 - a * a)"], 30>;
def : ScalarFunction<"sinh", 1, ["cosh(a)"], 30>;
def : ScalarFunction<"cosh", 1, ["sinh(a)"], 30>;
def : ScalarFunction<"tanh", 1, ["1 - tanh(a) * tanh(a)"], 25>;
def : ScalarFunction<"asinh", 1, ["1 / sqrt(a * a + 1)"], 40>;
def : ScalarFunction<"acosh", 1, ["1 / sqrt(a * a - 1)"], 40>;
def : ScalarFunction<"atanh", 1, ["1 / (1 - a * a)"], 40>;
def : ScalarFunction<"erf", 1, ["1.1283791670955126 * exp(-(a * a))"], 25>;
// The probability that a normal variable is below a, precise also where it is
// small.
def : ScalarFunction<"normcdf", 1, ["0.3989422804014327 * exp(-0.5 * a * a)"], 45>;
def : ScalarFunction<"sin", 1, ["cos(a)"], 40>;
def : ScalarFunction<"cos", 1, ["-sin(a)"], 40>;
def : ScalarFunction<"sqrt", 1, ["0.5 / sqrt(a)"]>;
def : ScalarFunction<"floor", 1, ["0"]>;
def : ScalarFunction<"ceil", 1, ["0"]>;
def : ScalarFunction<"round", 1, ["0"]>; // halves to even
def : ScalarFunction<"isNan", 1, ["0"]>;
def : ScalarFunction<"isInfinite", 1, ["0"]>;
}
let kinds = ["f32", "f64"] in {
// Numbers from their bits: from 16 bits, and from the lower and the upper 16 of
// 32 bits.
def : ScalarFunction<"halfOf", 1, ["0"], 8>;
def : ScalarFunction<"singleOf", 2, ["0", "0"], 4>;
}
let kinds = ["f32", "f64", "i64", "u64"] in {
def : ScalarFunction<"abs", 1, ["sign(a)"]>;
def : ScalarFunction<"sign", 1, ["0"]>;
def : ScalarFunction<"max", 2, ["if(a >= b, 1, 0)", "if(a >= b, 0, 1)"]>;
def : ScalarFunction<"min", 2, ["if(a <= b, 1, 0)", "if(a <= b, 0, 1)"]>;
def : ScalarFunction<"pow", 2, ["b * pow(a, b - 1)", "pow(a, b) * log(a)"], 60>;
let jumps = 1 in {
def : ScalarFunction<"fmod", 2, ["1", "(fmod(a, b) - a) / b"], 20>; // the sign of the dividend
def : ScalarFunction<"mod", 2, ["1", "(mod(a, b) - a) / b"], 20>;   // the sign of the divisor
}
}
let kinds = ["i64", "u64"] in {
def : ScalarFunction<"bitAnd", 2, ["0", "0"]>;
def : ScalarFunction<"bitOr", 2, ["0", "0"]>;
def : ScalarFunction<"bitXor", 2, ["0", "0"]>;
def : ScalarFunction<"bitNot", 1, ["0"]>;
def : ScalarFunction<"shiftLeft", 2, ["0", "0"]>;
def : ScalarFunction<"shiftRight", 2, ["0", "0"]>;
}
// A part of the language, of any kind.
let kinds = []<string> in {
def : ScalarFunction<"if", 3, ["0", "if(a, 1, 0)", "if(a, 0, 1)"]>;
}

#endif // GLOW_FUNCTIONS

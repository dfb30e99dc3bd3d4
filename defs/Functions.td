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
def : Function<"max", ["number", "number"], "number", "the larger number">;
def : Function<"min", ["number", "number"], "number", "the smaller number">;
def : Function<"abs", ["number"], "number", "the absolute value">;
def : Function<"int", ["number"], "int", "the number, rounded towards zero; 0 for NaN">;
def : Function<"real", ["number"], "real", "the number as a real number">;
def : Function<"floor", ["real"], "int", "the number, rounded down; 0 for NaN">;
def : Function<"ceil", ["real"], "int", "the number, rounded up; 0 for NaN">;
def : Function<"sqrt", ["real"], "real", "the square root">;
def : Function<"log", ["real"], "real", "the natural logarithm">;
def : Function<"exp", ["real"], "real", "the exponential">;
def : Function<"power", ["real", "real"], "real", "the first number to the power of the second">;
def : Function<"isNan", ["real"], "bool", "whether the number is NaN">;
def : Function<"isFixed", ["int"], "bool",
               "whether the number is the same in all runs, and depends on no length">;
def : Function<"floorOfProduct", ["int", "real"], "int",
               "the product, rounded down; a length times a simple fraction is a length">;
def : Function<"ratio", ["int", "int"], "real", "the first number divided by the second">;
def : Function<"truncatedQuotient", ["int", "int"], "int",
               "the quotient, rounded towards zero; `/` rounds down">;
def : Function<"stepsUntil", ["int", "int", "int"], "int",
               "the count of numbers from the first, by steps of the third, before the second">;

// Lists of integers.
def : Function<"size", ["ints"], "int", "the number of elements of a list of integers">;
def : Function<"length", ["reals"], "int", "the number of elements of a list of real numbers">;
def : Function<"prod", ["ints"], "int", "the product of the elements; 1 without elements">;
def : Function<"sum", ["ints"], "int", "the sum of the elements">;
def : Function<"repeat", ["int", "int"], "ints",
               "a list of the first number, as long as the second">;
def : Function<"range", ["int", "int"], "ints",
               "the integers from the first up to the second, which is excluded">;
def : Function<"at", ["ints", "int"], "int",
               "the element at an index, or 0 outside of the list; written `list[i]`, too">;
def : Function<"take", ["ints", "int"], "ints", "the first elements, as many as the number">;
def : Function<"drop", ["ints", "int"], "ints",
               "all elements but the first ones, as many as the number">;
def : Function<"set", ["ints", "int", "int"], "ints",
               "the list with a value (third) at an index (second); unchanged without one">;
def : Function<"pick", ["ints", "ints"], "ints",
               "the elements of the first list at the indices of the second; 0 outside">;
def : Function<"common", ["ints", "ints"], "ints",
               "the elements of the first list that the second has">;
def : Function<"excluding", ["ints", "ints"], "ints",
               "the elements of the first list that the second does not have">;
def : Function<"unique", ["ints"], "ints", "each value once, at its first position">;
def : Function<"indicesOf", ["ints", "ints"], "ints",
               "the index of each value (first) in a list (second); its size without a match">;
def : Function<"nonzeros", ["ints"], "ints", "the indices of the elements that are not 0">;
def : Function<"contains", ["ints", "int"], "bool", "whether the list has the value">;
def : Function<"allAtLeast", ["ints", "int"], "bool", "whether no element is below the bound">;
def : Function<"allBelow", ["ints", "int"], "bool", "whether all elements are below the bound">;
def : Function<"distinct", ["ints"], "bool", "whether no value stands twice">;

// Functions on a list of activations ("tanh, hard_sigmoid 0.2 0.5"): a name, and one
// of its values.
def : Function<"activationName", ["text", "int"], "text",
               "the name of the activation at an index of the list; empty for an unknown one">;
def : Function<"activationValue", ["text", "int", "int"], "real",
               "a value of an activation: list, its index, index of the value; 0 without one">;

// Functions on an index of a tensor, in index notation.
def : Function<"shift", ["ints", "int", "int"], "ints",
               "an index (first) with a number (third) added along an axis (second)">;
def : Function<"reflect", ["ints", "ints"], "ints",
               "an index (first), mirrored at the first and last elements of sizes (second)">;
def : Function<"clampIndex", ["ints", "ints"], "ints",
               "an index (first) that is moved to the nearest element within the sizes (second)">;

// Axes and shapes. A negative axis counts from the end.
def : Function<"wrapAxis", ["int", "int"], "int",
               "an axis, from the rank (second) on if it is negative">;
def : Function<"wrapAxes", ["ints", "int"], "ints",
               "the axes, each from the rank (second) on if it is negative">;
def : Function<"inverse", ["ints"], "ints", "the inverse of a permutation">;
def : Function<"compose", ["ints", "ints"], "ints",
               "the permutation that applies the first, then the second">;
def : Function<"areSame", ["ints", "ints"], "bool",
               "whether lists are equal in all runs; `==` that lengths decide is a condition">;
def : Function<"canBroadcast", ["ints", "ints"], "bool",
               "whether shapes fit by ONNX's rule: from the last size on equal, or one of them 1">;
def : Function<"broadcastShape", ["ints", "ints"], "ints",
               "the shape to which both are repeated by ONNX's rule">;
def : Function<"broadcastsTo", ["ints", "ints", "int"], "bool",
               "whether a shape can be repeated to the second, from an axis on; -1: the last ones">;
def : Function<"keepsOrder", ["ints", "ints"], "bool",
               "whether a permutation (second) of a shape (first) moves only axes of size 1">;
def : Function<"unreduced", ["ints", "ints", "ints", "bool"], "ints",
               "the operand's index: index of the result, reduced indices, axes, if kept">;
def : Function<"exactQuotient", ["ints", "ints"], "ints",
               "the quotients, element by element; -1 for a quotient that is not whole">;

// Slices, from ONNX's bounds; negative ones count from the end.
def : Function<"sliceFits", ["ints", "ints", "ints", "ints"], "bool",
               "whether a slice is inside of a tensor: shape, starts, steps, sizes">;

// Element kinds.
def : Function<"isFloat", ["kind"], "bool", "whether the kind is a float kind">;
def : Function<"isBool", ["kind"], "bool", "whether the kind is bool">;
def : Function<"bitsOf", ["kind"], "int", "the bits in which ONNX stores an element">;
def : Function<"largestOf", ["kind"], "real",
               "the largest finite number of a float kind; 0 of any other">;
def : Function<"lowestOf", ["kind"], "real",
               "the bound that no element of the kind is below: -infinity of floats">;
def : Function<"areNormal", ["reals", "kind"], "bool",
               "whether the kind holds numbers of these magnitudes in full precision">;
def : Function<"areFinite", ["reals", "kind"], "bool",
               "whether the kind holds numbers of these magnitudes as finite numbers">;
def : Function<"holdsAll", ["kind", "kind"], "bool",
               "whether each value of the first kind is a value of the second">;

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

let kinds = ["f32", "f64"] in {
def : ScalarFunction<"exp", 1, ["exp(a)"], 15> {
  let summary = "the exponential";
  let atZero = "1";
}
def : ScalarFunction<"expm1", 1, ["exp(a)"], 15> {
  let summary = "exp(a) - 1, precise for small a";
  let atZero = "0";
}
def : ScalarFunction<"log", 1, ["1 / a"], 25> { let summary = "the natural logarithm"; }
def : ScalarFunction<"log1p", 1, ["1 / (1 + a)"], 25> {
  let summary = "log(1 + a), precise for small a";
}
def : ScalarFunction<"atan", 1, ["1 / (1 + a * a)"], 22> { let summary = "the arc tangent"; }
def : ScalarFunction<"tan", 1, ["1 + tan(a) * tan(a)"], 50> { let summary = "the tangent"; }
def : ScalarFunction<"asin", 1, ["1 / sqrt(1 - a * a)"], 22> { let summary = "the arc sine"; }
def : ScalarFunction<"acos", 1, ["-1 / sqrt(1 - a * a)"], 22> { let summary = "the arc cosine"; }
def : ScalarFunction<"sinh", 1, ["cosh(a)"], 30> { let summary = "the hyperbolic sine"; }
def : ScalarFunction<"cosh", 1, ["sinh(a)"], 30> { let summary = "the hyperbolic cosine"; }
def : ScalarFunction<"tanh", 1, ["1 - tanh(a) * tanh(a)"], 18> {
  let summary = "the hyperbolic tangent";
}
def : ScalarFunction<"asinh", 1, ["1 / sqrt(a * a + 1)"], 40> {
  let summary = "the inverse hyperbolic sine";
}
def : ScalarFunction<"acosh", 1, ["1 / sqrt(a * a - 1)"], 40> {
  let summary = "the inverse hyperbolic cosine";
}
def : ScalarFunction<"atanh", 1, ["1 / (1 - a * a)"], 40> {
  let summary = "the inverse hyperbolic tangent";
}
def : ScalarFunction<"erf", 1, ["1.1283791670955126 * exp(-(a * a))"], 25> {
  let summary = "the error function";
}
def : ScalarFunction<"normcdf", 1, ["0.3989422804014327 * exp(-0.5 * a * a)"], 45> {
  let summary = "the probability that a normal variable is below a, precise where it is small";
}
def : ScalarFunction<"sin", 1, ["cos(a)"], 40> { let summary = "the sine"; }
def : ScalarFunction<"cos", 1, ["-sin(a)"], 40> { let summary = "the cosine"; }
def : ScalarFunction<"sqrt", 1, ["0.5 / sqrt(a)"]> { let summary = "the square root"; }
def : ScalarFunction<"floor", 1, ["0"]> { let summary = "the number, rounded down"; }
def : ScalarFunction<"ceil", 1, ["0"]> { let summary = "the number, rounded up"; }
def : ScalarFunction<"round", 1, ["0"]> {
  let summary = "the nearest whole number; halves become even";
}
def : ScalarFunction<"isNan", 1, ["0"]> { let summary = "1 for NaN, else 0"; }
def : ScalarFunction<"isInfinite", 1, ["0"]> { let summary = "1 for an infinity, else 0"; }
}
let kinds = ["f32", "f64"] in {
// Numbers from their bits: from 16 bits, and from the lower and the upper 16 of
// 32 bits.
def : ScalarFunction<"halfOf", 1, ["0"], 8> {
  let summary = "the number with the 16 bits of an f16";
}
def : ScalarFunction<"singleOf", 2, ["0", "0"], 4> {
  let summary = "the number with the bits of an f32: the lower 16 bits, the upper 16 bits";
}
}
let kinds = ["f32", "f64", "i64", "u64"] in {
def : ScalarFunction<"abs", 1, ["sign(a)"]> { let summary = "the absolute value"; }
def : ScalarFunction<"sign", 1, ["0"]> { let summary = "1, 0 or -1; NaN stays"; }
def : ScalarFunction<"max", 2, ["if(a >= b, 1, 0)", "if(a >= b, 0, 1)"]> {
  let summary = "the larger number; NaN if one is NaN";
}
def : ScalarFunction<"min", 2, ["if(a <= b, 1, 0)", "if(a <= b, 0, 1)"]> {
  let summary = "the smaller number; NaN if one is NaN";
}
def : ScalarFunction<"pow", 2, ["b * pow(a, b - 1)", "pow(a, b) * log(a)"], 60> {
  let summary = "a to the power of b";
}
let jumps = 1 in {
def : ScalarFunction<"fmod", 2, ["1", "(fmod(a, b) - a) / b"], 20> {
  let summary = "the remainder, with the sign of the dividend; written `a % b`, too";
}
def : ScalarFunction<"mod", 2, ["1", "(mod(a, b) - a) / b"], 20> {
  let summary = "the remainder, with the sign of the divisor";
}
}
}
let kinds = ["i64", "u64"] in {
def : ScalarFunction<"bitAnd", 2, ["0", "0"]> { let summary = "the bits that both have"; }
def : ScalarFunction<"bitOr", 2, ["0", "0"]> { let summary = "the bits that one of them has"; }
def : ScalarFunction<"bitXor", 2, ["0", "0"]> {
  let summary = "the bits that exactly one of them has";
}
def : ScalarFunction<"bitNot", 1, ["0"]> { let summary = "all bits inverted"; }
def : ScalarFunction<"shiftLeft", 2, ["0", "0"]> {
  let summary = "a with its bits moved up by b; 0 from 64 on";
}
def : ScalarFunction<"shiftRight", 2, ["0", "0"]> {
  let summary = "a with its bits moved down by b; the sign fills the top";
}
}
// A part of the language, of any kind.
let kinds = []<string> in {
def : ScalarFunction<"if", 3, ["0", "if(a, 1, 0)", "if(a, 0, 1)"]> {
  let summary = "b where a is not 0, else c";
}
}

#endif // GLOW_FUNCTIONS

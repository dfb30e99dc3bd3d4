//===- Quantization.td - integers that stand for real numbers -------------===//
// SPDX-License-Identifier: MIT
//
// An integer q stands for (q - zero) * scale. Scale and zero are one for all of
// a tensor, one for each index of an axis, or one for each element.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_QUANTIZATION
#define GLOW_NODES_QUANTIZATION

include "glow/nodes/Convolution.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Shape.td"

def Bytes : Kinds<["i8", "u8"]>;
def Quantized : Kinds<["i2", "u2", "i4", "u4", "i8", "u8", "i16", "u16"]>;
def QuantizedOrSums : Kinds<["i2", "u2", "i4", "u4", "i8", "u8", "i16", "u16", "i32"]>;

// Scales of sizes z and zeros of sizes w belong to a tensor of sizes s.
defvar ParametersFit = Require<"parameters-fit",
    [{broadcastsTo(z, s, if(size(z) == 1 && prod(z) != 1, axis, -1))
      && broadcastsTo(w, s, if(size(w) == 1 && prod(w) != 1, axis, -1))}],
    "parameters of shapes {z} and {w} are neither one, nor one for each index of axis {axis}, nor "
    "one for each element of shape {s}">;

//===----------------------------------------------------------------------===//
// To integers and back
//===----------------------------------------------------------------------===//

// A cast takes what is too large to the nearest that fits. A kind too short for
// the zeros would round the sum.
def Quantize : Node<"quantize", (ins "T[*s]":$in, "T[*z]":$scale, "Q[*w]":$zero),
                    (outs "Q[*s]":$out),
                    (ins Default<Int, "-1">:$axis)> {
  let summary = "zero + the integer nearest to in / scale, of two the even one; what is too large "
                "becomes the nearest that fits";
  let types = (kinds Floats:$T, Quantized:$Q);
  let requires = [ParametersFit];
  let tier = 1;
  let lowering = [{
    a = if(size(z) == 1 && prod(z) != 1, axis, -1);
    b = if(size(w) == 1 && prod(w) != 1, axis, -1);
    steps = Round(in / Broadcast(scale, s, axis: a));
    short = !holdsAll(kind(zero), kind(in));
    wide = if(short, Cast(steps, elementKind("f32")), steps);
    out = Cast(wide + Broadcast(Cast(zero, kind(wide)), s, axis: b), kind(zero));
  }];
  let gradient = [{ none("integers are steps, without a slope") }];
  let samples = [
    Sample<"tensor", (ins "f32[2,3] in -4..4", "f32[] in 0.5..0.5", "i8[] in 3..3"), "axis = -1">,
    Sample<"channels", (ins "f32[2,3,2] in -90..90", "f32[3] in 0.25..0.25", "u8[3] in 0..9"),
           "axis = 1">,
    Sample<"elements", (ins "f32[2,3] in -4..4", "f32[2,3] in 2..2", "i8[2,3] in -3..3"),
           "axis = -1">,
    Refused<"parameters-fit", (ins "f32[2,3]", "f32[4]", "i8[4]"), "axis = 1">];
}

// A float that holds every integer of the kind also holds the difference of two
// that are not of 32 bits.
def Dequantize : Node<"dequantize", (ins "Q[*s]":$in, "T[*z]":$scale, "Q[*w]":$zero),
                      (outs "T[*s]":$out),
                      (ins Default<Int, "-1">:$axis)> {
  let summary = "(in - zero) * scale";
  let types = (kinds Floats:$T, QuantizedOrSums:$Q);
  let requires = [ParametersFit];
  let tier = 1;
  let lowering = [{
    a = if(size(z) == 1 && prod(z) != 1, axis, -1);
    b = if(size(w) == 1 && prod(w) != 1, axis, -1);
    k = kind(scale);
    exact = holdsAll(kind(in), k);
    sum = elementKind("i32");
    steps = if(exact, Cast(in, k) - Broadcast(Cast(zero, k), s, axis: b),
               Cast(Cast(in, sum) - Broadcast(Cast(zero, sum), s, axis: b), k));
    out = steps * Broadcast(scale, s, axis: a);
  }];
  let samples = [
    Sample<"tensor", (ins "i8[2,3]", "f32[] in 0.5..2", "i8[]"), "axis = -1">,
    Sample<"channels", (ins "u8[2,3,2]", "f32[3] in 0.5..2", "u8[3]"), "axis = 1">,
    Sample<"sums", (ins "i32[2,3]", "f32[2,3] in 0.5..2", "i32[2,3]"), "axis = -1">,
    Refused<"parameters-fit", (ins "i8[2,3]", "f32[4]", "i8[4]"), "axis = 1">];
}

def Requantize : Node<"requantize",
                      (ins "i32[*s]":$in, "T[*z]":$factor, "Q[*w]":$zero, "T[*y]?":$offset),
                      (outs "Q[*s]":$out),
                      (ins Default<Int, "-1">:$axis)> {
  let summary = "zero + the integer nearest to in * factor + offset, of two the even one; "
                "what is too large "
                "becomes the nearest that fits";
  let types = (kinds WideFloats:$T, Quantized:$Q);
  let requires = [ParametersFit,
    Require<"offset-fits", "broadcastsTo(y, s, if(size(y) == 1 && prod(y) != 1, axis, -1))",
            "offsets of shape {y} are neither one, nor one for each index of axis {axis}, nor one "
            "for each element of shape {s}">];
  let tier = 1;
  let lowering = [{
    k = kind(factor);
    steps = Cast(in, k) * Broadcast(factor, s, axis: if(size(z) == 1 && prod(z) != 1, axis, -1));
    moved = if(present(offset),
               steps + Broadcast(offset, s, axis: if(size(y) == 1 && prod(y) != 1, axis, -1)),
               steps);
    out = Cast(Round(moved) + Broadcast(Cast(zero, k), s,
                                        axis: if(size(w) == 1 && prod(w) != 1, axis, -1)),
               kind(zero));
  }];
  let gradient = [{ none("integers are steps, without a slope") }];
  let samples = [
    Sample<"tensor", (ins "i32[2,3] in -99..99", "f32[] in 0.5..0.5", "i8[] in 3..3", ""),
           "axis = -1">,
    Sample<"columns", (ins "i32[2,3] in -999..999", "f32[3] in 0.125..0.125", "u8[] in 9..9",
                       "f32[3] in 0.25..0.25"), "axis = 1">,
    Refused<"parameters-fit", (ins "i32[2,3]", "f32[4]", "i8[]", ""), "axis = 1">,
    Refused<"offset-fits", (ins "i32[2,3]", "f32[]", "i8[]", "f32[4]"), "axis = 1">];
}

def RescaleQuantized : Node<"rescale_quantized",
    (ins "Q[*s]":$in, "T[*z]":$scale, "Q[*w]":$zero, "T[*z]":$newScale, "R[*w]":$newZero),
    (outs "R[*s]":$out),
    (ins Default<Int, "-1">:$axis)> {
  let summary = "the integers that stand, by another scale and zero, for the numbers nearest to "
                "those of `in`";
  let types = (kinds Floats:$T, Quantized:$Q, Quantized:$R);
  let requires = [ParametersFit];
  let tier = 2;
  let lowering = [{ out = Quantize(Dequantize(in, scale, zero, axis), newScale, newZero, axis); }];
  let gradient = [{ none("integers are steps, without a slope") }];
  let samples = [
    Sample<"tensor", (ins "i8[2,3]", "f32[] in 0.5..0.5", "i8[] in 1..1", "f32[] in 0.25..0.25",
                      "u8[] in 9..9"), "axis = -1">,
    Sample<"channels", (ins "u8[2,3]", "f32[3] in 0.5..0.5", "u8[3] in 1..9", "f32[3] in 2..2",
                        "i8[3] in 3..3"), "axis = 1">,
    Refused<"parameters-fit", (ins "i8[2,3]", "f32[4]", "i8[4]", "f32[4]", "i8[4]"), "axis = 1">];
}

def IntLookupTable : Node<"int_lookup_table", (ins "Q[*s]":$in, "T[m]":$table),
                          (outs "T[*s]":$out)> {
  let summary = "of each integer its entry in a table of all that there are, the least first";
  let types = (kinds Kinds<["i8", "u8", "i16", "u16"]>:$Q);
  let requires = [
    Require<"table-complete", "m == if(bitsOf(Q) == 8, 256, 65536)",
            "{m} entries are not those of the {if(bitsOf(Q) == 8, 256, 65536)} integers of {Q}">];
  let hand = "intLookupTable";
  let reason = "the first entry is that of the least integer, which index notation does not know "
               "of a kind";
  let tier = 1;
  let lowering = [{ out = Gather(table, Cast(in, elementKind("i32")) - lowestOf(kind(in)), 0); }];
  let samples = [AsWritten<"signed", (ins "i8[2,3] in -128..127", "u8[256]")>,
                 AsWritten<"numbers", (ins "u8[2,3] in 0..255", "f32[256]")>,
                 AsWritten<"bytes", (ins "u8[3,50] in 0..255", "i8[256] in -128..127")>,
                 AsWritten<"signs", (ins "i8[7,331] in -128..127", "i8[256] in -128..127")>,
                 Refused<"table-complete", (ins "i8[2,3]", "u8[255]")>];
}

//===----------------------------------------------------------------------===//
// Sums of products of integers
//===----------------------------------------------------------------------===//

// An integer is 128 from its zero or more, whatever that is: of more products than these,
// 32 bits would not hold the sum of some integers.
class SumsFit<string length_>
    : Require<"sums-fit", "length <= 131071",
              "sums of {length} products of bytes do not fit into i32: 131071 do at most"> {
  let with = (bind length_:$length);
}
def MatMulInteger : Node<"matmul_integer",
    (ins "A[*b,n,k]":$lhs, "B[*b,k,m]":$rhs, "A[*y]":$lhsZero, "B[*z]":$rhsZero),
    (outs "i32[*b,n,m]":$out)> {
  let summary = "product of (lhs - lhsZero) and (rhs - rhsZero), whose zeros are one, or one a row "
                "and one a column";
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = [
    Require<"zeros-fit", "(prod(y) == 1 || y == [n]) && (prod(z) == 1 || z == [m])",
            "zeros of shapes {y} and {z} do not suit {n} rows and {m} columns">,
    SumsFit<"k">];
  let tier = 1;
  let lowering = [{
    sum = elementKind("i32");
    row = Reshape(lhsZero, [prod(y), 1]);
    left = Cast(lhs, sum) - Broadcast(Cast(row, sum), shape(lhs));
    right = Cast(rhs, sum) - Broadcast(Cast(Reshape(rhsZero, [prod(z)]), sum), shape(rhs));
    out = MatMul(left, right);
  }];
  let samples = [
    Sample<"small", (ins "u8[2,3]", "i8[3,4]", "u8[]", "i8[]")>,
    Sample<"batch", (ins "u8[2,2,3]", "u8[2,3,4]", "u8[2]", "u8[4]")>,
    Refused<"zeros-fit", (ins "u8[2,3]", "i8[3,4]", "u8[3]", "i8[]")>,
    Refused<"sums-fit", (ins "u8[1,131072]", "i8[131072,1]", "u8[]", "i8[]")>];
}

defvar RefusedConv = (ins "u8[1,2,5,5]", "i8[3,2,3,3]", "u8[]", "i8[]");
def ConvInteger : Node<"conv_integer",
    (ins "A[n,c,*x:1..3]":$in, "B[d,cg,*r:size(x)]":$filter, "A[*y]":$inZero, "B[*z]":$filterZero),
    (outs "i32[n,d,*windowCount(x, r, strides, pads, dilations)]":$out), Conv.attributes> {
  let summary = "convolution of in - inZero with filter - filterZero; pixels of padding are inZero";
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = !listconcat(Conv.requires, [
    Require<"zeros-fit", "prod(y) == 1 && (prod(z) == 1 || z == [d])",
            "zeros of shapes {y} and {z} must be one, and one or one for each of {d} filters">,
    SumsFit<"cg * prod(r)">]);
  let tier = 1;
  let lowering = [{
    sum = elementKind("i32");
    image = Cast(in, sum) - Broadcast(Cast(Reshape(inZero, []), sum), shape(in));
    weights = Cast(filter, sum) - Broadcast(Cast(Reshape(filterZero, [prod(z)]), sum),
                                            shape(filter), axis: 0);
    out = Conv(image, weights, none, strides, pads, dilations, group);
  }];
  let samples = [
    Sample<"padded", (ins "u8[1,2,5,5]", "i8[3,2,3,3]", "u8[]", "i8[]"),
           "strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Sample<"groups", (ins "u8[1,4,6]", "u8[6,2,3]", "u8[]", "u8[6]"),
           "strides = [2]; pads = [0, 1]; dilations = [1]; group = 2">,
    Refused<"zeros-fit", (ins "u8[1,2,5,5]", "i8[3,2,3,3]", "u8[]", "i8[2]"),
            "strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"sums-fit", (ins "u8[1,32768,2]", "i8[1,32768,4]", "u8[]", "i8[]"),
            "strides = [1]; pads = [1, 1]; dilations = [1]; group = 1">,
    Refused<"window-attributes", RefusedConv,
            "strides = [1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"stride-positive", RefusedConv,
            "strides = [0, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"pads-not-negative", RefusedConv,
            "strides = [1, 1]; pads = [1, -1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"group-divides", RefusedConv,
            "strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 2">,
    Refused<"window-fits", (ins "u8[1,2,2,2]", "i8[3,2,3,3]", "u8[]", "i8[]"),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1">];
}

#endif // GLOW_NODES_QUANTIZATION

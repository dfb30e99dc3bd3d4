//===- Random.td - numbers without order ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// The i-th number is a function of i and the seed, so that it is the same one on
// every backend and in every run.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_RANDOM
#define GLOW_NODES_RANDOM

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

// Spreads each bit of a number over all of them, one to one (Wellons' lowbias32).
def mixedBits : Let<(ins Tensor:$number), [{
  once = BitXor(number, ShiftRight(number, 16)) * 2146121005.0;
  twice = BitXor(once, ShiftRight(once, 15)) * 2221713035.0;
  mixed = BitXor(twice, ShiftRight(twice, 16));
}]>;
def RandomBits : Node<"random_bits", (ins), (outs "u32[*dims]":$out), (ins Ints:$dims, Int:$seed)> {
  let summary = "32 bits without order for each element, the same ones for the same seed";
  let tier = 1;
  let lowering = [{
    k = elementKind("u32");
    begin = mixedBits(Splat(real(seed % 4294967296), [], k));
    bits = mixedBits(Iota(1.0, 1.0, 0, [prod(dims)], k));
    out = Reshape(mixedBits(BitXor(bits, Broadcast(begin, [prod(dims)]))), dims);
  }];
  let samples = [Sample<"small", (ins), "dims = [2, 3]; seed = 7">];
}

// 24 bits: an f32 holds each of these numbers exactly.
def RandomUniform : Node<"random_uniform", (ins), (outs "kind[*dims]":$out),
    (ins Ints:$dims, Real:$low, Real:$high, Int:$seed, Kind:$kind)> {
  let summary = "numbers between two bounds, each as likely";
  let tier = 2;
  let lowering = [{
    part = Cast(ShiftRight(RandomBits(dims, seed), 8), elementKind("f64"));
    out = Cast(low + part * ((high - low) / 16777216.0), kind);
  }];
  let samples = [Sample<"small", (ins),
                        "dims = [2, 3]; low = -1.0; high = 1.0; seed = 7; kind = f32">];
}

// Box and Muller: a direction, and a distance from the middle.
def RandomNormal : Node<"random_normal", (ins), (outs "kind[*dims]":$out),
    (ins Ints:$dims, Real:$mean, Real:$deviation, Int:$seed, Kind:$kind)> {
  let summary = "numbers around a mean, normally distributed";
  let tier = 3;
  let lowering = [{
    k = elementKind("f64");
    distance = Sqrt(-2.0 * Log(RandomUniform(dims, 0.00000003, 1.0, 2 * seed, k)));
    direction = Cos(RandomUniform(dims, 0.0, 6.283185307179586, 2 * seed + 1, k));
    out = Cast(mean + distance * direction * deviation, kind);
  }];
  let samples = [Sample<"small", (ins),
                        "dims = [2, 3]; mean = 1.0; deviation = 0.5; seed = 7; kind = f32">];
}

// Replaced by `dropout_training` or by its operand, before all else, in programs of training.
def Dropout : Node<"dropout", (ins "T[*s]":$in), (outs "T[*s]":$out, "bool[*s]":$mask),
                   (ins Real:$ratio, Int:$layer)> {
  let summary = "a layer that drops the share `ratio` of its elements in training; here the "
                "operand, and a mask that keeps all";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"ratio-is-share", "ratio >= 0 && ratio < 1",
            "ratio {ratio} must be at least 0 and below 1">];
  let tier = 1;
  let lowering = [{
    out = in;
    mask = Splat(1, s, elementKind("bool"));
  }];
  let samples = [Sample<"small", (ins "f32[2,3]"), "ratio = 0.5; layer = 7">,
                 Refused<"ratio-is-share", (ins "f32[2,3]"), "ratio = 1.0; layer = 7">];
}

// An element is a function of `seed`, of the number of the layer, and of its own place. Rows and
// columns are mixed one after the other, so that no constant is as large as the operand.
def DropoutTraining : Node<"dropout_training", (ins "T[*s]":$in, "u32[]":$seed),
                           (outs "T[*s]":$out, "bool[*s]":$mask), (ins Real:$ratio, Int:$layer)> {
  let summary = "0 in place of the share `ratio` of the elements, others times 1 / (1 - ratio); "
                "the mask is 1 where an element stays";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"ratio-is-share", "ratio >= 0 && ratio < 1",
            "ratio {ratio} must be at least 0 and below 1">];
  let tier = 2;
  let lowering = [{
    k = elementKind("u32");
    leading = take(s, max(size(s) - 1, 0));
    r = prod(leading);
    columns = prod(drop(s, size(leading)));
    begin = mixedBits(BitXor(mixedBits(seed), Splat(real(layer % 4294967296), [], k)));
    starts = mixedBits(BitXor(Iota(1.0, 1.0, 0, [r], k), Broadcast(begin, [r])));
    places = Broadcast(Iota(1.0, 1.0, 0, [columns], k), [r, columns], axis: 1);
    bits = mixedBits(BitXor(places, Broadcast(starts, [r, columns], axis: 0)));
    mask = Reshape(bits >= floor(ratio * 4294967296.0), s);
    out = Select(mask, in * (1.0 / (1.0 - ratio)), Splat(0.0, s, kind(in)));
  }];
  let gradient = [{
    d.in = Select(mask, d.out * (1.0 / (1.0 - ratio)), Splat(0.0, s, kind(in)));
  }];
  let samples = [Sample<"matrix", (ins "f32[4,7]", "u32[]"), "ratio = 0.5; layer = 7">,
                 Sample<"all", (ins "f32[3]", "u32[]"), "ratio = 0.0; layer = 7">,
                 Refused<"ratio-is-share", (ins "f32[2,3]", "u32[]"), "ratio = 1.0; layer = 7">];
}

#endif // GLOW_NODES_RANDOM

//===- Signal.td - sounds and their frequencies ---------------------------===//
// SPDX-License-Identifier: MIT
//
// A complex number is a last axis of two: the real and the imaginary part.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_SIGNAL
#define GLOW_NODES_SIGNAL

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

// Of index k, real or imaginary, each element j adds its share. The angle is
// taken below a full turn first, so that it stays exact.
def Dft : Node<"dft", (ins "T[*a:axis, n, *b, m]":$in),
    (outs "T[*a, if(onesided, n / 2 + 1, n), *b, 2]":$out),
    (ins Int:$axis, Default<Flag, "false">:$onesided, Default<Flag, "false">:$backwards)> {
  let summary = "discrete Fourier transform along an axis, or, `backwards`, its inverse; "
                "`in` is complex or, "
                "with a last axis of 1, real; `onesided` leaves out what follows from the other "
                "half";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"real-or-complex", "m == 1 || m == 2", "the last axis is {m} long, but must be 1 or 2">,
    Require<"not-empty", "n >= 1", "axis {axis} has no element">];
  // All angles are among n, whose sines and cosines are a table.
  let scratch = (ins "f64[n]":$cosines, "f64[n]":$sines);
  let compute = [{
    cosines[t] = cos(6.283185307179586 * t / n) / if(backwards, n, 1);
    sines[t] = sin(6.283185307179586 * t / n) / if(backwards, n, -1);
    out[*p,k,*q,r] += in[*p,j,*q,e] * if(r == e, cosines[j * k % n], (r - e) * sines[j * k % n]);
  }];
  let tolerance = "f32: 1e-5, f16: 2e-2, bf16: 1e-1";
  // Of frequencies that are not there, all that is left is what was rounded.
  let computes = "f64";
  let samples = [
    Sample<"real", (ins "f32[2,5,1]"), "axis = 1; onesided = true; backwards = false">,
    Sample<"complex", (ins "f32[2,4,3,2]"), "axis = 1; onesided = false; backwards = true">,
    Refused<"real-or-complex", (ins "f32[2,5,3]"), "axis = 1; onesided = false; backwards = false">,
    Refused<"not-empty", (ins "f32[2,0,1]"), "axis = 1; onesided = false; backwards = false">];
}

// All but the first index, and of an even length the last, stand for two.
def InverseRealDft : Node<"inverse_real_dft", (ins "T[*a:axis, k, *b, 2]":$in),
    (outs "T[*a, length, *b, 1]":$out), (ins Int:$axis, Int:$length)> {
  let summary = "the real sequence of `length` elements along an axis of which `in` is the first "
                "half of the "
                "discrete Fourier transform";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"not-empty", "length >= 1", "length {length} must be at least 1">,
    Require<"half-fits", "k == length / 2 + 1",
            "{length} elements have {length / 2 + 1} frequencies, not {k}">];
  let scratch = (ins "f64[length]":$cosines, "f64[length]":$sines);
  let compute = [{
    cosines[i] = cos(6.283185307179586 * i / length) / length;
    sines[i] = sin(6.283185307179586 * i / length) / length;
    out[*p,t,*q,r] += in[*p,j,*q,e] * if(j == 0 || 2 * j == length, 1, 2)
        * if(e == 0, cosines[j * t % length], -sines[j * t % length]);
  }];
  let tolerance = "f32: 1e-5, f16: 2e-2, bf16: 1e-1";
  // Of frequencies that are not there, all that is left is what was rounded.
  let computes = "f64";
  let samples = [
    Sample<"even", (ins "f32[2,4,2]"), "axis = 1; length = 6">,
    Sample<"odd", (ins "f32[2,3,3,2]"), "axis = 1; length = 5">,
    Refused<"not-empty", (ins "f32[2,1,2]"), "axis = 1; length = 0">,
    Refused<"half-fits", (ins "f32[2,4,2]"), "axis = 1; length = 5">];
}

def Frames : Node<"frames", (ins "T[*a:axis, n, *b]":$in),
    (outs "T[*a, (n - length) / step + 1, length, *b]":$out),
    (ins Int:$axis, Int:$length, Int:$step)> {
  let summary = "pieces of a length along an axis, each `step` after the one before; "
                "they may overlap";
  let requires = [
    Require<"steps-forward", "length >= 1 && step >= 1",
            "length {length} and step {step} must be at least 1">,
    Require<"frame-fits", "length <= n",
            "a frame of {length} is longer than the {n} elements there are">];
  let compute = [{ out[*p,f,t,*q] = in[*p, f * step + t, *q]; }];
  let samples = [
    Sample<"overlapping", (ins "f32[2,7,2]"), "axis = 1; length = 3; step = 2">,
    Refused<"steps-forward", (ins "f32[2,7,2]"), "axis = 1; length = 3; step = 0">,
    Refused<"frame-fits", (ins "f32[2,7,2]"), "axis = 1; length = 8; step = 1">];
}

// Where the i-th edge between bands lies, in steps of the spectrum; edges are
// equally far from each other in mel.
def melEdge : Let<(ins Real:$i, Int:$bands, Int:$length, Int:$rate, Real:$low, Real:$high),
    [{floor((length + 1) * 700 * (pow(10, i * (high - low) / (bands + 2) / 2595 + low / 2595) - 1)
      / rate)}]>;

// Grows from its first edge to the second, and falls until the third.
def triangle : Let<(ins Real:$j, Real:$first, Real:$second, Real:$third), [{
  if(j == second, 1, if(j > first && j < second, (j - first) / (second - first),
                        if(j > second && j < third, (third - j) / (third - second), 0)))
}]>;
def MelWeights : Node<"mel_weights", (ins), (outs "kind[length / 2 + 1, bands]":$out),
    (ins Int:$bands, Int:$length, Int:$rate, Real:$low, Real:$high, Kind:$kind)> {
  let summary = "how much each step of a spectrum of `length` samples, `rate` a second, belongs to "
                "each of "
                "`bands` triangular bands between two heights in mel";
  let requires = [
    Require<"bands-positive", "bands >= 0 && length >= 0 && rate >= 1",
            "{bands} bands, length {length} and rate {rate} must not be negative, and the rate not "
            "0">];
  let compute = [{
    out[j,i] = triangle(j, melEdge(i, bands, length, rate, low, high),
                        melEdge(i + 1, bands, length, rate, low, high),
                        melEdge(i + 2, bands, length, rate, low, high));
  }];
  let samples = [
    Sample<"small", (ins), [{bands = 4; length = 16; rate = 8192; low = 0.0; high = 2800.0;
                             kind = f32}]>,
    Refused<"bands-positive", (ins),
            "bands = 4; length = 16; rate = 0; low = 0.0; high = 2800.0; kind = f32">];
}

#endif // GLOW_NODES_SIGNAL

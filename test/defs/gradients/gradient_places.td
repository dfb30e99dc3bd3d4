// RUN: %classgen %library -gen-gradient-records -include-name=glow/Glow.td %s -o %t
// RUN: FileCheck %s < %t
// An operand may be read in several places, for several results or by lost
// indices. Its gradient is the sum of all parts.

include "glow/Glow.td"

// Each result has a gradient, unless it is of integers.
def Both : Node<"both", (ins "T[n,k]":$in), (outs "T[n]":$sum, "T[n]":$squares, "i64[n]":$count)> {
  let compute = [{ sum[n] += in[n,k]; squares[n] += in[n,k] * in[n,k]; count[n] = k; }];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK-LABEL: def BothInGradient
// CHECK-NEXT:  (ins "T[n,k]":$in, "T[n]":$d_sum, "T[n]":$d_squares),
// CHECK:       d_in[n, k] += d_squares[n] * (in[n, k] + in[n, k]); d_in[n, k] += d_sum[n];

// An operand that is read in several places, by several statements, gets a sum
// from each.
def Chain : Node<"chain", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let compute = [{ out[i] = in[i] * in[i + 1]; out[i] += 3 * in[i]; }];
  let samples = [Sample<"small", (ins "f32[4]")>];
}
// CHECK-LABEL: def ChainInGradient
// CHECK:       d_in[i] += d_out[i] * 3;
// CHECK-SAME:  d_in[i] += d_out[i] * in[i + 1];
// CHECK-SAME:  d_in[i + 1] += d_out[i] * in[i];

// The second read may be the first argument of a function of two.
def Clipped : Node<"clipped", (ins "T[n]":$a, "T[n]":$b), (outs "T[n]":$out)> {
  let compute = "out[i] = a[i] + max(b[i], 0)";
  let samples = [Sample<"small", (ins "f32[2]", "f32[2]")>];
}
// CHECK-LABEL: def ClippedBGradient
// CHECK:       d_b[i] += if(b[i] >= 0, d_out[i], 0);

// Elements with equal subscripts and sizes are present together; where any
// other element is absent, the gradient does not count either.
def Grouped : Node<"grouped", (ins "T[n]":$a, "T[m]":$g, "T[m]":$b, "T[l]":$c), (outs "T[n]":$out), (ins Int:$q)> {
  let compute = "out[i] = a[i] * g[i / q] + b[i / q] + c[i / q]";
  let samples = [Sample<"small", (ins "f32[4]", "f32[2]", "f32[2]", "f32[3]"), "q = 2">];
}
// CHECK-LABEL: def GroupedAGradient
// CHECK:       d_a[i] += d_out[i] * g[i / q] * if(c[i / q] == c[i / q], 1, if(c[i / q] != c[i / q], 1, 0));
// CHECK-LABEL: def GroupedBGradient
// CHECK:       d_b[i / q] += d_out[i] * if(c[i / q] == c[i / q], 1, if(c[i / q] != c[i / q], 1, 0));
// CHECK-LABEL: def GroupedCGradient
// CHECK:       d_c[i / q] += d_out[i] * if(g[i / q] == g[i / q], 1, if(g[i / q] != g[i / q], 1, 0)) * if(b[i / q] == b[i / q], 1, if(b[i / q] != b[i / q], 1, 0));

// The gradient runs over all indices, also over those that it does not read by.
def Repeated : Node<"repeated", (ins "T[n]":$a, "T[n,k,*s]":$b), (outs "T[n]":$out)> {
  let compute = "out[n] += a[n] + b[n,k,*i]";
  let samples = [Sample<"small", (ins "f32[2]", "f32[2,3,2]")>];
}
// CHECK-LABEL: def RepeatedAGradient
// CHECK:       d_a[n] += d_out[n] over k < k, *i < [*s];
// CHECK-LABEL: def RepeatedBGradient
// CHECK:       d_b[n, k, *i] += d_out[n];

// A quotient of integers in a derivative stays a fraction.
def Weighted : Node<"weighted", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let compute = "out[i] = in[i] * i / n + in[i] / n";
  let samples = [Sample<"small", (ins "f32[4]")>];
}
// CHECK-LABEL: def WeightedInGradient
// CHECK:       d_in[i] += d_out[i] * (1.0 * i / n + 1.0 / n);

// A mean shares its gradient equally among the terms that count.
def Windows : Node<"windows", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let compute = "out[i] mean= in[i + k] * in[i + k] over k < 3";
  let samples = [Sample<"small", (ins "f32[4]")>];
}
// CHECK-LABEL: def WindowsInGradient
// CHECK:       let scratch = (ins "T[n]":$terms);
// CHECK-NEXT:  terms[i] += if(in[i + k] == in[i + k], 1, if(in[i + k] != in[i + k], 1, 0)) over k < 3;
// CHECK-SAME:  d_in[i + k] += d_out[i] / terms[i] * (in[i + k] + in[i + k]) over k < 3;

// RUN: %classgen %library -gen-gradient-records -include-name=glow/Glow.td %s -o %t
// RUN: FileCheck %s < %t
// Every read of an operand becomes a write to its gradient, in a node of its own.

include "glow/Glow.td"

def Largest : Node<"largest", (ins "T[n,k]":$in), (outs "T[n]":$out)> {
  let compute = "out[n] max= in[n,k]";
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK-LABEL: def LargestInGradient
// CHECK-NEXT:  (ins "T[n,k]":$in, "T[n]":$out, "T[n]":$d_out),
// CHECK-NEXT:  (outs "T[n, k]":$d_in)
// CHECK:       let scratch = (ins "T[n]":$ties);
// CHECK:       ties[n] += if(in[n, k] == out[n], 1, 0);
// CHECK-SAME:  d_in[n, k] += if(in[n, k] == out[n], d_out[n] / ties[n], 0);

def Outer : Node<"outer", (ins "T[n]":$a, "T[m]":$b, "T[m]?":$offset), (outs "T[n,m]":$out)> {
  let compute = [{ out[n,m] = exp(a[n]) * b[m]; out[n,m] = out[n,m] + offset[m]; }];
  let samples = [Sample<"small", (ins "f32[2]", "f32[3]", "f32[3]")>];
}
// CHECK-LABEL: def OuterAGradient : Node<"outer_a_gradient",
// CHECK-NEXT:  (ins "T[n]":$a, "T[m]":$b, "T[n, m]":$d_out),
// CHECK-NEXT:  (outs "T[n]":$d_a)
// CHECK:       let gradientOf = Outer;
// CHECK:       d_a[n] += d_out[n, m] * (exp(a[n]) * b[m]);
// CHECK-LABEL: def OuterBGradient
// CHECK:       d_b[m] += d_out[n, m] * exp(a[n]);
// CHECK-LABEL: def OuterOffsetGradient
// CHECK:       d_offset[m] += d_out[n, m];

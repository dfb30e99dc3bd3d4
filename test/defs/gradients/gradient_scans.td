// RUN: %classgen %library -gen-gradient-records -include-name=glow/Glow.td %s -o %t
// RUN: FileCheck %s < %t
// The gradient of a scan runs in reverse, with the values that its steps read.

include "glow/Glow.td"

// Gradients from a later step are in `flow`; the result itself contains the
// values that steps read.
def Decay : Node<"decay", (ins "T[t,n]":$in, "T[n]":$rate), (outs "T[t,n]":$out)> {
  let compute = [{
    scan t from 0 { out[t,n] = in[t,n] + if(first(t), 0, rate[n] * out[previous(t),n]); }
  }];
  let samples = [Sample<"small", (ins "f32[3,2]", "f32[2]")>];
}
// CHECK-LABEL: def DecayGradient : Node<"decay_gradient",
// CHECK-NEXT:  (ins "T[t,n]":$in, "T[n]":$rate, "T[t, n]":$out, "T[t, n]":$d_out),
// CHECK-NEXT:  (outs "T[t, n]":$d_in, "T[n]":$d_rate)
// CHECK:       let scratch = (ins "T[t, n]":$flow_out);
// CHECK-NEXT:  flow_out[x0, x1] = d_out[x0, x1]; d_in[x0, x1] = 0; d_rate[x0] = 0;
// CHECK-SAME:  scan t < t to 0 { d_in[t, n] += flow_out[t, n];
// CHECK-SAME:  d_rate[n] += if(last(t), 0, flow_out[t, n] * out[following(t), n]);
// CHECK-SAME:  flow_out[following(t), n] += if(last(t), 0, flow_out[t, n] * rate[n]); }

// Values that each step overwrites are computed again, and kept for all steps.
def Product : Node<"product", (ins "T[t,n]":$in), (outs "T[n]":$out)> {
  let compute = [{ out[n] = 1; scan t from 0 { out[n] = out[n] * in[t,n]; } }];
  let samples = [Sample<"small", (ins "f32[3,2]")>];
}
// CHECK-LABEL: def ProductGradient
// CHECK:       let scratch = (ins "T[n]":$flow_out, "T[n]":$again_out, "T[t, n]":$at_out);
// CHECK-NEXT:  again_out[n] = 1;
// CHECK-SAME:  scan t < t from 0 { at_out[t, x0] = again_out[x0]; again_out[n] = again_out[n] * in[t, n]; }
// CHECK-SAME:  flow_out[x0] = d_out[x0];
// CHECK-SAME:  scan t < t to 0 { d_in[t, n] += flow_out[n] * at_out[t, n]; flow_out[n] = flow_out[n] * in[t, n]; }

// Without a scan, too, a result that another statement reads has a flow.
def Shares : Node<"shares", (ins "T[n,k]":$in), (outs "T[n]":$sum, "T[n,k]":$out)> {
  let compute = "sum[n] += in[n,k]; out[n,k] = in[n,k] / sum[n]";
  let samples = [Sample<"small", (ins "f32[2,3] in 1..2")>];
}
// CHECK-LABEL: def SharesGradient
// CHECK-NEXT:  (ins "T[n,k]":$in, "T[n]":$sum, "T[n]":$d_sum, "T[n, k]":$d_out),
// CHECK:       flow_sum[x0] = d_sum[x0];

// A tensor of one step alone needs no initial value; the reverse of `to 0 if c`
// is `to 0 if !c`.
def Squares : Node<"squares", (ins "T[t,n]":$in), (outs "T[n]":$out), (ins Flag:$up)> {
  let scratch = (ins "T[n]":$square);
  let compute = [{
    out[n] = 0;
    scan t to 0 if up { square[n] = in[t,n] * in[t,n]; out[n] = out[n] * 2 + square[n]; }
  }];
  let samples = [Sample<"small", (ins "f32[3,2]"), "up = true">];
}
// CHECK-LABEL: def SquaresGradient
// CHECK:       let scratch = (ins "T[n]":$flow_out, "T[n]":$flow_square);
// CHECK:       scan t < t to 0 if !up { flow_square[n] += flow_out[n]; flow_out[n] = flow_out[n] * 2;
// CHECK-SAME:  d_in[t, n] += flow_square[n] * (in[t, n] + in[t, n]); }

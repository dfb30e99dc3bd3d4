// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// A node has one gradient: in its record, or in one beside it.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let compute = "out[*i] = in[*i] + in[*i]";
  let gradient = [{ d.in = d.out + d.out; }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
def BadTwice : Gradient<Bad, [{ d.in = d.out * 2; }]>;
// CHECK: gradient_two_records.td:[[#@LINE-6]]:5: note: the other one is here
// CHECK: gradient_two_records.td:[[#@LINE-2]]:5: error: 'Bad' has a gradient already
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}

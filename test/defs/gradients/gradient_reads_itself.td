// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// Only gradients of results can be read; shared values have names.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$a, "T[*s]":$b), (outs "T[*s]":$out)> {
  let compute = "out[*i] = a[*i] + b[*i]";
  let gradient = [{ d.a = d.out; d.b = d.a; }];
  let samples = [Sample<"small", (ins "f32[2]", "f32[2]")>];
}
// CHECK: gradient_reads_itself.td:[[#@LINE-3]]:40: error: 'd.a' is what the gradient gives, and is not read
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}

// RUN: not %classgen %library -gen-kernels %s 2>&1 | FileCheck %s
// An index that runs over two sizes is shown in both places.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[n]":$a, "T[m]":$b), (outs "T[n]":$out)> {
  let compute = "out[i] = a[i] + b[i]";
  let samples = [Sample<"small", (ins "f32[2]", "f32[3]")>];
}
// CHECK: index_two_sizes.td:[[#@LINE-3]]:22: note: here it runs over size n of 'out'{{.*}}
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
// CHECK-NEXT: index_two_sizes.td:[[#@LINE-6]]:36: error: index 'i' stands for size m of 'b', but runs over size n of 'out'{{.*}}
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}

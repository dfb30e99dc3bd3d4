// RUN: %classgen %library -gen-kernels %s | FileCheck %s
// What an inner loop does not change is computed outside of it: parts of
// subscripts, parts of these that stay the same even longer, and how far the way
// to an element can be gone.

include "glow/Glow.td"

def Window : Node<"window", (ins "T[n,c,w]":$in, "T[d,k]":$filter), (outs "T[n,d,w - k + 1]":$out), (ins Int:$group)> {
  let compute = "out[n,o,x] += in[n, o / group * 2, x + j] * filter[o,j]";
  let samples = [Sample<"small", (ins "f32[1,4,5]", "f32[2,3]"), "group = 1">];
}
// CHECK-LABEL: ::glow::Status windowOf(
// CHECK:      for (int64_t end_n = extentOf_n, n = 0; n < end_n; ++n) {
// CHECK-NEXT:   for (int64_t end_o = d, o = 0; o < end_o; ++o) {
// CHECK-NEXT:     const auto [[CHANNEL:fixed[0-9]]] = ::glow::expr::multiply(::glow::expr::divide(o, group), int64_t(2));
// CHECK-NEXT:     Position [[IMAGE:start[0-9]]](*in_type);
// CHECK-NEXT:     [[IMAGE]].step(n);
// CHECK-NEXT:     [[IMAGE]].step([[CHANNEL]]);
// CHECK-NEXT:     Position [[FILTER:start[0-9]]](*filter_type);
// CHECK-NEXT:     [[FILTER]].step(o);
// CHECK:          for (int64_t {{.*}}, x = 0;
// CHECK:            for (int64_t {{.*}}, j = 0;
// CHECK-NEXT:         Position [[AT:at[0-9]]] = [[IMAGE]];
// CHECK-NEXT:         [[AT]].step(::glow::expr::add(x, j));
// CHECK-NEXT:         Position [[TAP:at[0-9]]] = [[FILTER]];
// CHECK-NEXT:         [[TAP]].step(j);

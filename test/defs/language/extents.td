// RUN: %classgen %library -gen-kernels %s | FileCheck %s
// RUN: %classgen %library -gen-loops %s | FileCheck %s --check-prefix=LOOPS
// RUN: %classgen %library -gen-gradient-records -include-name=glow/Glow.td %s | FileCheck %s --check-prefix=GRADIENT
// `extent(i)` is the size that an index runs over, whatever name that has. A size of a
// signature is that size in every loop, also where an index has its name.

include "glow/Glow.td"

def Averages : Node<"averages", (ins "T[n,c]":$in, "T[k]":$weights), (outs "T[n]":$out)> {
  let summary = "a test of sizes by the name of an index";
  let types = (kinds Floats:$T);
  let compute = [{
    out[n] += in[n,c] / extent(c);
    out[m] += in[extent(m) - 1 - m, i] * (extent(i) - extent(r)) * weights[r + 1] over r < k - 1;
  }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[4]")>];
}
// CHECK-LABEL: averagesOf(
// CHECK: const auto &extentOf_c = c;
// CHECK: for (int64_t end_c = extentOf_c, c = 0;
// CHECK: ::glow::scalar::divide({{.*}}, C(extentOf_c))
// CHECK: fixed0 = ::glow::expr::subtract(extentOf_n, int64_t(1));
// CHECK: C(::glow::expr::subtract(extentOf_c, ::glow::expr::subtract(k, int64_t(1))))
// LOOPS-LABEL: AveragesLoops(
// LOOPS: ::glow::loops::termOf(&program, shape.c)
// GRADIENT: d_in[extent(n) - 1 - m, i] += d_out[m] * ((extent(c) - (extent(k) - 1)) * weights[r + 1]) over r < k - 1;
// GRADIENT-SAME: d_in[n, c] += d_out[n] * (1.0 / extent(c));

def Wide : Node<"wide", (ins "T[c]":$in), (outs "T[c, c * 2]":$out)> {
  let summary = "a test of a size that is computed inside of a loop";
  let compute = "out[c,m] = in[c]";
  let gradient = [{ none("a test"); }];
  let samples = [Sample<"small", (ins "f32[3]")>];
}
// CHECK-LABEL: wideOf(
// CHECK: for (int64_t end_m = ::glow::expr::multiply(extentOf_c, int64_t(2)), m = 0;
// LOOPS-LABEL: WideLoops(
// LOOPS: at_m = program.index(::glow::expr::multiply(shape.c, int64_t(2)), "m");

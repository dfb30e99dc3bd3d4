// RUN: %classgen %library -gen-onnx-imports %s | FileCheck %s
// RUN: not %classgen %library -gen-onnx-imports %s -DSHORT 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %classgen %library -gen-onnx-imports %s -DSINGLE 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not %classgen %library -gen-onnx-imports %s -DSTEP 2>&1 | FileCheck %s --check-prefix=STEP
// A node is built of the first of each list, of the second, and so on.

include "glow/Glow.td"

def : OnnxImport<"Pairs", 1, (ins "pairs..."), (ins), [{
  Y = fold(Add, [Sub(x, y) for x, y in every(pairs, 0, 2), every(pairs, 1, 2)]);
}]>;
// CHECK-LABEL: importPairs1(
// CHECK:       everyOf(pairs_, int64_t(0), int64_t(2))
// CHECK:       everyOf(pairs_, int64_t(1), int64_t(2))
// CHECK:       for (int64_t [[I:i[0-9]+]] = 0;
// CHECK:       x_{{.*}}[[[I]]];
// CHECK:       createSub(builder, location, x_

#ifdef SHORT
def : OnnxImport<"Short", 1, (ins "pairs..."), (ins), [{ Y = fold(Add, [Sub(x, y) for x, y in pairs]); }]>;
// SHORT: each.td:[[#@LINE-1]]:{{[0-9]+}}: error: each name after 'for' takes a list after 'in'
// SHORT-NEXT: {{^.+}}
// SHORT-NEXT: {{^ *\^}}
#endif
#ifdef SINGLE
def : OnnxImport<"Single", 1, (ins "X"), (ins), [{ Y = fold(Add, [Neg(x) for x in X]); }]>;
// SINGLE: each.td:[[#@LINE-1]]:{{[0-9]+}}: error: 'for' goes through a list, not through a value of type tensor
// SINGLE-NEXT: {{^.+}}
// SINGLE-NEXT: {{^ *\^}}
#endif
#ifdef STEP
def : OnnxImport<"Step", 1, (ins "pairs..."), (ins), [{ Y = fold(Add, every(pairs, 2)); }]>;
// STEP: each.td:[[#@LINE-1]]:71: error: 'every' takes a list of tensors, the first and the step
// STEP-NEXT: {{^.+}}
// STEP-NEXT: {{^ *\^}}
#endif

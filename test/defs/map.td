// RUN: %classgen -gen-onnx-imports %s | FileCheck %s
// RUN: not %classgen -gen-onnx-imports %s -DSHORT 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %classgen -gen-onnx-imports %s -DSINGLE 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not %classgen -gen-onnx-imports %s -DSTEP 2>&1 | FileCheck %s --check-prefix=STEP
// A node is built of the first of each list, of the second, and so on.

include "glow/Glow.td"

def : OnnxImport<"Pairs", 1, (ins "pairs..."), (ins), [{
  Y = fold(Add, map(Sub, every(pairs, 0, 2), every(pairs, 1, 2)));
}]>;
// CHECK-LABEL: importPairs1(
// CHECK:       everyOf(pairs_, int64_t(0), int64_t(2))
// CHECK:       everyOf(pairs_, int64_t(1), int64_t(2))
// CHECK:       createSub(builder, location, ::glow::elementOf(

#ifdef SHORT
def : OnnxImport<"Short", 1, (ins "pairs..."), (ins), [{ Y = fold(Add, map(Sub, pairs)); }]>;
// SHORT: map.td:[[#@LINE-1]]:72: error: 'map' takes a node of one result and a list of tensors for each operand
// SHORT-NEXT: {{^.+}}
// SHORT-NEXT: {{^ *\^}}
#endif
#ifdef SINGLE
def : OnnxImport<"Single", 1, (ins "X"), (ins), [{ Y = fold(Add, map(Neg, X)); }]>;
// SINGLE: map.td:[[#@LINE-1]]:75: error: 'map' needs a list of tensors
// SINGLE-NEXT: {{^.+}}
// SINGLE-NEXT: {{^ *\^}}
#endif
#ifdef STEP
def : OnnxImport<"Step", 1, (ins "pairs..."), (ins), [{ Y = fold(Add, every(pairs, 2)); }]>;
// STEP: map.td:[[#@LINE-1]]:71: error: 'every' takes a list of tensors, the first and the step
// STEP-NEXT: {{^.+}}
// STEP-NEXT: {{^ *\^}}
#endif

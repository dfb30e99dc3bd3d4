// RUN: %classgen %library -gen-onnx-imports %s | FileCheck %s
// RUN: not %classgen %library -gen-onnx-imports %s -DSHORT 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %classgen %library -gen-onnx-imports %s -DKIND 2>&1 | FileCheck %s --check-prefix=KIND
// Axes and words that a model lists are looked at before anything is made of them.

include "glow/Glow.td"

def : OnnxImport<"Flat", 1, (ins "X"), (ins MaybeInts:$axes, Words<"all", ["all", "some"]>:$which), [{
  Y = ReduceSum(X, axesOf(axes, rank(X)));
}]>;
// CHECK-LABEL: importFlat1(
// CHECK:       import.checkWord("which", which_, {"all", "some"})
// CHECK:       = import.axesOf(axes_, ::glow::rankOf(X_));
// CHECK-NEXT:  if (failed(
// CHECK:       createReduceSum(

#ifdef SHORT
def : OnnxImport<"Short", 1, (ins "X"), (ins MaybeInts:$axes), [{ Y = ReduceSum(X, axesOf(axes)); }]>;
// SHORT: axes_of.td:[[#@LINE-1]]:84: error: 'axesOf' takes axes and a rank
// SHORT-NEXT: {{^.+}}
// SHORT-NEXT: {{^ *\^}}
#endif
#ifdef KIND
def : OnnxImport<"Kind", 1, (ins "X"), (ins MaybeInts:$axes), [{ Y = ReduceSum(X, axesOf(2.5, 3)); }]>;
// KIND: axes_of.td:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axes
#endif

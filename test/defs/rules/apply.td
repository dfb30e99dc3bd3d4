// RUN: %classgen %library -gen-onnx-imports %s | FileCheck %s
// RUN: not %classgen %library -gen-onnx-imports %s -DNUMBER 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %classgen %library -gen-onnx-imports %s -DALONE 2>&1 | FileCheck %s --check-prefix=ALONE
// A graph that is an attribute is made where it stands, of a tensor.

include "glow/Glow.td"

def : OnnxImport<"Changed", 1, (ins "X"), (ins MaybeGraph:$change), [{
  Y = if(present(change), apply(change, -X), X);
}]>;
// CHECK-LABEL: importChanged1(
// CHECK:       std::string change_ = "change";
// CHECK:       if (import.hasAttribute("change")) {
// CHECK:       import.inlineGraph(change_, ::mlir::ValueRange({{.+}}.getResult()));
// CHECK:       if ([[NAME:.+]]->size() != 1)
// CHECK:       = [[NAME]]->front();

#ifdef NUMBER
def : OnnxImport<"Number", 1, (ins "X"), (ins 1:$change), [{ Y = apply(change, X); }]>;
// NUMBER: apply.td:[[#@LINE-1]]:66: error: 'apply' takes an attribute that is a graph, and a tensor
// NUMBER-NEXT: {{^.+}}
// NUMBER-NEXT: {{^ *\^}}
#endif
#ifdef ALONE
def : OnnxImport<"Alone", 1, (ins "X"), (ins MaybeGraph:$change), [{ Y = apply(change); }]>;
// ALONE: apply.td:[[#@LINE-1]]:74: error: 'apply' takes an attribute that is a graph, and a tensor
// ALONE-NEXT: {{^.+}}
// ALONE-NEXT: {{^ *\^}}
#endif

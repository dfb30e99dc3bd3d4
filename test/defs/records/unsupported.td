// RUN: %classgen %library -gen-onnx-imports %s | FileCheck %s
// RUN: not %classgen %library -gen-onnx-imports -DIMPORTED %s -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
// Why an operator is not imported is data, and is refused once one is.

include "glow/Glow.td"

def : OnnxUnsupported<"Dream", 3, "a reason"> { let domain = "com.vendor"; }
// CHECK: refusalTable = {
// CHECK-DAG: {"com.vendor", "Dream", 3, "a reason"},

#ifdef IMPORTED
def : OnnxImport<"Dream", 5, (ins "X"), (ins), "Y = X;"> { let domain = "com.vendor"; }
#endif
// REFUSED: unsupported.td:[[#@LINE-7]]:{{.*}}error: 'Dream' is imported by the record at records/unsupported.td:[[#@LINE-2]]

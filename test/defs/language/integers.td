// RUN: %classgen -gen-node-table %s | FileCheck %s
// RUN: %classgen -gen-onnx-imports -DIMPORTS %s | FileCheck %s --check-prefix=IMPORTS
// RUN: not %classgen -gen-node-table -DBIAS_ALONE %s -o %t 2>&1 | FileCheck %s --check-prefix=BIAS
// RUN: not %classgen -gen-node-table -DNO_OPERAND %s -o %t 2>&1 | FileCheck %s --check-prefix=OPERAND
// RUN: not %classgen -gen-onnx-imports -DFORMER %s -o %t 2>&1 | FileCheck %s --check-prefix=FORMER
// Facts about quantization are data of the node's record. An import has the opset from
// which its operator takes bf16.

include "glow/Glow.td"

#ifdef BIAS_ALONE
def Dream : Unary<"dream", [{ x }], Floats> {
  let summary = "x";
  let integers = [Bias<"x">];
}
#endif
#ifdef NO_OPERAND
def Dream : Unary<"dream", [{ x }], Floats> {
  let summary = "x";
  let integers = [Integers<"y">];
}
#endif

let domain = "com.vendor" in {
#ifdef IMPORTS
def : OnnxImport<"Blend", 1, (ins "A", "B"), (ins), "Y = A + B;"> { let bf16From = 7; }
#endif
#ifdef FORMER
def : OnnxImport<"Dream", 1, (ins "X"), (ins), "Y = X;"> { let quantizedAs = Conv; }
#endif
}

// CHECK:      ConcatIntegers[] = {
// CHECK-NEXT:   {0, true, 1, false, false},
// CHECK:      ConvIntegers[] = {
// CHECK-NEXT:   {0, false, 1, false, false},
// CHECK-NEXT:   {1, false, 0, true, false},
// CHECK-NEXT:   {2, false, -1, false, true},
// CHECK:      MaxPoolIntegers[] = {
// CHECK-NEXT:   {0, false, 1, false, false},
// CHECK:      "glow.max_pool"
// CHECK:      {MaxPoolIntegers, true, true, false}

// IMPORTS:    {"com.vendor", "Blend", 1, {{.*}}Makes, false, 0, 7, {}

// BIAS:     error: `integers` names 0 weights and 1 biases; there should be one of each at most, and no bias without weights
// OPERAND:  error: `integers` names 'y', which should be an operand of 'Dream'
// FORMER:   error: Value 'quantizedAs' unknown!

// RUN: %classgen -gen-onnx-imports %s | FileCheck %s
// RUN: %classgen -gen-node-table %s | FileCheck %s --check-prefix=NODES
// RUN: not %classgen -gen-onnx-imports -DNO_INPUT %s -o %t 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not %classgen -gen-onnx-imports -DNO_ATTRIBUTE %s -o %t 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not %classgen -gen-onnx-imports -DBIAS_ALONE %s -o %t 2>&1 | FileCheck %s --check-prefix=BIAS
// RUN: not %classgen -gen-onnx-imports -DFEW_INPUTS %s -o %t 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not %classgen -gen-node-table -DNO_OPERAND %s -o %t 2>&1 | FileCheck %s --check-prefix=OPERAND
// Facts about quantization are data of the node's record, or of the import's where the
// operator is no node.

include "glow/Glow.td"

let domain = "com.vendor" in {
def : OnnxImport<"Blend", 1, (ins "A", "B", "C?"), (ins 0:$turn), "Y = A + B;"> {
  let integers = [Integers<"A">, Weights<"B", 0, "turn">, Bias<"C">];
}
def : OnnxImport<"Heap", 1, (ins "all..."), (ins), "Y = fold(Add, all);"> {
  let integers = [Integers<"all">];
}
def : OnnxImport<"Shift", 1, (ins "X"), (ins), "Y = X;"> {
  let movesElements = 1;
}
def : OnnxImport<"Window", 1, (ins "image", "weights", "bias?"), (ins),
                 "Y = Conv(image, weights, bias, [1], [0, 0], [1], 1);"> {
  let quantizedAs = Conv;
}
#ifdef FEW_INPUTS
def : OnnxImport<"Dream", 1, (ins "X"), (ins), "Y = X;"> { let quantizedAs = Conv; }
#endif
#ifdef NO_INPUT
def : OnnxImport<"Dream", 1, (ins "X"), (ins), "Y = X;"> { let integers = [Integers<"Z">]; }
#endif
#ifdef NO_ATTRIBUTE
def : OnnxImport<"Dream", 1, (ins "X"), (ins), "Y = X;"> { let integers = [Weights<"X", 0, "turn">]; }
#endif
#ifdef BIAS_ALONE
def : OnnxImport<"Dream", 1, (ins "X"), (ins), "Y = X;"> { let integers = [Bias<"X">]; }
#endif
}
#ifdef NO_OPERAND
def Dream : Unary<"dream", [{ x }], Floats> {
  let summary = "x";
  let integers = [Integers<"y">];
}
#endif

// CHECK:      importcom_vendor_Blend1Integers[] = {
// CHECK-NEXT:   {0, false, 1, "", false, false},
// CHECK-NEXT:   {1, false, 0, "turn", true, false},
// CHECK-NEXT:   {2, false, -1, "", false, true},
// CHECK:      importcom_vendor_Heap1Integers[] = {
// CHECK-NEXT:   {0, true, 1, "", false, false},
// CHECK:      importcom_vendor_Window1Integers[] = {
// CHECK-NEXT:   {0, false, 1, "", false, false},
// CHECK-NEXT:   {1, false, 0, "", true, false},
// CHECK-NEXT:   {2, false, -1, "", false, true},
// CHECK:      {"com.vendor", "Blend", 1, {{.*}}importcom_vendor_Blend1Integers, false, false, false, 0}
// CHECK:      {"com.vendor", "Shift", 1, {{.*}}{{[{][{][}]}}, true, true, false, 0}

// INPUT: error: no input is called 'Z', which `integers` names
// ATTRIBUTE: error: no attribute is called 'turn', which turns input 'X'
// BIAS: error: `integers` names 0 weights and 1 biases; there should be one of each at most, and no bias without weights
// FEW: error: it is quantized as 'Conv', which has 3 operands, but has 1 inputs
// OPERAND: error: `integers` names 'y', which should be an operand of 'Dream' that no attribute turns

// NODES:      ConcatIntegers[] = {
// NODES-NEXT:   {0, true, 1, "", false, false},
// NODES:      MaxPoolIntegers[] = {
// NODES-NEXT:   {0, false, 1, "", false, false},
// NODES:      "glow.max_pool"
// NODES:      {MaxPoolIntegers, true, true, false, 0}

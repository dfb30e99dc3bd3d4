// RUN: glow-opt %s | glow-opt | FileCheck %s
// RUN: glow-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Each element kind has a name, and each name the same type.
// CHECK-LABEL: @kinds
// CHECK:         %float = weight float<2>, constant
// CHECK-NEXT:    %float16 = weight float16<2>, constant
// CHECK-NEXT:    %bfloat16 = weight bfloat16<2>, constant
// CHECK-NEXT:    %double = weight double<2>, constant
// CHECK-NEXT:    %i8 = weight i8<2>, constant
// CHECK-NEXT:    %i16 = weight i16<2>, constant
// CHECK-NEXT:    %i32 = weight i32<2>, constant
// CHECK-NEXT:    %i64 = weight i64<2>, constant
// CHECK-NEXT:    %u8 = weight u8<2>, constant
// CHECK-NEXT:    %u16 = weight u16<2>, constant
// CHECK-NEXT:    %u32 = weight u32<2>, constant
// CHECK-NEXT:    %u64 = weight u64<2>, constant
// CHECK-NEXT:    %bool = weight bool<2>, constant
// GENERIC:       ^bb0(%{{.*}}: !glowir.buf<2xf32>, %{{.*}}: !glowir.buf<2xf16>,
// GENERIC-SAME:    !glowir.buf<2xbf16>, %{{.*}}: !glowir.buf<2xf64>,
// GENERIC-SAME:    !glowir.buf<2xi8>, %{{.*}}: !glowir.buf<2xi16>,
// GENERIC-SAME:    !glowir.buf<2xi32>, %{{.*}}: !glowir.buf<2xi64>,
// GENERIC-SAME:    !glowir.buf<2xui8>, %{{.*}}: !glowir.buf<2xui16>,
// GENERIC-SAME:    !glowir.buf<2xui32>, %{{.*}}: !glowir.buf<2xui64>,
// GENERIC-SAME:    !glowir.buf<2xi1>
glowir.func @kinds declare {
  %float = weight float<2>, constant
  %float16 = weight float16<2>, constant
  %bfloat16 = weight bfloat16<2>, constant
  %double = weight double<2>, constant
  %i8 = weight i8<2>, constant
  %i16 = weight i16<2>, constant
  %i32 = weight i32<2>, constant
  %i64 = weight i64<2>, constant
  %u8 = weight u8<2>, constant
  %u16 = weight u16<2>, constant
  %u32 = weight u32<2>, constant
  %u64 = weight u64<2>, constant
  %bool = weight bool<2>, constant
} program {
}

// A number has no dimensions; a size may be 0, and is not read as 0x4.
// CHECK-LABEL: @shapes
// CHECK:         %number = weight float<>, constant
// CHECK-NEXT:    %none = weight float<0 x 4>, constant
// CHECK-NEXT:    %tight = weight float<0 x 4>, constant
// CHECK-NEXT:    %local = weight float<local>, constant
// CHECK-NEXT:    %far = weight float<2 x 3, local>, constant
glowir.func @shapes declare {
  %number = weight float<>, constant
  %none = weight float<0 x 4>, constant
  %tight = weight float<0x4>, constant
  %local = weight float<local>, constant
  %far = weight float<2 x 3, local>, constant
} program {
}

// A scale and an offset stand with the kind; whatever says more is a type.
// CHECK-LABEL: @quantized
// CHECK:         %a = weight i8<S:1.000000e-01 O:3, 8 x 16>, constant
// CHECK-NEXT:    %b = weight u8<S:5.000000e-01 O:0>, constant
// CHECK-NEXT:    %c = weight i32<S:2.500000e-01 O:-7, 4, local>, constant
// CHECK-NEXT:    %d = weight !glowir.buf<4x2x!quant.uniform<i8:f32:1, {1.000000e-01,2.000000e-01}>>, constant
// CHECK-NEXT:    %e = weight !glowir.buf<4x!quant.uniform<i8<-127:127>:f32, 1.000000e-01>>, constant
// CHECK-NEXT:    %f = weight i8<S:1.000000e-01 O:0, 4>, constant
// GENERIC:       ^bb0(%{{.*}}: !glowir.buf<8x16x!quant.uniform<i8:f32, 1.000000e-01:3>>,
// GENERIC-SAME:    !glowir.buf<!quant.uniform<u8:f32, 5.000000e-01>>
glowir.func @quantized declare {
  %a = weight i8<S:0.1 O:3, 8 x 16>, constant
  %b = weight u8<S:0.5 O:0>, constant
  %c = weight i32<S:0.25 O:-7, 4, local>, constant
  %d = weight !glowir.buf<4x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>, constant
  %e = weight !glowir.buf<4x!quant.uniform<i8<-127:127>:f32, 0.1>>, constant
  %f = weight !glowir.buf<4x!quant.uniform<i8:f32, 0.1>>, constant
} program {
}

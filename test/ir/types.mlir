// RUN: glow-opt %s | glow-opt | FileCheck %s
// RUN: glow-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Each element kind has a name, and each name the same type.
// CHECK-LABEL: @kinds
// CHECK:         %float = binding float<2>, constant
// CHECK-NEXT:    %float16 = binding float16<2>, constant
// CHECK-NEXT:    %bfloat16 = binding bfloat16<2>, constant
// CHECK-NEXT:    %double = binding double<2>, constant
// CHECK-NEXT:    %i8 = binding i8<2>, constant
// CHECK-NEXT:    %i16 = binding i16<2>, constant
// CHECK-NEXT:    %i32 = binding i32<2>, constant
// CHECK-NEXT:    %i64 = binding i64<2>, constant
// CHECK-NEXT:    %u8 = binding u8<2>, constant
// CHECK-NEXT:    %u16 = binding u16<2>, constant
// CHECK-NEXT:    %u32 = binding u32<2>, constant
// CHECK-NEXT:    %u64 = binding u64<2>, constant
// CHECK-NEXT:    %bool = binding bool<2>, constant
// GENERIC:       ^bb0(%{{.*}}: !glowir.buf<2xf32>, %{{.*}}: !glowir.buf<2xf16>,
// GENERIC-SAME:    !glowir.buf<2xbf16>, %{{.*}}: !glowir.buf<2xf64>,
// GENERIC-SAME:    !glowir.buf<2xi8>, %{{.*}}: !glowir.buf<2xi16>,
// GENERIC-SAME:    !glowir.buf<2xi32>, %{{.*}}: !glowir.buf<2xi64>,
// GENERIC-SAME:    !glowir.buf<2xui8>, %{{.*}}: !glowir.buf<2xui16>,
// GENERIC-SAME:    !glowir.buf<2xui32>, %{{.*}}: !glowir.buf<2xui64>,
// GENERIC-SAME:    !glowir.buf<2xi1>
glowir.func @kinds declare {
  %float = binding float<2>, constant
  %float16 = binding float16<2>, constant
  %bfloat16 = binding bfloat16<2>, constant
  %double = binding double<2>, constant
  %i8 = binding i8<2>, constant
  %i16 = binding i16<2>, constant
  %i32 = binding i32<2>, constant
  %i64 = binding i64<2>, constant
  %u8 = binding u8<2>, constant
  %u16 = binding u16<2>, constant
  %u32 = binding u32<2>, constant
  %u64 = binding u64<2>, constant
  %bool = binding bool<2>, constant
} program {
}

// A number has no dimensions; a size may be 0, and is not read as 0x4.
// CHECK-LABEL: @shapes
// CHECK:         %number = binding float<>, constant
// CHECK-NEXT:    %none = binding float<0 x 4>, constant
// CHECK-NEXT:    %tight = binding float<0 x 4>, constant
// CHECK-NEXT:    %local = binding float<local>, constant
// CHECK-NEXT:    %far = binding float<2 x 3, local>, constant
glowir.func @shapes declare {
  %number = binding float<>, constant
  %none = binding float<0 x 4>, constant
  %tight = binding float<0x4>, constant
  %local = binding float<local>, constant
  %far = binding float<2 x 3, local>, constant
} program {
}

// A scale and an offset stand with the kind; any other quantization is a type.
// CHECK-LABEL: @quantized
// CHECK:         %a = binding i8<S:1.000000e-01 O:3, 8 x 16>, constant
// CHECK-NEXT:    %b = binding u8<S:5.000000e-01 O:0>, constant
// CHECK-NEXT:    %c = binding i32<S:2.500000e-01 O:-7, 4, local>, constant
// CHECK-NEXT:    %d = binding !glowir.buf<4x2x!quant.uniform<i8:f32:1, {1.000000e-01,2.000000e-01}>>, constant
// CHECK-NEXT:    %e = binding !glowir.buf<4x!quant.uniform<i8<-127:127>:f32, 1.000000e-01>>, constant
// CHECK-NEXT:    %f = binding i8<S:1.000000e-01 O:0, 4>, constant
// GENERIC:       ^bb0(%{{.*}}: !glowir.buf<8x16x!quant.uniform<i8:f32, 1.000000e-01:3>>,
// GENERIC-SAME:    !glowir.buf<!quant.uniform<u8:f32, 5.000000e-01>>
glowir.func @quantized declare {
  %a = binding i8<S:0.1 O:3, 8 x 16>, constant
  %b = binding u8<S:0.5 O:0>, constant
  %c = binding i32<S:0.25 O:-7, 4, local>, constant
  %d = binding !glowir.buf<4x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>, constant
  %e = binding !glowir.buf<4x!quant.uniform<i8<-127:127>:f32, 0.1>>, constant
  %f = binding !glowir.buf<4x!quant.uniform<i8:f32, 0.1>>, constant
} program {
}

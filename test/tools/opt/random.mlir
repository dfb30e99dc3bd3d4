// Random numbers are on both sides of 0; integers are indices into anything.
// RUN: glow run %s --random | FileCheck %s
// CHECK: y: f32[2,50] min -0.9{{.*}} max 0.9
// CHECK: j: i64[30] min 0 max 1
// CHECK: c: i8[200] min -{{.*}} max {{[1-9]}}
glow.placeholder @x input : tensor<2x50xf32>
glow.placeholder @i input : tensor<30xi64>
glow.placeholder @b input : tensor<200xi8>
glow.placeholder @y output : tensor<2x50xf32>
glow.placeholder @j output : tensor<30xi64>
glow.placeholder @c output : tensor<200xi8>
glow.func @main {
  %x = glow.read @x : tensor<2x50xf32>
  glow.save %x, @y : tensor<2x50xf32>
  %i = glow.read @i : tensor<30xi64>
  glow.save %i, @j : tensor<30xi64>
  %b = glow.read @b : tensor<200xi8>
  glow.save %b, @c : tensor<200xi8>
}

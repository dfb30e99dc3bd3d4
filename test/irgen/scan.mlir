// A scan becomes an instruction with its memory. A wrong text is an error with its place.
// RUN: glow-opt %s --split-input-file --generate-instrs --verify-diagnostics | FileCheck %s

// CHECK: glowir.func @main
// CHECK: %m = alloc float<4>
// CHECK: scan @out [%{{.*}}], @out [%m], @in [%x] {loops = "loops in f32 { tensor y: f32[4] tensor m: f32[4]
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  %y = glow.scan "loops in f32 { tensor y: f32[4] tensor m: f32[4] tensor x: f32[4] for i in 4 { m[i] = tanh(x[i]) } for i in 4 { y[i] = m[3 - i] } }"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{has wrong loops, at character}}
  %y = glow.scan "loops in f32 { tensor y: f32[4] tensor x: f32[4] for i in 4 { y[i] = z[i] } }"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{has loops whose tensor 'x' has another type than its buffer}}
  %y = glow.scan "loops in f32 { tensor y: f32[4] tensor x: f32[5] for i in 4 { y[i] = x[i] } }"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{has loops of 1 tensors, and 2 results and operands}}
  %y = glow.scan "loops in f32 { tensor y: f32[4] for i in 4 { y[i] = 1.0 } }"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}

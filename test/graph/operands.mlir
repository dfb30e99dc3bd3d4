// RUN: glow-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// An absent operand is `none` before one that is there, and nothing behind the
// last; a list is in brackets where another operand varies.
glow.placeholder @x input : tensor<1x4xf32>
glow.placeholder @s input : tensor<4xf32>
glow.func @absent {
  %x = glow.read @x : tensor<1x4xf32>
  %s = glow.read @s : tensor<4xf32>
  // CHECK: glow.layer_norm %x axis 1 epsilon
  %a = glow.layer_norm %x axis 1 epsilon 1.0e-5 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  // CHECK: glow.layer_norm %x, none, %s axis 1
  %b = glow.layer_norm %x, none, %s axis 1 epsilon 1.0e-5 : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  // CHECK: glow.layer_norm %x, %s axis 1
  %c = glow.layer_norm %x, %s, none axis 1 epsilon 1.0e-5 : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  // CHECK: glow.concat %a, %b, %c axis 0
  %d = glow.concat %a, %b, %c axis 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.func @few {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{'glow.add' takes 2 operands, found 1: 'rhs' is missing}}
  %y = glow.add %x : (tensor<4xf32>) -> tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.func @many {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{'glow.relu' takes 1 operand, found 2: the last is 'x'}}
  %y = glow.relu %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.func @never_absent {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{operand 'rhs' of 'glow.add' is one value, found none}}
  %y = glow.add %x, none : (tensor<4xf32>) -> tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<1x4xf32>
glow.func @follows {
  %x = glow.read @x : tensor<1x4xf32>
  // expected-error@+1 {{'operandSegmentSizes' of 'glow.layer_norm' follows from what stands before the braces}}
  %y = glow.layer_norm %x axis 1 epsilon 1.0e-5 {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.func @what {
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{expected an operand, none or a list}}
  %y = glow.add %x, 5 : (tensor<4xf32>) -> tensor<4xf32>
}

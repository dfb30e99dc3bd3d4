// RUN: split-file %s %t
// RUN: not glow-opt %t/missing.mlir --differentiate 2>&1 | FileCheck %s
// RUN: not glow-opt %t/one.mlir --differentiate=of=logits 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not glow-opt %t/one.mlir --differentiate=of=best 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not glow-opt %t/one.mlir --differentiate 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not glow-opt %t/one.mlir --differentiate="of=loss names=v" 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not glow-opt %t/one.mlir --differentiate=of=far 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not glow-opt %t/one.mlir --differentiate=of=loss --differentiate=of=loss 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not glow-opt %t/frozen.mlir --differentiate 2>&1 | FileCheck %s --check-prefix=FROZEN
// RUN: not glow-opt %t/one.mlir --add-loss=loss=hinge 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: not glow-opt %t/one.mlir --add-loss=output=logits 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not glow-opt %t/one.mlir --add-loss=output=loss 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not glow-opt %t/one.mlir --add-optimizer=optimizer=lion 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not glow-opt %t/one.mlir --add-optimizer 2>&1 | FileCheck %s --check-prefix=GRADIENT
// RUN: not glow-opt %t/integers.mlir --make-trainable 2>&1 | FileCheck %s --check-prefix=INTEGERS

// One error lists every node without a gradient.
// CHECK: error: 'loss' cannot be differentiated: 2 nodes have no gradient
// CHECK: note: 'glow.scatter_elements' of reduction 'max' has no gradient; it must be none or add; path: loss <- y <- max <- w
// CHECK: note: 'glow.scatter_elements' of reduction 'min' has no gradient; it must be none or add; path: loss <- y <- min <- w

// NAME: error: no output is named 'logits'; there are: 'loss', 'best', 'far'
// KIND: error: output 'best' is of 'i64', and only floats can be differentiated
// CHOICE: error: the module has 2 outputs of one number, and should have one, or its name is given as 'of'; there are: 'loss', 'best', 'far'
// PATTERN: error: no input that can be trained matches 'v'; there are: w
// FAR: error: output 'far' depends on no trainable weight by nodes that can be differentiated
// TWICE: error: there is storage 'w.gradient' already, which training needs
// FROZEN: error: no input of f32 or f64 is trainable, so that there is nothing to differentiate by
// LOSS: error: there is no loss 'hinge'; there are: cross-entropy, squared-error, absolute-error, sigmoid-cross-entropy
// OUTPUT: error: the model has no output named 'logits'; its outputs are 'loss', 'best', 'far'
// RANK: error: output 'loss' is 'tensor<f32>', and should have rows and classes as its first axes
// OPTIMIZER: error: there is no optimizer 'lion'; there are: sgd, momentum, nesterov, adam, adamw, rmsprop, adagrad
// INTEGERS: error: no constant can be trained: none of f32 or f64 leads to an output by nodes that have gradients
// GRADIENT: error: no weight has a gradient, which differentiate would save

//--- missing.mlir
glow.placeholder @w input trainable : tensor<3xf32>
glow.placeholder @u input : tensor<2xf32>
glow.constant @i = dense<[0, 1]> : tensor<2xi64>
glow.placeholder @loss output : tensor<f32>
glow.func @main {
  %w = glow.read @w : tensor<3xf32>
  %u = glow.read @u : tensor<2xf32>
  %i = glow.read @i : tensor<2xi64>
  %max = glow.scatter_elements %w, %i, %u axis 0 reduction "max" : (tensor<3xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<3xf32>
  %min = glow.scatter_elements %w, %i, %u axis 0 reduction "min" : (tensor<3xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<3xf32>
  %y = glow.mul %max, %min : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %loss = glow.reduce_sum %y axes [0] keepDims false : (tensor<3xf32>) -> tensor<f32>
  glow.save %loss, @loss : tensor<f32>
}

//--- one.mlir
glow.placeholder @x input : tensor<3xf32>
glow.placeholder @w input trainable : tensor<3xf32>
glow.placeholder @loss output : tensor<f32>
glow.placeholder @best output : tensor<i64>
glow.placeholder @far output : tensor<f32>
glow.func @main {
  %x = glow.read @x : tensor<3xf32>
  %w = glow.read @w : tensor<3xf32>
  %y = glow.mul %x, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %loss = glow.reduce_sum %y axes [0] keepDims false : (tensor<3xf32>) -> tensor<f32>
  %best = glow.cast %loss kind i64 : (tensor<f32>) -> tensor<i64>
  %far = glow.reduce_sum %x axes [0] keepDims false : (tensor<3xf32>) -> tensor<f32>
  glow.save %loss, @loss : tensor<f32>
  glow.save %best, @best : tensor<i64>
  glow.save %far, @far : tensor<f32>
}

//--- frozen.mlir
glow.placeholder @x input : tensor<f32>
glow.placeholder @loss output : tensor<f32>
glow.func @main {
  %x = glow.read @x : tensor<f32>
  %loss = glow.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  glow.save %loss, @loss : tensor<f32>
}

//--- integers.mlir
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xi64>
glow.constant @w = dense<1.0> : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %w = glow.read @w : tensor<2xf32>
  %a = glow.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = glow.cast %a kind i64 : (tensor<2xf32>) -> tensor<2xi64>
  glow.save %y, @y : tensor<2xi64>
}

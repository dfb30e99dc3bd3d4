// RUN: glow-opt %s --differentiate 2>%t.log | FileCheck %s --check-prefix=PART
// RUN: FileCheck %s --check-prefix=UNREAD < %t.log

// Parts that reach no weight are cut away.
// PART-NOT: cos
// PART: glow.save {{.*}}, @w.gradient
// UNREAD: warning: weight 'other' has no gradient: nothing that can be differentiated leads from it to the output

glow.placeholder @x input : tensor<3xf32>
glow.placeholder @w input trainable : tensor<3xf32>
glow.placeholder @other input trainable : tensor<3xf32>
glow.placeholder @loss output : tensor<f32>
glow.func @main {
  %x = glow.read @x : tensor<3xf32>
  %w = glow.read @w : tensor<3xf32>
  %other = glow.read @other : tensor<3xf32>
  %floor = glow.floor %other : (tensor<3xf32>) -> tensor<3xf32>
  %sin = glow.sin %x : (tensor<3xf32>) -> tensor<3xf32>
  %y = glow.mul %sin, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %z = glow.add %floor, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %loss = glow.reduce_sum %z axes [0] keepDims false : (tensor<3xf32>) -> tensor<f32>
  glow.save %loss, @loss : tensor<f32>
}

// RUN: glow-opt %s --differentiate | FileCheck %s
// RUN: glow-opt %s --differentiate=names=w --differentiate="of=w.gradient names=w suffix=.second" | FileCheck %s --check-prefix=SECOND

// The loss is the sum of x * w * w + b, where x is no weight: no node multiplies by it twice for
// its own gradient. A weight that is read twice has one gradient.
// CHECK-LABEL: glow.placeholder @w.gradient output {glow.gradient_of = "w"} : tensor<3xf32>
// CHECK:       glow.placeholder @b.gradient output {glow.gradient_of = "b"} : tensor<3xf32>
// CHECK:         glow.save %loss, @loss
// CHECK:         [[EACH:%.*]] = glow.broadcast
// CHECK-NEXT:    [[OFXW:%.*]] = glow.mul [[EACH]], %again
// CHECK-NEXT:    [[AGAIN:%.*]] = glow.mul [[EACH]], %xw
// CHECK-NEXT:    [[W:%.*]] = glow.mul [[OFXW]], %x
// CHECK-NEXT:    [[BOTH:%.*]] = glow.add [[W]], [[AGAIN]]
// CHECK-NEXT:    glow.save [[BOTH]], @w.gradient
// CHECK-NEXT:    glow.save [[EACH]], @b.gradient

// SECOND: glow.placeholder @w.second output {glow.gradient_of = "w"}
// SECOND: glow.save {{.*}}, @w.second

glow.placeholder @x input : tensor<3xf32>
glow.placeholder @w input trainable : tensor<3xf32>
glow.placeholder @b input trainable : tensor<3xf32>
glow.placeholder @loss output : tensor<f32>
glow.func @main {
  %x = glow.read @x : tensor<3xf32>
  %w = glow.read @w : tensor<3xf32>
  %again = glow.read @w : tensor<3xf32>
  %b = glow.read @b : tensor<3xf32>
  %xw = glow.mul %x, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %square = glow.mul %xw, %again : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = glow.add %square, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %loss = glow.reduce_sum %y axes [0] keepDims false : (tensor<3xf32>) -> tensor<f32>
  glow.save %loss, @loss : tensor<f32>
}

// RUN: glow-opt %s --add-loss --make-trainable --differentiate --add-optimizer=optimizer=adam | FileCheck %s
// RUN: glow-opt %s --add-loss --make-trainable --differentiate --add-optimizer="optimizer=nesterov clip-norm=1.0 clip-value=0.5" | FileCheck %s --check-prefix=CLIP
// RUN: glow-opt %s --add-loss --make-trainable --differentiate --add-optimizer=apart=true | FileCheck %s --check-prefix=APART --implicit-check-not=training.l --implicit-check-not='@x ' --implicit-check-not=matmul
// RUN: glow-opt %s --add-loss=loss=squared-error | FileCheck %s --check-prefix=SQUARED

// A step reads the weights and the states of the optimizer, and gives their next values. The
// Softmax at the end and the loss become one logarithm.
// CHECK-DAG: glow.placeholder @training.labels input : tensor<4xi64>
// CHECK-DAG: glow.placeholder @training.rows input : tensor<4xf32>
// CHECK-DAG: glow.placeholder @training.rate input : tensor<f32>
// CHECK-DAG: glow.placeholder @training.steps input : tensor<f32>
// CHECK-DAG: glow.placeholder @training.steps.next output {glow.next_of = "training.steps"} : tensor<f32>
// CHECK-DAG: glow.placeholder @training.loss output : tensor<f32>
// CHECK-DAG: glow.placeholder @training.correct output : tensor<f32>
// CHECK-DAG: glow.placeholder @w input trainable : tensor<3x2xf32>
// CHECK-DAG: glow.placeholder @w.next output {glow.next_of = "w"} : tensor<3x2xf32>
// CHECK-DAG: glow.placeholder @w.mean input : tensor<3x2xf32>
// CHECK-DAG: glow.placeholder @w.square.next output {glow.next_of = "w.square"} : tensor<3x2xf32>
// CHECK-NOT: @probabilities output
// CHECK-NOT: .gradient
// CHECK: glow.log_softmax %{{.*}} axis 1
// CHECK: glow.adam {{.*}} beta1 9.000000e-01 beta2 {{0.99[0-9]*}} epsilon 1.000000e-08 decay 0.000000e+00 l1 0.000000e+00 l2 0.000000e+00
// CHECK: glow.save {{.*}}, @w.next
// CHECK: glow.save {{.*}}, @w.mean.next
// CHECK: glow.save {{.*}}, @w.square.next

// CLIP: glow.clip {{.*}} low -5.000000e-01 high 5.000000e-01
// CLIP: glow.clip_by_norm {{.*}} limit 1.000000e+00
// CLIP: glow.momentum {{.*}} momentum 9.000000e-01 nesterov true
// CLIP: glow.save {{.*}}, @w.next
// CLIP: glow.save {{.*}}, @w.velocity.next

// An update that is apart has nothing of the model, and takes the gradient.
// APART-DAG: glow.placeholder @w.gradient input : tensor<3x2xf32>
// APART-DAG: glow.placeholder @w.next output
// APART: glow.sgd %{{.*}}, %w.gradient

// SQUARED: glow.placeholder @training.labels input : tensor<4x2xf32>
// SQUARED-NOT: training.correct
// SQUARED: glow.softmax

glow.placeholder @x input : tensor<4x3xf32>
glow.placeholder @probabilities output : tensor<4x2xf32>
glow.constant @w = dense<0.5> : tensor<3x2xf32>
glow.func @main {
  %x = glow.read @x : tensor<4x3xf32>
  %w = glow.read @w : tensor<3x2xf32>
  %scores = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %probabilities = glow.softmax %scores axis 1 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  glow.save %probabilities, @probabilities : tensor<4x2xf32>
}

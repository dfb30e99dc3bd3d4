// RUN: glow-opt %s --make-trainable --training-layers | FileCheck %s
// RUN: glow-opt %s --make-trainable --training-layers=step=false | FileCheck %s --check-prefix=INFER
// RUN: glow-opt %s --make-trainable --training-layers="batch-norm=frozen dropout=off" | FileCheck %s --check-prefix=OFF
// RUN: glow-opt %s --make-trainable=names=w --training-layers | FileCheck %s --check-prefix=HEAD
// RUN: not glow-opt %s --training-layers=dropout=on 2>&1 | FileCheck %s --check-prefix=WORD

// In a step, statistics of the rows that count move the running ones, and a seed draws masks.
// CHECK-DAG: glow.placeholder @mean input : tensor<3xf32>
// CHECK-DAG: glow.placeholder @variance input : tensor<3xf32>
// CHECK-DAG: glow.placeholder @mean.moved output {glow.next_of = "mean"} : tensor<3xf32>
// CHECK-DAG: glow.placeholder @training.seed input : tensor<ui32>
// CHECK-DAG: glow.placeholder @training.seed.next output {glow.next_of = "training.seed"} : tensor<ui32>
// CHECK: [[ROWS:%.*]] = glow.read @training.rows
// CHECK: [[SOME:%.*]] = glow.greater [[ROWS]]
// CHECK: [[COUNTED:%.*]] = glow.cast [[SOME]]
// CHECK: glow.batch_norm_training {{.*}}, [[COUNTED]]
// CHECK: glow.dropout_training {{.*}} ratio 5.000000e-01 layer 7
// CHECK: glow.dropout_training {{.*}} ratio 2.500000e-01 layer 8
// CHECK: glow.save {{.*}}, @variance.moved

// Elsewhere, the running ones are inputs of the same names.
// INFER-DAG: glow.placeholder @mean input : tensor<3xf32>
// INFER-NOT: .moved
// INFER-NOT: @training.seed
// INFER: glow.batch_norm
// INFER-NOT: dropout

// OFF: glow.constant @mean
// OFF-NOT: glow.placeholder @mean
// OFF: glow.batch_norm
// OFF-NOT: dropout

// A layer without weights keeps its statistics.
// HEAD: glow.constant @mean
// HEAD: glow.batch_norm {{.*}} epsilon
// HEAD: glow.dropout_training

// WORD: error: 'on' is no word of 'dropout'; there are: train, off

glow.placeholder @x input : tensor<4x3xf32>
glow.placeholder @training.rows input : tensor<4xf32>
glow.placeholder @y output : tensor<4x3xf32>
glow.constant @w = dense<1.0> : tensor<4x3xf32>
glow.constant @scale = dense<1.0> : tensor<3xf32>
glow.constant @shift = dense<0.5> : tensor<3xf32>
glow.constant @mean = dense<0.0> : tensor<3xf32>
glow.constant @variance = dense<2.0> : tensor<3xf32>
glow.func @main {
  %x = glow.read @x : tensor<4x3xf32>
  %w = glow.read @w : tensor<4x3xf32>
  %scale = glow.read @scale : tensor<3xf32>
  %shift = glow.read @shift : tensor<3xf32>
  %mean = glow.read @mean : tensor<3xf32>
  %variance = glow.read @variance : tensor<3xf32>
  %a = glow.mul %x, %w : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %b, %next, %moved, %average, %inverse = glow.batch_norm_training %a, %scale, %shift, %mean, %variance, none epsilon 1.0e-5 momentum 0.9 unbiased true : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  %c, %kept = glow.dropout %b ratio 0.5 layer 7 : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xi1>)
  %d, %all = glow.dropout %c ratio 0.25 layer 8 : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xi1>)
  %rows = glow.read @training.rows : tensor<4xf32>
  glow.save %d, @y : tensor<4x3xf32>
}

// RUN: glow-opt %s --make-trainable | FileCheck %s
// RUN: glow-opt %s --make-trainable=names=head.* | FileCheck %s --check-prefix=HEAD
// RUN: glow-opt %s --make-trainable=among=body.w | FileCheck %s --check-prefix=AMONG
// RUN: glow-opt %s --make-trainable=of=other | FileCheck %s --check-prefix=OTHER
// RUN: not glow-opt %s --make-trainable=names=tail.* 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not glow-opt %s --make-trainable=names=[ 2>&1 | FileCheck %s --check-prefix=REGEX

// Weights become inputs. The statistics of a normalization, a number, indices, and what no
// output reads stay.
// CHECK-DAG: glow.placeholder @body.w input trainable : tensor<2x3xf32>
// CHECK-DAG: glow.placeholder @head.w input trainable : tensor<3xf32>
// CHECK-DAG: glow.constant @mean
// CHECK-DAG: glow.constant @factor
// CHECK-DAG: glow.constant @rows
// CHECK-DAG: glow.constant @unread

// HEAD-DAG: glow.constant @body.w
// HEAD-DAG: glow.placeholder @head.w input trainable

// AMONG-DAG: glow.placeholder @body.w input trainable
// AMONG-DAG: glow.constant @head.w

// OTHER-DAG: glow.constant @body.w
// OTHER-DAG: glow.placeholder @other.w input trainable

// NONE: error: no constant that can be trained matches 'tail.*'; there are: body.w, head.w, head.s, {{.*}}other.w
// REGEX: error: '[' is no regular expression: missing ]: [

glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @y output : tensor<2x3xf32>
glow.placeholder @other output : tensor<2x3xf32>
glow.constant @body.w = dense<1.0> : tensor<2x3xf32>
glow.constant @head.w = dense<1.0> : tensor<3xf32>
glow.constant @head.s = dense<1.0> : tensor<3xf32>
glow.constant @mean = dense<0.0> : tensor<3xf32>
glow.constant @variance = dense<1.0> : tensor<3xf32>
glow.constant @other.w = dense<1.0> : tensor<2x3xf32>
glow.constant @factor = dense<2.0> : tensor<1xf32>
glow.constant @rows = dense<[1, 0]> : tensor<2xi64>
glow.constant @unread = dense<1.0> : tensor<2x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  %w = glow.read @body.w : tensor<2x3xf32>
  %scale = glow.read @head.w : tensor<3xf32>
  %bias = glow.read @head.s : tensor<3xf32>
  %mean = glow.read @mean : tensor<3xf32>
  %variance = glow.read @variance : tensor<3xf32>
  %rows = glow.read @rows : tensor<2xi64>
  %factor = glow.read @factor : tensor<1xf32>
  %unread = glow.read @unread : tensor<2x3xf32>
  %all = glow.broadcast %factor dims [2, 3] axis -1 : (tensor<1xf32>) -> tensor<2x3xf32>
  %a = glow.mul %x, %all : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = glow.mul %a, %w : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = glow.gather %b, %rows axis 0 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %y = glow.batch_norm %c, %scale, %bias, %mean, %variance epsilon 1.0e-5 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  glow.save %y, @y : tensor<2x3xf32>
  %v = glow.read @other.w : tensor<2x3xf32>
  %other = glow.mul %x, %v : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  glow.save %other, @other : tensor<2x3xf32>
}

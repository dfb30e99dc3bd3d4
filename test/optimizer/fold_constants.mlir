// RUN: glow-opt %s --fold-constants --simplify-graph | FileCheck %s
// RUN: glow-opt %s --fold-constants=limit=8 --simplify-graph | FileCheck %s --check-prefix=SMALL
// RUN: glow-opt %s '--fold-constants=limit=0 widen=true' | FileCheck %s --check-prefix=WIDE

// Known values are computed once, when the model is compiled; values that
// depend on an input stay.
// CHECK-LABEL: glow.func @main
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK:       %[[SUM:.*]] = glow.read @sum :
// CHECK:       glow.mul %[[X]], %[[SUM]]
// CHECK-NOT:   glow.add
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @v input : tensor<2x2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.placeholder @z output : tensor<2x2xf32>
glow.constant @a = dense<[1.0, 2.0]> : tensor<2xf32>
glow.constant @b = dense<[3.0, 4.0]> : tensor<2xf32>
glow.constant @w = dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %a = glow.read @a : tensor<2xf32>
  %b = glow.read @b : tensor<2xf32>
  %sum = glow.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = glow.mul %x, %sum : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}

// Beyond the limit a repeated constant stays a node, but a product with it that
// is no larger than its factors is known.
// SMALL-LABEL: glow.func @repeated
// SMALL:       %[[BOTH:.*]] = glow.broadcast
// SMALL-NOT:   glow.mul
// SMALL:       glow.sub %{{.*}}, %[[BOTH]]
// SMALL-NEXT:  glow.add %{{.*}}, %{{.*}}
// SMALL-NEXT:  glow.save
// CHECK-LABEL: glow.func @repeated
// CHECK-NOT:   glow.broadcast
glow.func @repeated {
  %x = glow.read @v : tensor<2x2xf32>
  %a = glow.read @a : tensor<2xf32>
  %w = glow.read @w : tensor<2x2xf32>
  %rows = glow.broadcast %a dims [2, 2] axis -1 : (tensor<2xf32>) -> tensor<2x2xf32>
  %product = glow.mul %w, %rows : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %less = glow.sub %x, %rows : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = glow.add %less, %product : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  glow.save %y, @z : tensor<2x2xf32>
}

// A value that two of the nodes need is there for both.
// SMALL-LABEL: glow.func @diamond
// SMALL:       %[[SUM:.*]] = glow.read @[[FOLDED:sum.*]] :
// SMALL:       glow.mul %{{.*}}, %[[SUM]]
glow.func @diamond {
  %x = glow.read @x : tensor<2xf32>
  %a = glow.read @a : tensor<2xf32>
  %rows = glow.broadcast %a dims [2, 2] axis -1 : (tensor<2xf32>) -> tensor<2x2xf32>
  %negative = glow.neg %rows : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %less = glow.sub %rows, %negative : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %sum = glow.reduce_sum %less axes [0] keepDims false : (tensor<2x2xf32>) -> tensor<2xf32>
  %y = glow.mul %x, %sum : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}

// Numbers may become wider when elements are what counts; repeated ones stay.
// SMALL-LABEL: glow.func @wider
// SMALL:       glow.cast
// WIDE-LABEL: glow.func @wider
// WIDE:       %[[WIDE:.*]] = glow.read @wide{{.+}} : tensor<3xf64>
// WIDE:       glow.broadcast %[[WIDE]]
glow.constant @bytes = dense<[1, 2, 3]> : tensor<3xi8>
glow.placeholder @wide output : tensor<2x3xf64>
glow.func @wider {
  %bytes = glow.read @bytes : tensor<3xi8>
  %wide = glow.cast %bytes kind f64 : (tensor<3xi8>) -> tensor<3xf64>
  %both = glow.broadcast %wide dims [2, 3] axis -1 : (tensor<3xf64>) -> tensor<2x3xf64>
  glow.save %both, @wide : tensor<2x3xf64>
}

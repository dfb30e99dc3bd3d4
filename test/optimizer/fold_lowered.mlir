// Values that rules make of constants are computed, however large they are. The
// model's own nodes stay, and so do nodes that only repeat elements.
// RUN: glow-opt %s '--fold-constants=limit=8 marks=true' | FileCheck %s --check-prefix=MARKED
// RUN: glow-opt %s '--fold-constants=limit=8 marks=true' --lower-for-backend=backend=interpreter '--fold-constants=limit=8 lowered=true' | FileCheck %s
// RUN: glow-opt %s '--fold-constants=limit=8 marks=true' '--fold-constants=limit=8 lowered=true keep-marks=true' | FileCheck %s --check-prefix=MARKED

glow.placeholder @x input : tensor<2x4xf32>
glow.placeholder @y output : tensor<2x4xf32>
glow.constant @row = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
glow.constant @bytes = dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi8>

// MARKED-LABEL: glow.func @model
// MARKED:       glow.cast {{.*}} {glow.stays}
// CHECK-LABEL:  glow.func @model
// CHECK:        glow.cast
// CHECK-NOT:    stays
glow.func @model {
  %x = glow.read @x : tensor<2x4xf32>
  %bytes = glow.read @bytes : tensor<8xi8>
  %wide = glow.cast %bytes kind f32 : (tensor<8xi8>) -> tensor<8xf32>
  %rows = glow.reshape %wide dims [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
  %y = glow.mul %x, %rows : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  glow.save %y, @y : tensor<2x4xf32>
}

// The exponential of what is repeated is part of a lowering, and the repeated row
// is none of its own.
// CHECK-LABEL:  glow.func @lowered
// CHECK:        %[[ROWS:.*]] = glow.broadcast
// CHECK-NOT:    glow.{{exp|div}}
// CHECK:        %[[KNOWN:.*]] = glow.read @soft{{.*}} : tensor<2x4xf32>
// CHECK-NEXT:   %[[PRODUCT:.*]] = glow.mul %[[KNOWN]], %{{.*}}
// CHECK-NEXT:   glow.add %[[PRODUCT]], %[[ROWS]]
glow.placeholder @z output : tensor<2x4xf32>
glow.func @lowered {
  %x = glow.read @x : tensor<2x4xf32>
  %row = glow.read @row : tensor<4xf32>
  %rows = glow.broadcast %row dims [2, 4] axis -1 : (tensor<4xf32>) -> tensor<2x4xf32>
  %soft = glow.softmax %rows axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %known = glow.mul %soft, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %z = glow.add %known, %rows : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  glow.save %z, @z : tensor<2x4xf32>
}

// RUN: glow-opt %s --cpu-fuse | FileCheck %s

glow.placeholder @x input : tensor<1x5x6xf32>
glow.placeholder @far input : tensor<1x7x6xf32>
glow.placeholder @given input : tensor<6x6xf32>
glow.placeholder @y output : tensor<1x5x4xf32>
glow.placeholder @keys output : tensor<5x6xf32>
glow.constant @wq = dense<0.1> : tensor<6x6xf32>
glow.constant @wk = dense<0.2> : tensor<6x6xf32>
glow.constant @wv = dense<0.3> : tensor<6x4xf32>
glow.constant @bq = dense<0.4> : tensor<6xf32>
glow.constant @bk = dense<0.5> : tensor<6xf32>
glow.constant @bv = dense<0.6> : tensor<4xf32>

// Queries, keys and values of one tensor are columns of one product, with what
// is added to them.
// CHECK-LABEL: glow.func @one_tensor
// CHECK-DAG: %[[WQ:.*]] = glow.read @wq
// CHECK-DAG: %[[WK:.*]] = glow.read @wk
// CHECK-DAG: %[[WV:.*]] = glow.read @wv
// CHECK-DAG: %[[W:.*]] = glow.concat %[[WQ]], %[[WK]], %[[WV]] axis 1 : {{.*}} -> tensor<6x16xf32>
// CHECK-DAG: %[[B:.*]] = glow.concat {{.*}} axis 1 : {{.*}} -> tensor<1x16xf32>
// CHECK: glow.cpu_matmul %{{.*}}, %[[W]], none, [%[[B]]] epilogue "add(x0, x1)"
// CHECK-NOT: cpu_matmul
// CHECK: glow.cpu_attention {{.*}} first [0, 6, 12]
glow.func @one_tensor {
  %x = glow.read @x : tensor<1x5x6xf32>
  %wq = glow.read @wq : tensor<6x6xf32>
  %wk = glow.read @wk : tensor<6x6xf32>
  %wv = glow.read @wv : tensor<6x4xf32>
  %bq = glow.read @bq : tensor<6xf32>
  %bk = glow.read @bk : tensor<6xf32>
  %bv = glow.read @bv : tensor<4xf32>
  %rows = glow.reshape %x dims [5, 6] : (tensor<1x5x6xf32>) -> tensor<5x6xf32>
  %0 = glow.matmul %rows, %wq : (tensor<5x6xf32>, tensor<6x6xf32>) -> tensor<5x6xf32>
  %1 = glow.broadcast %bq dims [5, 6] axis -1 : (tensor<6xf32>) -> tensor<5x6xf32>
  %2 = glow.add %0, %1 : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = glow.reshape %2 dims [1, 5, 6] : (tensor<5x6xf32>) -> tensor<1x5x6xf32>
  %3 = glow.matmul %rows, %wk : (tensor<5x6xf32>, tensor<6x6xf32>) -> tensor<5x6xf32>
  %4 = glow.broadcast %bk dims [5, 6] axis -1 : (tensor<6xf32>) -> tensor<5x6xf32>
  %5 = glow.add %3, %4 : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  %k = glow.reshape %5 dims [1, 5, 6] : (tensor<5x6xf32>) -> tensor<1x5x6xf32>
  %6 = glow.matmul %rows, %wv : (tensor<5x6xf32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  %7 = glow.broadcast %bv dims [5, 4] axis -1 : (tensor<4xf32>) -> tensor<5x4xf32>
  %8 = glow.add %6, %7 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  %v = glow.reshape %8 dims [1, 5, 4] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
  %9 = glow.cpu_attention %q, %k, %v heads 2 depth 3 width 2 first [0, 0, 0] scoreFormula "" keyHeads 0 : (tensor<1x5x6xf32>, tensor<1x5x6xf32>, tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  glow.save %9, @y : tensor<1x5x4xf32>
}

// Keys and values of another tensor than the queries.
// CHECK-LABEL: glow.func @two_tensors
// CHECK: %[[Q:.*]] = glow.cpu_matmul {{.*}} -> tensor<5x6xf32>
// CHECK: glow.concat {{.*}} -> tensor<6x10xf32>
// CHECK: glow.cpu_matmul {{.*}} -> tensor<7x10xf32>
// CHECK-NOT: cpu_matmul
// CHECK: glow.cpu_attention {{.*}} first [0, 0, 6]
glow.func @two_tensors {
  %x = glow.read @x : tensor<1x5x6xf32>
  %far = glow.read @far : tensor<1x7x6xf32>
  %wq = glow.read @wq : tensor<6x6xf32>
  %wk = glow.read @wk : tensor<6x6xf32>
  %wv = glow.read @wv : tensor<6x4xf32>
  %near = glow.reshape %x dims [5, 6] : (tensor<1x5x6xf32>) -> tensor<5x6xf32>
  %rows = glow.reshape %far dims [7, 6] : (tensor<1x7x6xf32>) -> tensor<7x6xf32>
  %0 = glow.matmul %near, %wq : (tensor<5x6xf32>, tensor<6x6xf32>) -> tensor<5x6xf32>
  %q = glow.reshape %0 dims [1, 5, 6] : (tensor<5x6xf32>) -> tensor<1x5x6xf32>
  %1 = glow.matmul %rows, %wk : (tensor<7x6xf32>, tensor<6x6xf32>) -> tensor<7x6xf32>
  %k = glow.reshape %1 dims [1, 7, 6] : (tensor<7x6xf32>) -> tensor<1x7x6xf32>
  %2 = glow.matmul %rows, %wv : (tensor<7x6xf32>, tensor<6x4xf32>) -> tensor<7x4xf32>
  %v = glow.reshape %2 dims [1, 7, 4] : (tensor<7x4xf32>) -> tensor<1x7x4xf32>
  %3 = glow.cpu_attention %q, %k, %v heads 2 depth 3 width 2 first [0, 0, 0] scoreFormula "" keyHeads 0 : (tensor<1x5x6xf32>, tensor<1x7x6xf32>, tensor<1x7x4xf32>) -> tensor<1x5x4xf32>
  glow.save %3, @y : tensor<1x5x4xf32>
}

// Values with other readers, and inputs of a run, stay.
// CHECK-LABEL: glow.func @apart
// CHECK-NOT: concat
// CHECK: glow.cpu_attention {{.*}} first [0, 0, 0]
glow.func @apart {
  %x = glow.read @x : tensor<1x5x6xf32>
  %given = glow.read @given : tensor<6x6xf32>
  %wk = glow.read @wk : tensor<6x6xf32>
  %wv = glow.read @wv : tensor<6x4xf32>
  %rows = glow.reshape %x dims [5, 6] : (tensor<1x5x6xf32>) -> tensor<5x6xf32>
  %0 = glow.matmul %rows, %given : (tensor<5x6xf32>, tensor<6x6xf32>) -> tensor<5x6xf32>
  %q = glow.reshape %0 dims [1, 5, 6] : (tensor<5x6xf32>) -> tensor<1x5x6xf32>
  %1 = glow.matmul %rows, %wk : (tensor<5x6xf32>, tensor<6x6xf32>) -> tensor<5x6xf32>
  glow.save %1, @keys : tensor<5x6xf32>
  %k = glow.reshape %1 dims [1, 5, 6] : (tensor<5x6xf32>) -> tensor<1x5x6xf32>
  %2 = glow.matmul %rows, %wv : (tensor<5x6xf32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  %v = glow.reshape %2 dims [1, 5, 4] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
  %3 = glow.cpu_attention %q, %k, %v heads 2 depth 3 width 2 first [0, 0, 0] scoreFormula "" keyHeads 0 : (tensor<1x5x6xf32>, tensor<1x5x6xf32>, tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  glow.save %3, @y : tensor<1x5x4xf32>
}

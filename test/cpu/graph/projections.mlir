// Queries, keys and values are columns of one product: the numbers.
// RUN: glow compile %s --backend=cpu --emit=plan | FileCheck %s
// RUN: glow run %s --backend=cpu --random --compare=interpreter | FileCheck %s --check-prefix=SAME
// RUN: glow run %s --backend=cpu --math=strict --random --compare=interpreter | FileCheck %s --check-prefix=SAME
// CHECK-COUNT-1: = cpu_matmul
// CHECK-NOT: = cpu_matmul
// SAME: PASSED
module {
  glow.placeholder @x input : tensor<2x3x4xf32>
  glow.placeholder @y output : tensor<2x2x3x1xf32>
  glow.constant @wq = dense<[[-0.52, 0.09, -0.26, 0.21], [0.25, -0.87, -0.97, 0.67], [-0.48, -0.53, 0.99, -0.06], [0.67, -0.05, 0.28, -0.70]]> : tensor<4x4xf32>
  glow.constant @wq_bias = dense<[0.27, 0.74, 0.05, 0.48]> : tensor<4xf32>
  glow.constant @wk = dense<[[0.34, -0.87, 0.52, 0.18], [-0.40, -0.94, 0.73, -0.05], [0.44, 0.76, 0.43, 0.84], [-0.21, 0.60, -0.11, 0.87]]> : tensor<4x4xf32>
  glow.constant @wk_bias = dense<[0.76, -0.81, -0.73, -0.57]> : tensor<4xf32>
  glow.constant @wv = dense<[[0.93, -0.13], [0.25, -0.40], [0.01, -0.23], [-0.30, 0.17]]> : tensor<4x2xf32>
  glow.constant @wv_bias = dense<[0.17, 0.81]> : tensor<2xf32>
  glow.func @main {
    %x = glow.read @x : tensor<2x3x4xf32>
    %rows = glow.reshape %x dims [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    %q_w = glow.read @wq : tensor<4x4xf32>
    %q_b = glow.read @wq_bias : tensor<4xf32>
    %q_0 = glow.matmul %rows, %q_w : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
    %q_1 = glow.broadcast %q_b dims [6, 4] axis -1 : (tensor<4xf32>) -> tensor<6x4xf32>
    %q_2 = glow.add %q_0, %q_1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %q_3 = glow.reshape %q_2 dims [2, 3, 2, 2] : (tensor<6x4xf32>) -> tensor<2x3x2x2xf32>
    %k_w = glow.read @wk : tensor<4x4xf32>
    %k_b = glow.read @wk_bias : tensor<4xf32>
    %k_0 = glow.matmul %rows, %k_w : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
    %k_1 = glow.broadcast %k_b dims [6, 4] axis -1 : (tensor<4xf32>) -> tensor<6x4xf32>
    %k_2 = glow.add %k_0, %k_1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %k_3 = glow.reshape %k_2 dims [2, 3, 2, 2] : (tensor<6x4xf32>) -> tensor<2x3x2x2xf32>
    %v_w = glow.read @wv : tensor<4x2xf32>
    %v_b = glow.read @wv_bias : tensor<2xf32>
    %v_0 = glow.matmul %rows, %v_w : (tensor<6x4xf32>, tensor<4x2xf32>) -> tensor<6x2xf32>
    %v_1 = glow.broadcast %v_b dims [6, 2] axis -1 : (tensor<2xf32>) -> tensor<6x2xf32>
    %v_2 = glow.add %v_0, %v_1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
    %v_3 = glow.reshape %v_2 dims [2, 3, 2, 1] : (tensor<6x2xf32>) -> tensor<2x3x2x1xf32>
    %q = glow.transpose %q_3 permutation [0, 2, 1, 3] : (tensor<2x3x2x2xf32>) -> tensor<2x2x3x2xf32>
    %k = glow.transpose %k_3 permutation [0, 2, 3, 1] : (tensor<2x3x2x2xf32>) -> tensor<2x2x2x3xf32>
    %v = glow.transpose %v_3 permutation [0, 2, 1, 3] : (tensor<2x3x2x1xf32>) -> tensor<2x2x3x1xf32>
    %0 = glow.matmul %q, %k : (tensor<2x2x3x2xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x3x3xf32>
    %1 = glow.softmax %0 axis 3 : (tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %2 = glow.matmul %1, %v : (tensor<2x2x3x3xf32>, tensor<2x2x3x1xf32>) -> tensor<2x2x3x1xf32>
    glow.save %2, @y : tensor<2x2x3x1xf32>
  }
}

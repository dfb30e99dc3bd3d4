// RUN: glow-opt %s --fold-constants --simplify-graph | FileCheck %s

// Matrices are transposed, also several; a mirrored operand takes the kernel.
// CHECK:      turned: "0x01000000010402050306"
// CHECK-NEXT: batch: "0x0100000001030502040607090B080A0C"
// CHECK-NEXT: last: "0x0100000001030507090B020406080A0C"
// CHECK-NEXT: mirrored: "0x0100000001070309050B0208040A060C"
glow.constant @m = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
glow.constant @t = dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
glow.placeholder @turned output : tensor<3x2xui8>
glow.placeholder @batch output : tensor<2x2x3xui8>
glow.placeholder @last output : tensor<2x2x3xui8>
glow.placeholder @mirrored output : tensor<2x3x2xui8>
glow.func @transpose {
  %m = glow.read @m : tensor<2x3xui8>
  %t = glow.read @t : tensor<2x3x2xui8>
  %turned = glow.transpose %m permutation [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
  %batch = glow.transpose %t permutation [0, 2, 1] : (tensor<2x3x2xui8>) -> tensor<2x2x3xui8>
  %last = glow.transpose %t permutation [2, 0, 1] : (tensor<2x3x2xui8>) -> tensor<2x2x3xui8>
  %mirrored = glow.transpose %t permutation [2, 1, 0] : (tensor<2x3x2xui8>) -> tensor<2x3x2xui8>
  glow.save %turned, @turned : tensor<3x2xui8>
  glow.save %batch, @batch : tensor<2x2x3xui8>
  glow.save %last, @last : tensor<2x2x3xui8>
  glow.save %mirrored, @mirrored : tensor<2x3x2xui8>
}

// A factor of each row and of each column, of both sides, and squared.
// CHECK-NEXT: rows: "0x040000000000803F000000400000004100008041"
// CHECK-NEXT: columns: "0x040000000000803F000080400000804000008041"
// CHECK-NEXT: both: "0x040000000000803F000000400000004000008040"
// CHECK-NEXT: square: "0x040000000000803F000080400000803F00008040"
glow.constant @w = dense<[[1.0, 2.0], [4.0, 8.0]]> : tensor<2x2xf32>
glow.constant @f = dense<[1.0, 2.0]> : tensor<2xf32>
glow.placeholder @rows output : tensor<2x2xf32>
glow.placeholder @columns output : tensor<2x2xf32>
glow.placeholder @both output : tensor<2x2xf32>
glow.placeholder @square output : tensor<2x2xf32>
glow.func @multiply {
  %w = glow.read @w : tensor<2x2xf32>
  %f = glow.read @f : tensor<2xf32>
  %0 = glow.broadcast %f dims [2, 2] axis 0 : (tensor<2xf32>) -> tensor<2x2xf32>
  %rows = glow.mul %w, %0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = glow.broadcast %f dims [2, 2] axis 1 : (tensor<2xf32>) -> tensor<2x2xf32>
  %columns = glow.mul %1, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = glow.broadcast %f dims [2, 2] axis 0 : (tensor<2xf32>) -> tensor<2x2xf32>
  %3 = glow.broadcast %f dims [2, 2] axis 1 : (tensor<2xf32>) -> tensor<2x2xf32>
  %both = glow.mul %2, %3 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = glow.broadcast %f dims [2, 2] axis 1 : (tensor<2xf32>) -> tensor<2x2xf32>
  %square = glow.mul %4, %4 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  glow.save %rows, @rows : tensor<2x2xf32>
  glow.save %columns, @columns : tensor<2x2xf32>
  glow.save %both, @both : tensor<2x2xf32>
  glow.save %square, @square : tensor<2x2xf32>
}

// Products of matrices, also of a batch, have every bit of the interpreter's sums: the
// terms 2^24, 1 and -2^24 are 1, in doubles.
// CHECK-NEXT: product: "0x040000000000803F000000400000C04000000041"
// CHECK-NEXT: batches: "0x040000000000404000000041000050410000A041"
glow.constant @a = dense<[[16777216.0, 1.0, -16777216.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
glow.constant @b = dense<[[1.0, 1.0], [1.0, 2.0], [1.0, 1.0]]> : tensor<3x2xf32>
glow.constant @rows2 = dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
glow.constant @columns2 = dense<[[[1.0, 2.0], [1.0, 3.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>
glow.placeholder @product output : tensor<2x2xf32>
glow.placeholder @batches output : tensor<2x1x2xf32>
glow.func @matmul {
  %a = glow.read @a : tensor<2x3xf32>
  %b = glow.read @b : tensor<3x2xf32>
  %rows = glow.read @rows2 : tensor<2x1x2xf32>
  %columns = glow.read @columns2 : tensor<2x2x2xf32>
  %product = glow.matmul %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %batches = glow.matmul %rows, %columns : (tensor<2x1x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
  glow.save %product, @product : tensor<2x2xf32>
  glow.save %batches, @batches : tensor<2x1x2xf32>
}

// RUN: glow-opt %s --cpu-fuse | FileCheck %s
// Index notation that assigns each element of its result once is one loop with the
// formulas before and behind it.

glow.placeholder @x input : tensor<4x8xf32>
glow.placeholder @row input : tensor<8xf32>
glow.placeholder @lengths input : tensor<4xi64>
glow.placeholder @short input : tensor<4xi32>
glow.placeholder @table input : tensor<9x8xf32>
glow.placeholder @large input : tensor<65536x8xf32>
glow.placeholder @bounds input : tensor<3xf32>
glow.placeholder @y output : tensor<4x8xf32>
glow.placeholder @z output : tensor<4x8xf32>
glow.placeholder @w output : tensor<4x8xf32>
glow.placeholder @turned output : tensor<8x4xf32>
glow.placeholder @d input : tensor<4x8xf64>
glow.placeholder @e output : tensor<4x8xf64>

// An operand that is read in the place that is written, and what follows.
// CHECK-LABEL: glow.func @between
// CHECK: glow.cpu_fused_loops [%x, %{{.*}}] shape [4, 8] formula "relu(x0); trilu(t0, 1, 0); add(t1, x1); sigmoid(t2)"
// CHECK-NEXT: glow.save
glow.func @between {
  %x = glow.read @x : tensor<4x8xf32>
  %row = glow.read @row : tensor<8xf32>
  %0 = glow.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.trilu %0 upper true diagonal 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = glow.broadcast %row dims [4, 8] axis -1 : (tensor<8xf32>) -> tensor<4x8xf32>
  %3 = glow.add %1, %2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = glow.sigmoid %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %4, @y : tensor<4x8xf32>
}

// Operands of another kind follow; a statement reads the result of another.
// CHECK-LABEL: glow.func @rows
// CHECK: glow.cpu_fused_loops [%table, %x], [%lengths] shape [4, 8] formula "embedding(x0, x2, -1); trilu(t0, 0, 1); mul(t1, x1)"
// CHECK-NEXT: glow.save
glow.func @rows {
  %table = glow.read @table : tensor<9x8xf32>
  %lengths = glow.read @lengths : tensor<4xi64>
  %x = glow.read @x : tensor<4x8xf32>
  %0 = glow.embedding %table, %lengths padding -1 : (tensor<9x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %1 = glow.trilu %0 upper false diagonal 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = glow.mul %1, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %2, @y : tensor<4x8xf32>
}

// The operand is read in other places: only what follows is taken in.
// CHECK-LABEL: glow.func @other_places
// CHECK: %[[R:.*]] = glow.cpu_fused_loops {{.*}} formula "relu(x0)"
// CHECK: glow.cpu_fused_loops [%[[R]]], [%lengths] shape [4, 8] formula "reverse_sequence(x0, x1); tanh(t0)"
glow.func @other_places {
  %x = glow.read @x : tensor<4x8xf32>
  %lengths = glow.read @lengths : tensor<4xi64>
  %0 = glow.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.reverse_sequence %0, %lengths : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %2 = glow.tanh %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %2, @y : tensor<4x8xf32>
}

// Something else needs what is between.
// CHECK-LABEL: glow.func @other_users
// CHECK: %[[R:.*]] = glow.cpu_fused_loops {{.*}} formula "relu(x0)"
// CHECK: %[[T:.*]] = glow.trilu %[[R]]
// CHECK: glow.cpu_fused_loops [%[[T]]] {{.*}} formula "sigmoid(x0)"
glow.func @other_users {
  %x = glow.read @x : tensor<4x8xf32>
  %0 = glow.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.trilu %0 upper true diagonal 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = glow.sigmoid %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %0, @y : tensor<4x8xf32>
  glow.save %1, @z : tensor<4x8xf32>
  glow.save %2, @w : tensor<4x8xf32>
}

// A sum has several terms for each element, and a node that is moved by a kernel has
// no loop of its own.
// CHECK-LABEL: glow.func @sums_and_kernels
// CHECK: formula "relu(x0)"
// CHECK: glow.count_below
// CHECK: formula "tanh(x0)"
// CHECK: glow.transpose
// CHECK: formula "exp(x0)"
glow.func @sums_and_kernels {
  %x = glow.read @x : tensor<4x8xf32>
  %bounds = glow.read @bounds : tensor<3xf32>
  %0 = glow.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.count_below %0, %bounds : (tensor<4x8xf32>, tensor<3xf32>) -> tensor<4x8xf32>
  %2 = glow.tanh %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = glow.transpose %2 permutation [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %4 = glow.exp %3 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  glow.save %4, @turned : tensor<8x4xf32>
}

// Rows of a large table that elements tell are waited for: few instructions stand
// between two of them.
// CHECK-LABEL: glow.func @far_rows
// CHECK: %[[E:.*]] = glow.embedding
// CHECK: glow.cpu_fused_loops [%[[E]]] {{.*}} formula "tanh(x0)"
// CHECK: glow.cpu_fused_loops {{.*}} formula "embedding(x0, x1, -1); relu(t0)"
glow.func @far_rows {
  %table = glow.read @large : tensor<65536x8xf32>
  %lengths = glow.read @lengths : tensor<4xi64>
  %0 = glow.embedding %table, %lengths padding -1 : (tensor<65536x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %1 = glow.tanh %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = glow.embedding %table, %lengths padding -1 : (tensor<65536x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %3 = glow.relu %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %1, @y : tensor<4x8xf32>
  glow.save %3, @z : tensor<4x8xf32>
}

// Operands beside those of f32 are of one kind.
// CHECK-LABEL: glow.func @kinds
// CHECK: %[[E:.*]] = glow.embedding %table, %lengths
// CHECK: glow.cpu_fused_loops [%table, %[[E]]], [%short] shape [4, 8] formula "embedding(x0, x2, -1); add({{.*}})"
glow.func @kinds {
  %table = glow.read @table : tensor<9x8xf32>
  %lengths = glow.read @lengths : tensor<4xi64>
  %short = glow.read @short : tensor<4xi32>
  %0 = glow.embedding %table, %lengths padding -1 : (tensor<9x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %1 = glow.embedding %table, %short padding -1 : (tensor<9x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %2 = glow.add %1, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %2, @y : tensor<4x8xf32>
}

// Other kinds have no formula beside them.
// CHECK-LABEL: glow.func @doubles
// CHECK: glow.trilu
// CHECK: glow.relu
glow.func @doubles {
  %d = glow.read @d : tensor<4x8xf64>
  %0 = glow.trilu %d upper true diagonal 0 : (tensor<4x8xf64>) -> tensor<4x8xf64>
  %1 = glow.relu %0 : (tensor<4x8xf64>) -> tensor<4x8xf64>
  glow.save %1, @e : tensor<4x8xf64>
}

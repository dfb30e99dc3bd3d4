// Types whose sizes a run gives: an expression for each dimension.
// RUN: glow-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// RUN: glow-opt %s --split-input-file --verify-diagnostics | glow-opt --split-input-file | FileCheck %s

// Equal expressions are one type, whatever their texts. Results are inferred
// from operands, with the expressions of the record.
// CHECK-LABEL: glow.func @reshape
// CHECK: glow.reshape %{{.+}} dims "[4*N*S, 784], N = 1..16, S = 8..512 by 8"
// CHECK-SAME: -> tensor<32768x784xf32, #glow.lengths<"[4*N*S, 784], N = 1..16, S = 8..512 by 8">>
!in = tensor<16x2048x784xf32, #glow.lengths<"[N, S*4, 784], S = 8..512 by 8, N = 1..16">>
!out = tensor<32768x784xf32, #glow.lengths<"[N*S*4, 784], N = 1..16, S = 8..512 by 8">>
glow.placeholder @x input : !in
glow.func @reshape {
  %x = glow.read @x : !in
  %y = glow.reshape %x dims "[S*4*N, 784], N = 1..16, S = 8..512 by 8" : (!in) -> !out
}

// -----

// A size of 1 is repeated along a length.
// CHECK-LABEL: glow.func @broadcast
!x = tensor<16x4xf32, #glow.lengths<"[N, 4], N = 1..16">>
glow.placeholder @x input : !x
glow.placeholder @row input : tensor<1x4xf32>
glow.func @broadcast {
  %x = glow.read @x : !x
  %row = glow.read @row : tensor<1x4xf32>
  // CHECK: glow.broadcast %{{.+}} dims "[N, 4], N = 1..16" axis -1
  %rows = glow.broadcast %row dims "[N, 4], N = 1..16" axis -1 : (tensor<1x4xf32>) -> !x
  %y = glow.add %x, %rows : (!x, !x) -> !x
}

// -----

// Conditions of a run are an attribute of the module.
// CHECK: module attributes {glow.conditions = {{\[\[}}#glow.lengths<"[N, M], M = 1..8, N = 1..8">, "==", "label"]]}
module attributes {glow.conditions = [[#glow.lengths<"[N, M], N = 1..8, M = 1..8">, "==", "label"]]} {
}

// -----

// expected-error@+1 {{dimension 0 is 15, but the greatest value of its length N is 16}}
glow.placeholder @x input : tensor<15x4xf32, #glow.lengths<"[N, 4], N = 1..16">>

// -----

// expected-error@+1 {{dimension 0 has the length N - 4, which may be negative}}
glow.placeholder @x input : tensor<12x4xf32, #glow.lengths<"[N - 4, 4], N = 1..16">>

// -----

// expected-error@+1 {{lengths of 1 dimensions, but the tensor has 2}}
glow.placeholder @x input : tensor<16x4xf32, #glow.lengths<"[N], N = 1..16">>

// -----

// expected-error@+1 {{at character 1 of 'M': a number, or the name of a size should be here}}
glow.placeholder @x input : tensor<16xf32, #glow.lengths<"[M], N = 1..16">>

// -----

glow.placeholder @x input : tensor<16x4xf32, #glow.lengths<"[N, 4], N = 1..16">>
glow.func @type {
  %x = glow.read @x : tensor<16x4xf32, #glow.lengths<"[N, 4], N = 1..16">>
  // expected-error@+1 {{result 0 is of type 'tensor<16x4xf32>', but its operands give 'tensor<16x4xf32, #glow.lengths<"[N, 4], N = 1..16">>'}}
  %y = glow.relu %x : (tensor<16x4xf32, #glow.lengths<"[N, 4], N = 1..16">>) -> tensor<16x4xf32>
}

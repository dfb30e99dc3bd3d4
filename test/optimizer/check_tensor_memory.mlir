// RUN: glow-opt %s --check-tensor-memory=limit=100 --split-input-file --verify-diagnostics

// Storage, and the largest value beside it, are within the limit: 8 + 8 + 8.
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @small {
  %x = glow.read @x : tensor<2xf32>
  %y = glow.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}

// -----

// A value larger than the machine's memory is refused before it is computed.
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @large {
  %x = glow.read @x : tensor<2xf32>
  // expected-error@+1 {{the tensors of the model need 816 bytes or more, of which the result of 'glow.broadcast', f32[100,2], needs 800 bytes; the limit is 100 bytes}}
  %rows = glow.broadcast %x dims [100, 2] axis -1 : (tensor<2xf32>) -> tensor<100x2xf32>
  %y = glow.reduce_sum %rows axes [0] keepDims false : (tensor<100x2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}

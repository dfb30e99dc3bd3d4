// A weight that `train` changes and `infer` reads, and a number of steps that
// `reset` sets.
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @goal input : tensor<4xf32>
glow.placeholder @w input : tensor<4xf32>
glow.placeholder @w.next output {glow.next_of = "w"} : tensor<4xf32>
glow.placeholder @steps input : tensor<1xf32>
glow.placeholder @steps.next output {glow.next_of = "steps"} : tensor<1xf32>
glow.placeholder @y output : tensor<4xf32>
glow.placeholder @error output : tensor<4xf32>
glow.constant @half = dense<5.000000e-01> : tensor<4xf32>
glow.constant @one = dense<1.000000e+00> : tensor<1xf32>
glow.constant @bias = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
glow.func @infer {
  %x = glow.read @x : tensor<4xf32>
  %w = glow.read @w : tensor<4xf32>
  %bias = glow.read @bias : tensor<4xf32>
  %product = glow.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %sum = glow.add %product, %bias : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %sum, @y : tensor<4xf32>
}
glow.func @train {
  %goal = glow.read @goal : tensor<4xf32>
  %w = glow.read @w : tensor<4xf32>
  %steps = glow.read @steps : tensor<1xf32>
  %one = glow.read @one : tensor<1xf32>
  %half = glow.read @half : tensor<4xf32>
  %error = glow.sub %goal, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %move = glow.mul %error, %half : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %next = glow.add %w, %move : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %more = glow.add %steps, %one : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  glow.save %error, @error : tensor<4xf32>
  glow.save %next, @w.next : tensor<4xf32>
  glow.save %more, @steps.next : tensor<1xf32>
}
glow.func @reset {
  %one = glow.read @one : tensor<1xf32>
  %zero = glow.sub %one, %one : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  glow.save %zero, @steps.next : tensor<1xf32>
}

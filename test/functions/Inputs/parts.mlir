glow.placeholder @x input : tensor<2xf32>
glow.placeholder @t between : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @first {
  %x = glow.read @x : tensor<2xf32>
  %t = glow.tanh %x : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %t, @t : tensor<2xf32>
}
glow.func @second {
  %t = glow.read @t : tensor<2xf32>
  %y = glow.sin %t : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}

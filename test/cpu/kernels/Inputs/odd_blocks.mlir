// Blocks of 41 numbers, of which a product with the reciprocal would be off by one.
glow.placeholder @codes input : tensor<9x50xui8>
glow.placeholder @x input : tensor<6xi64>
glow.placeholder @scales input : tensor<9x3xf32>
glow.placeholder @zeros input : tensor<9x2xui8>
glow.placeholder @y output : tensor<6x100xf32>
glow.func @main {
  %codes = glow.read @codes : tensor<9x50xui8>
  %x = glow.read @x : tensor<6xi64>
  %scales = glow.read @scales : tensor<9x3xf32>
  %zeros = glow.read @zeros : tensor<9x2xui8>
  %y = glow.gather_blocks %codes, %x, %scales, %zeros bits 4 blockSize 41 : (tensor<9x50xui8>, tensor<6xi64>, tensor<9x3xf32>, tensor<9x2xui8>) -> tensor<6x100xf32>
  glow.save %y, @y : tensor<6x100xf32>
}

// As many numbers as a run finds.
glow.placeholder @marks input : tensor<4xi1>
glow.placeholder @count input : tensor<i64>
glow.placeholder @y output : tensor<4xf32, #glow.lengths<"[c], c = 0..4">>
glow.func @main {
  %marks = glow.read @marks : tensor<4xi1>
  %count = glow.read @count : tensor<i64>
  %places = glow.marked_places %marks, %count length "[c], c = 0..4"
      : (tensor<4xi1>, tensor<i64>) -> tensor<4xi64, #glow.lengths<"[c], c = 0..4">>
  %y = glow.cast %places kind f32 : (tensor<4xi64, #glow.lengths<"[c], c = 0..4">>) -> tensor<4xf32, #glow.lengths<"[c], c = 0..4">>
  glow.save %y, @y : tensor<4xf32, #glow.lengths<"[c], c = 0..4">>
}

// The places of marks, of which a run has counted some.
glow.placeholder @marks input : tensor<70xi1>
glow.placeholder @count input : tensor<i64>
glow.placeholder @places output : tensor<70xi64, #glow.lengths<"[c], c = 0..70">>
glow.func @main {
  %marks = glow.read @marks : tensor<70xi1>
  %count = glow.read @count : tensor<i64>
  %find = glow.marked_places %marks, %count length "[c], c = 0..70"
      : (tensor<70xi1>, tensor<i64>) -> tensor<70xi64, #glow.lengths<"[c], c = 0..70">>
  glow.save %find, @places : tensor<70xi64, #glow.lengths<"[c], c = 0..70">>
}

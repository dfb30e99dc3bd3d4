// A cache of two heads, over whose rows S new ones are written from a place on.
!q = tensor<1x2x4x8xf32, #glow.lengths<"[1, 2, S, 8], S = 1..4">>
!cache = tensor<1x2x1024x8xf32>
glow.placeholder @q input : !q
glow.placeholder @k input : !q
glow.placeholder @at input : tensor<1xi64>
glow.placeholder @past_k input : !cache
glow.placeholder @y output : !q
glow.placeholder @present_k output : !cache
glow.func @main {
  %q = glow.read @q : !q
  %k = glow.read @k : !q
  %at = glow.read @at : tensor<1xi64>
  %past = glow.read @past_k : !cache
  %all = glow.write_rows %past, %k, %at : (!cache, !q, tensor<1xi64>) -> !cache
  %y = glow.attention %q, %all, %all scale 2.500000e-01 softcap 0.000000e+00 unseen -1.000000e+30 blank false : (!q, !cache, !cache) -> !q
  glow.save %y, @y : !q
  glow.save %all, @present_k : !cache
}

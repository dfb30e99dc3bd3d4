// A cache of two heads, each for two heads of queries, that grows by S rows.
!q = tensor<1x4x4x8xf32, #glow.lengths<"[1, 4, S, 8], S = 1..4">>
!new = tensor<1x2x4x8xf32, #glow.lengths<"[1, 2, S, 8], S = 1..4">>
!past = tensor<1x2x256x8xf32, #glow.lengths<"[1, 2, P, 8], P = 0..256">>
!all = tensor<1x2x260x8xf32, #glow.lengths<"[1, 2, P + S, 8], P = 0..256, S = 1..4">>
!one = tensor<1x2x1x260x8xf32, #glow.lengths<"[1, 2, 1, P + S, 8], P = 0..256, S = 1..4">>
!each = tensor<1x2x2x260x8xf32, #glow.lengths<"[1, 2, 2, P + S, 8], P = 0..256, S = 1..4">>
!heads = tensor<1x4x260x8xf32, #glow.lengths<"[1, 4, P + S, 8], P = 0..256, S = 1..4">>
!turned = tensor<1x4x8x260xf32, #glow.lengths<"[1, 4, 8, P + S], P = 0..256, S = 1..4">>
!scores = tensor<1x4x4x260xf32, #glow.lengths<"[1, 4, S, P + S], P = 0..256, S = 1..4">>
glow.placeholder @q input : !q
glow.placeholder @k input : !new
glow.placeholder @v input : !new
glow.placeholder @past_k input : !past
glow.placeholder @past_v input : !past
glow.placeholder @y output : !q
glow.placeholder @present_k output : !all
glow.placeholder @present_v output : !all
glow.func @main {
  %q = glow.read @q : !q
  %k = glow.read @k : !new
  %v = glow.read @v : !new
  %past_k = glow.read @past_k : !past
  %past_v = glow.read @past_v : !past
  %k_all = glow.concat %past_k, %k axis 2 : (!past, !new) -> !all
  %k_one = glow.reshape %k_all dims "[1, 2, 1, P + S, 8], P = 0..256, S = 1..4" : (!all) -> !one
  %k_each = glow.broadcast %k_one dims "[1, 2, 2, P + S, 8], P = 0..256, S = 1..4" axis -1 : (!one) -> !each
  %k_heads = glow.reshape %k_each dims "[1, 4, P + S, 8], P = 0..256, S = 1..4" : (!each) -> !heads
  %v_all = glow.concat %past_v, %v axis 2 : (!past, !new) -> !all
  %v_one = glow.reshape %v_all dims "[1, 2, 1, P + S, 8], P = 0..256, S = 1..4" : (!all) -> !one
  %v_each = glow.broadcast %v_one dims "[1, 2, 2, P + S, 8], P = 0..256, S = 1..4" axis -1 : (!one) -> !each
  %v_heads = glow.reshape %v_each dims "[1, 4, P + S, 8], P = 0..256, S = 1..4" : (!each) -> !heads
  %k_turned = glow.transpose %k_heads permutation [0, 1, 3, 2] : (!heads) -> !turned
  %scores = glow.matmul %q, %k_turned : (!q, !turned) -> !scores
  %shares = glow.softmax %scores axis 3 : (!scores) -> !scores
  %y = glow.matmul %shares, %v_heads : (!scores, !heads) -> !q
  glow.save %y, @y : !q
  glow.save %k_all, @present_k : !all
  glow.save %v_all, @present_v : !all
}

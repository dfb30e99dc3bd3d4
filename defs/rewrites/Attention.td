//===- Attention.td - attention that models spell out ---------------------===//
// SPDX-License-Identifier: MIT
//
// The softmax of products of queries and keys, times values. Scores may be scaled, and
// may then have a bias or a mask. A factor of the queries stays with the queries.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_REWRITES_ATTENTION
#define GLOW_REWRITES_ATTENTION

include "glow/nodes/Attention.td"

// `scores_` are the scores of the products `raw`, `scale_` is their scale, and `known_`
// the condition under which the scale is one number.
class AttentionOf<string scores_, string scale_, string known_, code equation, dag operands,
                  string condition_>
    : Rewrite<equation, !con((ins "f32[2,2,3,4]":$q, "f32[2,2,4,5]":$turned, "f32[2,2,5,3]":$v),
                             operands), "i = 3"> {
  let once = 1;
  let rounds = 1;
  let beforeSteps = 1;
  let condition = condition_;
  let with = (bind "MatMul(q, turned)":$raw, scores_:$scores, scale_:$scale, known_:$known,
                   "Transpose(turned, [0, 1, 3, 2])":$k);
}

// Scores alone, with a bias, and with one number for masked keys.
multiclass AttentionOfScores<string scores, string scale, string known, dag factor> {
  def Alone : AttentionOf<scores, scale, known, [{
      MatMul(Softmax(scores, axis: i), v) => Attention(q, k, v, none, none, none, none, scale)
    }], factor, "rank(q) == 4 && i == 3 && known">;
  def Biased : AttentionOf<scores, scale, known, [{
      MatMul(Softmax(scores + m, axis: i), v) => Attention(q, k, v, m, none, none, none, scale)
    }], !con(factor, (ins "f32[2,2,3,5]":$m)), "rank(q) == 4 && i == 3 && known">;
  def Hidden : AttentionOf<scores, scale, known, [{
      MatMul(Softmax(Select(seen, scores, n), axis: i), v)
          => Attention(q, k, v, none, none, seen, none, scale, 0.0, numberOf(n))
    }], !con(factor, (ins "bool[2,2,3,5]":$seen, "f32[2,2,3,5] in -10..-10 constant":$n)),
    "rank(q) == 4 && i == 3 && known && !isNan(numberOf(n))">;
}
defvar attentionFactor = (ins "f32[2,2,3,5] in 0.5..0.5 constant":$c);
defm AttentionOfProduct : AttentionOfScores<"raw", "1.0", "isFloat(kind(q))", (ins)>;
defm AttentionOfScaled : AttentionOfScores<"raw * c", "numberOf(c)", "!isNan(numberOf(c))",
                                           attentionFactor>;
defm AttentionOfDivided : AttentionOfScores<"raw / c", "1.0 / numberOf(c)",
                                            "abs(numberOf(c)) > 0.0", attentionFactor>;

// The node repeats an operand to the scores itself: a repetition before it is
// not needed.
class AttentionOfRepeated<code equation, dag operands>
    : Rewrite<equation, !con((ins "f32[2,2,3,4]":$q, "f32[2,2,5,4]":$k, "f32[2,2,5,3]":$v),
                             operands),
              "d = [2, 2, 3, 5]; a = 2; c = 0.5; p = 0.0; u = -10.0; w = false"> {
  let with = (bind "Broadcast(m, dims: d, axis: a)":$repeated,
                   [{Reshape(m, [*repeat(1, if(a < 0, size(d) - rank(m), a)), *shape(m), *repeat(1,
                     if(a < 0, 0, size(d) - rank(m) - a))])}]:$once);
}
def AttentionOfRepeatedBias : AttentionOfRepeated<[{
    Attention(q, k, v, repeated, f, s, n, scale: c, softcap: p, unseen: u, blank: w)
        => Attention(q, k, v, once, f, s, n, c, p, u, w)
  }], (ins "f32[3,5]":$m, "":$f, "":$s, "":$n)>;
def AttentionOfRepeatedFilter : AttentionOfRepeated<[{
    Attention(q, k, v, b, repeated, s, n, scale: c, softcap: p, unseen: u, blank: w)
        => Attention(q, k, v, b, once, s, n, c, p, u, w)
  }], (ins "":$b, "f32[1,5]":$m, "":$s, "":$n)>;
def AttentionOfRepeatedSeen : AttentionOfRepeated<[{
    Attention(q, k, v, b, f, repeated, n, scale: c, softcap: p, unseen: u, blank: w)
        => Attention(q, k, v, b, f, once, n, c, p, u, w)
  }], (ins "":$b, "":$f, "bool[3,5]":$m, "":$n)>;

#endif // GLOW_REWRITES_ATTENTION

//===- OnnxAttention.td - ONNX operators of transformers ------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXATTENTION
#define GLOW_IMPORT_ONNXATTENTION

include "glow/nodes/Activation.td"
include "glow/nodes/Attention.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Recurrent.td"
include "glow/nodes/Shape.td"

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

// Splits heads: [batch, rows, heads * width] becomes [batch, heads, rows, width]. A
// tensor of rank 4 has this form already.
def headsOf : Let<(ins Tensor:$x, Int:$heads), [{
  if(rank(x) == 4, x, Transpose(Reshape(x,
                                        [shape(x)[0], shape(x)[1], heads,
                                         at(shape(x), 2) / max(heads, 1)]), [0, 2, 1, 3]))
}]>;
// The inverse: joins heads.
def rowsOf : Let<(ins Tensor:$x),
    "Reshape(Transpose(x, [0, 2, 1, 3]), [shape(x)[0], shape(x)[2], shape(x)[1] * shape(x)[3]])">;
// The tensor if `holds`, else the absent one.
def onlyIf : Let<(ins Flag:$holds, Tensor:$x, Tensor:$absent), "if(holds, x, absent)">;
// The keys k with as many heads as the queries q, each head repeated.
def keysOf : Let<(ins Tensor:$k, Tensor:$q), [{
  h = shape(q)[1];
  g = shape(k)[1];
  require(g >= 1 && h % max(g, 1) == 0, "{g} heads of keys do not divide {h} heads of queries");
  y = k;
}]>;
// The products of queries and keys.
def rawScores : Let<(ins Tensor:$q, Tensor:$k, Real:$factor),
    "MatMul(q, Transpose(sharedHeads(k, shape(q)[1]), [0, 1, 3, 2])) * factor">;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

// The number of steps at once, `chunk_size`, is a hint that changes no result.
def : OnnxImport<"LinearAttention", 27,
                 (ins "query", "key", "value", "past_state?", "decay?", "beta?"),
    (ins 0:$chunk_size, RequiredInt:$kv_num_heads, RequiredInt:$q_num_heads, "0.0":$scale,
         Words<"gated_delta">:$update_rule), [{
  h = kv_num_heads;
  require(h >= 1 && q_num_heads >= 1 && q_num_heads % max(h, 1) == 0,
          "q_num_heads {q_num_heads} must be a positive multiple of kv_num_heads {h}");
  require(rank(query) == 3 && rank(key) == 3 && rank(value) == 3,
          "query, key and value must have 3 dimensions");
  widths = [shape(query)[2], shape(key)[2], shape(value)[2]];
  require(widths % [q_num_heads, h, h] == [0, 0, 0],
          "rows of query, key and value of {widths} columns are not those of {q_num_heads} heads of queries and {h} of keys");
  b = shape(query)[0];
  t = shape(query)[1];
  k = widths[0] / q_num_heads;
  v = widths[2] / h;
  // The state may be of another kind, and stays in it.
  c = if(present(past_state), kind(past_state), kind(query));
  start = if(present(past_state), past_state, Splat(0, [b, h, k, v], c));
  gates = if(present(decay), Reshape(asKind(decay, c), [b, t, h, at(shape(decay), 2) / h]), decay);
  rate = if(present(beta), asKind(beta, c), beta);
  state, y = LinearAttention(asKind(Reshape(query, [b, t, h, q_num_heads / h, k]), c),
                             asKind(Reshape(key, [b, t, h, widths[1] / h]), c),
                             asKind(Reshape(value, [b, t, h, v]), c),
                             start, gates, rate, update_rule,
                             if(scale == 0.0, 1.0 / sqrt(real(max(k, 1))), scale));
  output = asKind(Reshape(y, [b, t, q_num_heads * v]), kind(query));
  present_state = state;
}]> {
  let outputs = ["output", "present_state?"];
}

// A boolean mask selects the visible keys, a mask of numbers is added; keys beyond the
// mask's length are not visible. The position of a query follows the past keys or, where
// a cache comes from outside, is such that the last query is at the last valid key. A row
// without visible keys gives 0.
defvar OnnxAttentionBody = [{
  packed = rank(Q) == 3;
  require(packed || rank(Q) == 4, "Q must have 3 or 4 dimensions");
  require(!packed || q_num_heads >= 1 && kv_num_heads >= 1,
          "q_num_heads and kv_num_heads must be given");
  require(present(past_key) == present(past_value),
          "past_key and past_value must be given together");
  outside = present(nonpad_kv_seqlen);
  require(!outside || !present(past_key), "nonpad_kv_seqlen and past_key exclude each other");
  require(left_window_size >= -1 && right_window_size >= -1,
          "left_window_size {left_window_size} and right_window_size {right_window_size} must be at least -1");
  q = headsOf(Q, q_num_heads);
  new_k = headsOf(K, kv_num_heads);
  new_v = headsOf(V, kv_num_heads);
  k = keysOf(if(present(past_key), Concat([past_key, new_k], 2), new_k), q);
  v = if(present(past_value), Concat([past_value, new_v], 2), new_v);
  width = shape(q)[3];
  factor = if(present(scale), scale, 1.0 / sqrt(real(max(width, 1))));
  raw = rawScores(q, k, factor);
  s = shape(q)[2];
  t = shape(k)[2];
  all = [shape(q)[0], shape(q)[1], s, t];
  c = kind(q);
  isBoolean = present(attn_mask) && isBool(kind(attn_mask));
  addend = if(present(attn_mask), if(kind(attn_mask) == c, attn_mask, Cast(attn_mask, c)),
              attn_mask);
  isAdded = present(attn_mask) && !isBoolean;
  // Lengths that ranges do not compare are equal, which a run checks.
  lacking = if(present(attn_mask), t - at(shape(attn_mask), rank(attn_mask) - 1), 0);
  missing = if(isFixed(max(0, min(lacking, 1))), max(0, lacking), 0);
  before = if(present(attn_mask), repeat(0, rank(attn_mask)), []);
  beyond = set(before, size(before) - 1, missing);
  causal = is_causal != 0;
  window = left_window_size >= 0 || right_window_size >= 0;
  grid = [if(outside, all[0], 1), 1, s, t];
  number = elementKind("i32");
  counts = if(outside, Broadcast(Cast(Reshape(nonpad_kv_seqlen, [all[0]]), number), grid, axis: 0),
              Splat(0, grid, number));
  row = countFrom(if(outside, -s, t - shape(new_k)[2]), 2, grid, number);
  stands = if(outside, row + counts, row);
  key = Iota(0.0, 1.0, 3, grid, number);
  everywhere = Splat(1, grid, elementKind("bool"));
  valid = if(outside, key < counts, everywhere);
  late = if(causal || right_window_size < 0, 0, right_window_size);
  reached = if(causal || right_window_size >= 0, And(valid, LessEqual(key, stands + late)), valid);
  near = if(left_window_size >= 0, And(reached, LessEqual(stands, key + left_window_size)),
            reached);
  truth = if(missing > 0, Cast(Pad(Cast(attn_mask, elementKind("u8")), before, beyond),
                               elementKind("bool")), attn_mask);
  visible = if(isBoolean, And(Broadcast(near, all), Broadcast(truth, all)), near);
  seen = asShape(visible, all);
  strict = isBoolean || causal || window || outside;
  capped = if(softcap > 0.0, softcap * Tanh(raw / max(softcap, 1e-9)), raw);
  whole = if(missing > 0, Pad(addend, before, beyond, -infinity), addend);
  bias = if(isAdded, Broadcast(whole, all), capped);
  added = if(isAdded, capped + bias, capped);
  scores = if(strict, Select(seen, added, Splat(-infinity, all, c)), added);
  exact = onnxKind(if(softmax_precision == 0, 1, softmax_precision));
  soft = if(softmax_precision == 0 || exact == c, Softmax(scores, 3),
            Cast(Softmax(Cast(scores, exact), 3), c));
  guarded = isBoolean || isAdded || window || outside;
  open = if(isAdded, And(seen, Not(IsInf(bias, true, false))), seen);
  some = if(guarded, Cast(ReduceMax(Cast(open, elementKind("u8")), [3], true), elementKind("bool")),
            seen);
  // One node, unless what is inside of it is asked for or has another kind.
  held = outputs < 4 && (softmax_precision == 0 || exact == c);
  product = MatMul(soft, sharedHeads(v, shape(q)[1]));
  spelled = if(guarded, Select(Broadcast(some, shape(product)), product,
                               Splat(0, shape(product), c)), product);
  mixed = if(held, Attention(q, k, v, onlyIf(isAdded, whole, none), none,
                             onlyIf(strict, visible, none), none,
                             factor, softcap, -infinity, guarded), spelled);
  Y = if(packed, rowsOf(mixed), mixed);
  present_key = k;
  present_value = v;
  mode = qk_matmul_output_mode;
  require(mode >= 0 && mode <= 3, "qk_matmul_output_mode {mode} must be 0 to 3");
  qk_matmul_output = if(outputs < 4, q, if(mode == 0, raw, if(mode == 1, capped,
      if(mode == 2, if(strict, Select(seen, added, Splat(-infinity, all, c)), added),
         if(guarded, Select(Broadcast(some, all), soft, Splat(0, all, c)), soft)))));
}];
class OnnxAttention<int since, dag windows, dag with_ = (bind)>
    : OnnxImport<"Attention", since,
                 (ins "Q", "K", "V", "attn_mask?", "past_key?", "past_value?", "nonpad_kv_seqlen?"),
                 !con((ins 0:$is_causal, 0:$kv_num_heads, 0:$q_num_heads, 0:$qk_matmul_output_mode,
                       MaybeReal:$scale,
                           "0.0":$softcap, 0:$softmax_precision), windows),
                 OnnxAttentionBody> {
  let with = with_;
  let outputs = ["Y", "present_key?", "present_value?", "qk_matmul_output?"];
}
def : OnnxAttention<23, (ins), (bind -1:$left_window_size, -1:$right_window_size)> {
  let later = [FromOpset<24, "nonpad_kv_seqlen">];
}
def : OnnxAttention<25, (ins -1:$left_window_size, -1:$right_window_size)>;

// Scores and shares may be changed by graphs in the node.
let domain = "ai.onnx.preview" in
def : OnnxImport<"FlexAttention", 1, (ins "Q", "K", "V"),
    (ins MaybeGraph:$prob_mod, MaybeReal:$scale, MaybeGraph:$score_mod, 0:$softmax_precision), [{
  require(rank(Q) == 4 && rank(K) == 4 && rank(V) == 4, "Q, K and V must have 4 dimensions");
  c = onnxKind(if(softmax_precision != 0, softmax_precision, if(bitsOf(kind(Q)) == 64, 11, 1)));
  q = if(kind(Q) == c, Q, Cast(Q, c));
  k = if(kind(K) == c, K, Cast(K, c));
  v = if(kind(V) == c, V, Cast(V, c));
  k = keysOf(k, q);
  factor = if(present(scale), scale, 1.0 / sqrt(real(max(shape(Q)[3], 1))));
  raw = rawScores(q, k, factor);
  all = shape(raw);
  scores = if(present(score_mod), apply(score_mod, raw), raw);
  require(shape(scores) == all && kind(scores) == c, "score_mod must give {c} of shape {all}");
  soft = Softmax(scores, 3);
  shares = if(present(prob_mod), apply(prob_mod, soft), soft);
  require(shape(shares) == all && kind(shares) == c, "prob_mod must give {c} of shape {all}");
  product = if(present(score_mod) || present(prob_mod), MatMul(shares, sharedHeads(v, shape(q)[1])),
               Attention(q, k, v, none, none, none, none, factor));
  Y = if(kind(V) == c, product, Cast(product, kind(V)));
}]>;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

// Rows of a table as angles of all heads, [batch, 1, rows, r / 2].
def anglesOf : Let<(ins Tensor:$table, Tensor:$places, Ints:$dims),
                   "Reshape(Gather(table, places, 0), dims)">;

def : OnnxImport<"RotaryEmbedding", 23, (ins "X", "cos_cache", "sin_cache", "position_ids?"),
    (ins 0:$interleaved, 0:$num_heads, 0:$rotary_embedding_dim), [{
  require(rank(X) == 4 || rank(X) == 3 && num_heads >= 1,
          "X must have 4 dimensions, or 3 and num_heads be given");
  x = headsOf(X, num_heads);
  r = if(rotary_embedding_dim > 0, rotary_embedding_dim, shape(x)[3]);
  angles = [shape(x)[0], 1, shape(x)[2], r / 2];
  c = if(present(position_ids), anglesOf(cos_cache, position_ids, angles),
         Reshape(cos_cache, angles));
  z = if(present(position_ids), anglesOf(sin_cache, position_ids, angles),
         Reshape(sin_cache, angles));
  y = RotaryEmbedding(x, c, z, 3, interleaved != 0);
  Y = if(rank(X) == 3, rowsOf(y), y);
}]>;

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

def : OnnxImport<"TensorScatter", 24, (ins "past_cache", "update", "write_indices?"),
    (ins -2:$axis, Words<"linear">:$mode), [{
  require(mode == "linear" || mode == "circular", "mode {mode} must be linear or circular");
  a = wrapAxis(axis, rank(past_cache));
  from = if(present(write_indices), write_indices,
            Splat(0, [shape(past_cache)[0]], elementKind("i64")));
  s = shape(past_cache);
  u = shape(update);
  outer = prod(slice(s, 1, a - 1));
  inner = prod(drop(s, a + 1));
  require(a >= 1 && size(u) == size(s) && set(u, a, at(s, a)) == s,
          "update of shape {u} does not suit a cache of shape {s}");
  // Linear, the first and the last row must be inside, which looking them up checks.
  looked = mode == "linear" && at(u, a) >= 1 && present(write_indices);
  rows = if(looked, Iota(0.0, 1.0, 0, [at(s, a)], kind(from)), from);
  begin = if(looked, Gather(rows, from, 0), from);
  last = if(looked, Gather(rows, plusSize(begin, at(u, a) - 1), 0), from);
  places = if(looked, plusSize(last, 1 - at(u, a)), from);
  written = WriteRows(Reshape(past_cache, [at(s, 0), outer, at(s, a), inner]),
                      Reshape(update, [at(s, 0), outer, at(u, a), inner]), places);
  present_cache = Reshape(written, s);
}]>;

// Each channel with its own filter, after the last rows of what was before.
def : OnnxImport<"CausalConvWithState", 27, (ins "input", "weight", "bias?", "past_state?"),
    (ins Words<"none">:$activation), [{
  require(rank(input) == 3 && rank(weight) == 3, "input and weight must have 3 dimensions");
  require(activation == "none" || activation == "silu" || activation == "swish",
          "activation {activation} must be none, silu or swish");
  b = shape(input)[0];
  c = shape(input)[1];
  n = shape(weight)[2] - 1;
  past = if(present(past_state), past_state, Splat(0, [b, c, n], kind(input)));
  all = Concat([past, input], 2);
  sum = Conv(all, weight, bias, [1], [0, 0], [1], c);
  output = if(activation == "none", sum, sum * Sigmoid(sum));
  present_state = Slice(all, [0, 0, shape(input)[2]], [1, 1, 1], [b, c, n]);
}]> {
  let outputs = ["output", "present_state?"];
}

#endif // GLOW_IMPORT_ONNXATTENTION

//===- MicrosoftAttention.td - attention as ONNX Runtime's operators ------===//

#ifndef GLOW_IMPORT_MICROSOFTATTENTION
#define GLOW_IMPORT_MICROSOFTATTENTION

include "glow/import/OnnxAttention.td"
include "glow/nodes/Reduction.td"

// From `scores`, before anything is hidden, what attention gives. `visible`, where
// it is there, says which keys are seen: to the scores of others the filter's value
// is added, so that where none is seen all are as before. Keys to come have the least
// number. Halves do not hold it: from the scores to the softmax all is f32 at least.
class Masked<string scores> {
  string statements = !strconcat([{
  raw = }], scores, [{;
  all = shape(raw);
  c = if(bitsOf(kind(raw)) < 32, elementKind("f32"), kind(raw));
  wide = if(kind(raw) == c, raw, Cast(raw, c));
  hidden = if(present(visible), wide + Broadcast(Select(visible, Splat(0.0, shape(visible), c), Splat(mask_filter_value, shape(visible), c)), all), wide);
  future = Trilu(Splat(1, [s, t], elementKind("u8")), false, t - s);
  seen = if(unidirectional != 0, Select(Broadcast(Cast(future, elementKind("bool")), all), hidden, Splat(-3.4028234663852886e38, all, c)), hidden);
  soft = Softmax(seen, 3);
  mixed = MatMul(if(kind(raw) == c, soft, Cast(soft, kind(raw))), values);
  output = }], RowsOf<"mixed">.text, ";");
}
defvar MaskedAttention = Masked<"if(present(attention_bias), raw + Broadcast(attention_bias, shape(raw)), raw)">.statements;

// From element `first` on a number of each batch, for each of its keys.
class OfBatches<string first> {
  string text = !strconcat("Broadcast(Reshape(Slice(MASK, [", first, "], [1], [BATCH]), [BATCH, 1, 1, 1]), [BATCH, 1, 1, COUNT])");
}

// Of a mask of all keys, or of numbers of each batch, or one of each query, which
// are seen, by truth values of rank 4. Numbers are where the keys end, and behind
// them, where there are twice as many, where they begin; of 3 BATCH + 2 the others
// tell where batches begin once all are packed, which they are not.
class HasMaskSize<string mask, string batch> {
  string text = !subst("MASK", mask, !subst("BATCH", batch, [{(rank(MASK) <= 3 && shape(MASK)[0] == BATCH ||
      rank(MASK) == 1 && (shape(MASK)[0] == 2 * BATCH || shape(MASK)[0] == 3 * BATCH + 2))}]));
}
class Visible<string mask, string keys, string batch> {
  string place = "Iota(0.0, 1.0, 3, [BATCH, 1, 1, COUNT], kind(MASK))";
  string text = !subst("MASK", mask, !subst("COUNT", keys, !subst("BATCH", batch, !strconcat([{if(present(MASK),
      if(rank(MASK) == 1, if(shape(MASK)[0] == 2 * BATCH, And(}], place, " >= ", OfBatches<"BATCH">.text, ", ", place, " < ",
         OfBatches<"0">.text, "), ", place, " < ", OfBatches<"0">.text, [{),
      if(rank(MASK) == 2, Reshape(MASK, [shape(MASK)[0], 1, 1, shape(MASK)[1]]),
         Reshape(MASK, [shape(MASK)[0], 1, at(shape(MASK), 1), at(shape(MASK), 2)])) > 0), MASK)}]))));
}

// Keys and values may be heads already, as of another sequence they are; packed
// they are [batch, rows, heads, 2 or 3, width].
class Packed<string x, string part> {
  string text = !subst("TENSOR", x, !subst("PART", part, [{Reshape(Slice(Transpose(TENSOR, [3, 0, 2, 1, 4]), [PART, 0, 0, 0, 0],
      [1, 1, 1, 1, 1], [1, shape(TENSOR)[0], shape(TENSOR)[2], shape(TENSOR)[1], shape(TENSOR)[4]]),
      [shape(TENSOR)[0], shape(TENSOR)[2], shape(TENSOR)[1], shape(TENSOR)[4]])}]));
}
class WithBias<string x, string from> {
  string text = !subst("TENSOR", x, !subst("FROM", from, [{if(present(bias) && rank(TENSOR) == 3,
      TENSOR + Broadcast(Slice(bias, [FROM], [1], [at(shape(TENSOR), 2)]), shape(TENSOR)), TENSOR)}]));
}
let domain = "com.microsoft" in {

def : OnnxImport<"Attention", 1,
    (ins "input", "weights", "bias?", "mask_index?", "past?", "attention_bias?", "past_sequence_length?"),
    (ins 0:$do_rotary, "-10000.0":$mask_filter_value, RequiredInt:$num_heads, 0:$past_present_share_buffer,
         MaybeInts:$qkv_hidden_sizes, 0:$rotary_embedding_dim, "0.0":$scale, 0:$unidirectional), !strconcat([{
  require(do_rotary == 0, "do_rotary {do_rotary} is not supported");
  require(past_present_share_buffer == 0, "past_present_share_buffer {past_present_share_buffer} is not supported");
  require(rank(input) == 3 && rank(weights) == 2, "input must have 3 dimensions, and weights 2");
  b = shape(input)[0];
  s = shape(input)[1];
  columns = shape(weights)[1];
  sizes = listOr(qkv_hidden_sizes, repeat(columns / 3, 3));
  require(size(sizes) == 3 && sum(sizes) == columns && num_heads >= 1 && sizes % max(num_heads, 1) == repeat(0, 3),
          "{num_heads} heads do not divide queries, keys and values of {sizes} of {columns} columns");
  require(!present(mask_index) || }], HasMaskSize<"mask_index", "b">.text, [{,
          "mask_index must have at most 3 dimensions, the first {b}, or be {2 * b} or {3 * b + 2} numbers");
  product = Reshape(MatMul(Reshape(input, [b * s, shape(input)[2]]), weights), [b, s, columns]);
  sum = if(present(bias), product + Broadcast(bias, shape(product)), product);
  queries, newKeys, newValues = Split(sum, 2, sizes);
  q = }], HeadsOf<"queries", "num_heads">.text, "; k0 = ", HeadsOf<"newKeys", "num_heads">.text,
  "; v0 = ", HeadsOf<"newValues", "num_heads">.text, [{;
  one = repeat(1, 5);
  pastKey = if(present(past), Reshape(Slice(past, repeat(0, 5), one, set(shape(past), 0, 1)), drop(shape(past), 1)), past);
  pastValue = if(present(past), Reshape(Slice(past, [1, 0, 0, 0, 0], one, set(shape(past), 0, 1)), drop(shape(past), 1)), past);
  k = if(present(past), Concat([pastKey, k0], 2), k0);
  v = if(present(past), Concat([pastValue, v0], 2), v0);
  factor = if(scale == 0.0, 1.0 / sqrt(real(sizes[0] / max(num_heads, 1))), scale);
}], RawScores, "visible = ", Visible<"mask_index", "t", "b">.text, ";", MaskedAttention, [{
  present = if(sizes[1] == sizes[2], Concat([Reshape(k, [1, *shape(k)]), Reshape(v, [1, *shape(v)])], 0), k);
}])> {
  let outputs = ["output", "present?"];
}

def : OnnxImport<"MultiHeadAttention", 1,
    (ins "query", "key?", "value?", "bias?", "key_padding_mask?", "attention_bias?", "past_key?", "past_value?",
         "past_sequence_length?", "cache_indirection?"),
    (ins "-10000.0":$mask_filter_value, RequiredInt:$num_heads, "0.0":$scale, 0:$unidirectional), !strconcat([{
  n = num_heads;
  whole = rank(query) == 5;
  pair = present(key) && rank(key) == 5;
  require(whole || rank(query) == 3 && present(key), "query must have 3 dimensions with a key, or 5");
  require(whole || pair || present(value), "input 'value' is missing");
  require(!present(bias) || !whole && !pair, "a bias of packed queries or keys is not supported");
  width = if(whole, 0, shape(query)[2]);
  q0 = }], WithBias<"query", "0">.text, "; k0 = ", "if(whole, key, ", WithBias<"key", "width">.text,
  "); v0 = if(whole || pair, value, ", WithBias<"value", "2 * width">.text, [{);
  q = if(whole, }], Packed<"query", "0">.text, ", ", HeadsOf<"q0", "n">.text, [{);
  k1 = if(whole, }], Packed<"query", "1">.text, ", if(pair, ", Packed<"key", "0">.text, ", ", HeadsOf<"k0", "n">.text, [{));
  v1 = if(whole, }], Packed<"query", "2">.text, ", if(pair, ", Packed<"key", "1">.text, ", ", HeadsOf<"v0", "n">.text, [{));
  require(!present(cache_indirection), "cache_indirection, by which beams find their caches, is not supported");
  shared = present(past_sequence_length) && present(past_key) && present(past_value);
  held = if(shared, at([*ints(past_sequence_length), 0], 0), 0);
  require(!shared || held >= 0 && held + shape(k1)[2] <= at(shape(past_key), 2) && held + shape(v1)[2] <= at(shape(past_value), 2),
          "{held} past keys and the new ones do not fit into the cache");
  pastK = if(shared, Slice(past_key, repeat(0, 4), repeat(1, 4), set(shape(past_key), 2, held)), past_key);
  pastV = if(shared, Slice(past_value, repeat(0, 4), repeat(1, 4), set(shape(past_value), 2, held)), past_value);
  k = if(present(past_key), Concat([pastK, k1], 2), k1);
  v = if(present(past_value), Concat([pastV, v1], 2), v1);
  factor = if(scale == 0.0, 1.0 / sqrt(real(max(shape(q)[3], 1))), scale);
  b = shape(q)[0];
  require(!present(key_padding_mask) || }], HasMaskSize<"key_padding_mask", "b">.text, [{,
          "key_padding_mask must have at most 3 dimensions, the first {b}, or be {2 * b} or {3 * b + 2} numbers");
}], RawScores, "visible = ", Visible<"key_padding_mask", "t", "b">.text, ";", MaskedAttention, [{
  from = Splat(real(held), [shape(k)[0]], elementKind("i64"));
  present_key = if(shared, WriteRows(past_key, k1, from), k);
  present_value = if(shared, WriteRows(past_value, v1, from), v);
}])> {
  let outputs = ["output", "present_key?", "present_value?"];
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

def : OnnxImport<"RotaryEmbedding", 1, (ins "input", "position_ids", "cos_cache", "sin_cache"),
    (ins 0:$interleaved, 0:$is_packed_batching, 0:$num_heads, 0:$rotary_embedding_dim, "1.0":$scale), !strconcat([{
  require(is_packed_batching == 0, "is_packed_batching {is_packed_batching} is not supported");
  require(scale == 1.0, "scale {scale} is not supported");
  require(rank(input) == 4 || rank(input) == 3, "input must have 3 or 4 dimensions");
  r = if(rotary_embedding_dim > 0, rotary_embedding_dim, 2 * shape(cos_cache)[1]);
  n = if(num_heads > 0, num_heads, at(shape(input), 2) / max(r, 1));
  x = }], HeadsOf<"input", "n">.text, [{;
  b = shape(x)[0];
  rows = shape(x)[2];
  each = [b, rows];
  places = if(elements(position_ids) == b * rows, Reshape(position_ids, each),
              Broadcast(position_ids, each) + Iota(0.0, 1.0, 1, each, kind(position_ids)));
  c = }], AnglesOf<"cos_cache", "places">.text, "; z = ", AnglesOf<"sin_cache", "places">.text, ";",
  Turned<"x", "y", "interleaved != 0">.statements, "output = if(rank(input) == 3, ", RowsOf<"y">.text, ", y);")>;

// seqlens_k is one less than how many keys there are in a batch, the new ones
// included; those that were there stand at the begin of the cache. A prompt, with
// as many rows as keys in all, begins at 0. A smooth softmax counts a key of score
// 0, or of the head's sink, which has no value.
def : OnnxImport<"GroupQueryAttention", 1,
    (ins "query", "key?", "value?", "past_key?", "past_value?", "seqlens_k", "total_sequence_length", "cos_cache?",
         "sin_cache?", "position_ids?", "attention_bias?", "head_sink?"),
    (ins 0:$do_rotary, RequiredInt:$kv_num_heads, -1:$local_window_size, RequiredInt:$num_heads, 0:$rotary_interleaved,
         "0.0":$scale, 0:$smooth_softmax, "0.0":$softcap), !strconcat([{
  require(rank(query) == 3 && num_heads >= 1 && kv_num_heads >= 1, "query must have 3 dimensions, and both numbers of heads be at least 1");
  b = shape(query)[0];
  rows = shape(query)[1];
  total = intOf(total_sequence_length);
  parts = num_heads + if(present(key), 0, 2 * kv_num_heads);
  width = shape(query)[2] / parts;
  require(width * parts == shape(query)[2], "{parts} heads do not divide the columns of the query");
  ones = [1, 1, 1];
  few = [b, rows, kv_num_heads * width];
  justQ = if(present(key), query, Slice(query, [0, 0, 0], ones, [b, rows, num_heads * width]));
  justK = if(present(key), key, Slice(query, [0, 0, num_heads * width], ones, few));
  justV = if(present(key), value, Slice(query, [0, 0, (num_heads + kv_num_heads) * width], ones, few));
  q0 = }], HeadsOf<"justQ", "num_heads">.text, "; k0 = ", HeadsOf<"justK", "kv_num_heads">.text,
  "; new_v = ", HeadsOf<"justV", "kv_num_heads">.text, [{;
  k64 = elementKind("i64");
  held = if(present(past_key), shape(past_key)[2], 0);
  room = max(held, total);
  require(total >= rows, "total_sequence_length {total} is less than the {rows} rows of the query");
  // The new rows must lie inside of the cache, which looking up the first checks.
  lengths = Cast(Reshape(seqlens_k, [b]), k64);
  first = if(rows == total, lengths, lengths - real(rows - 1));
  spots = if(rows == total, Splat(0, [room], k64), Iota(0.0, 1.0, 0, [room - rows + 1], k64));
  past = Gather(spots, Select(first < 0.0, Splat(real(room), [b], k64), first), 0);
  each = [b, rows];
  places = Broadcast(past, each, axis: 0) + Iota(0.0, 1.0, 1, each, k64);
  require(do_rotary == 0 || present(cos_cache) && present(sin_cache), "do_rotary needs cos_cache and sin_cache");
  r = if(present(cos_cache), 2 * shape(cos_cache)[1], width);
  asked = if(present(position_ids), position_ids, places);
  c = if(do_rotary != 0, }], AnglesOf<"cos_cache", "asked">.text, ", Splat(1, [1, 1, 1, r / 2], kind(query))); z = if(do_rotary != 0, ",
      AnglesOf<"sin_cache", "asked">.text, ", Splat(0, [1, 1, 1, r / 2], kind(query)));",
  Turned<"q0", "turnedQ", "rotary_interleaved != 0">.statements, Turned<"k0", "turnedK", "rotary_interleaved != 0">.statements, [{
  q = if(do_rotary != 0, turnedQ, q0);
  new_k = if(do_rotary != 0, turnedK, k0);
  cache = [b, kv_num_heads, room, width];
  empty = Splat(0, cache, kind(query));
  growth = [0, 0, room - held, 0];
  oldK = if(present(past_key), if(room > held, Pad(past_key, [0, 0, 0, 0], growth, 0.0), past_key), empty);
  oldV = if(present(past_value), if(room > held, Pad(past_value, [0, 0, 0, 0], growth, 0.0), past_value), empty);
  k = if(room == rows, new_k, WriteRows(oldK, new_k, past));
  v = if(room == rows, new_v, WriteRows(oldV, new_v, past));
  factor = if(scale == 0.0, 1.0 / sqrt(real(max(width, 1))), scale);
}], RawScores, [{
  all = shape(raw);
  capped = if(softcap > 0.0, softcap * Tanh(raw / max(softcap, 1e-9)), raw);
  missing = if(present(attention_bias), max(0, t - at(shape(attention_bias), 3)), 0);
  added = if(present(attention_bias), capped + Broadcast(if(missing > 0, Pad(attention_bias, [0, 0, 0, 0], [0, 0, 0, missing], 0.0), attention_bias), all), capped);
  at = Broadcast(Reshape(places, [b, 1, rows, 1]), all);
  keyPlaces = Iota(0.0, 1.0, 3, all, k64);
  earlier = keyPlaces <= at;
  near = if(local_window_size > 0, And(earlier, keyPlaces > at - real(local_window_size)), earlier);
  scores = Select(near, added, Splat(}], Unseen, [{, all, kind(raw)));
  column = set(all, 3, 1);
  share = if(smooth_softmax == 1 || present(head_sink), Slice(Softmax(Concat([scores, if(present(head_sink),
      Broadcast(Reshape(head_sink, [1, num_heads, 1, 1]), column), Splat(0, column, kind(raw)))], 3), 3), repeat(0, 4), repeat(1, 4), all), Softmax(scores, 3));
  mixed = MatMul(share, values);
  output = }], RowsOf<"mixed">.text, [{;
  present_key = k;
  present_value = v;
}])> {
  let outputs = ["output", "present_key?", "present_value?"];
}

}

#endif // GLOW_IMPORT_MICROSOFTATTENTION

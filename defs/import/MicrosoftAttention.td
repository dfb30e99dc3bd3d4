//===- MicrosoftAttention.td - attention as ONNX Runtime's operators ------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_MICROSOFTATTENTION
#define GLOW_IMPORT_MICROSOFTATTENTION

include "glow/functions/Kinds.td"
include "glow/import/OnnxAttention.td"
include "glow/nodes/Reduction.td"

// The keys that are not behind a query, if the last of both are at one place.
def earlierKeys : Let<(ins Int:$s, Int:$t), [{
  number = elementKind("i32");
  seen = if(isFixed(t - s),
            Cast(Trilu(Splat(1, [s, t], elementKind("u8")), false, t - s), elementKind("bool")),
            LessEqual(Iota(0.0, 1.0, 1, [s, t], number), countFrom(t - s, 0, [s, t], number)));
}]>;

// `visible`, if present, marks the visible keys: the filter's value is added to the scores of
// all other keys, so that a query without visible keys weighs all keys as without the mask.
// With `unidirectional`, later keys get the least number as their score or, where there is a
// bias, this number plus the bias: a query whose bias is the least number for all keys still
// does not see later keys. Kinds of 16 bits do not hold it: from the scores to the softmax, the
// kind is f32 or wider.
def maskedAttention : Let<(ins Tensor:$q, Tensor:$k, Tensor:$v, Tensor:$bias, Tensor:$visible,
                           Real:$scale, Real:$filter, Flag:$unidirectional), [{
  s = shape(q)[2];
  t = shape(k)[2];
  c = if(bitsOf(kind(q)) < 32, elementKind("f32"), kind(q));
  hidden = if(present(visible),
              Select(visible, Splat(0.0, shape(visible), c), Splat(filter, shape(visible), c)),
              visible);
  seen = if(unidirectional, earlierKeys(s, t), onlyIf(false, q, none));
  least = -3.4028234663852886e38;
  all = [shape(q)[0], shape(q)[1], s, t];
  late = unidirectional && present(bias);
  place = if(present(visible), set(all, 1, 1), [s, t]);
  now = if(present(visible), asShape(hidden, place), Splat(0.0, place, c));
  filters = if(late, Select(asShape(seen, place), now, Splat(least, place, c)), hidden);
  wide = asKind(rawScores(q, k, scale), c);
  biased = if(present(bias), wide + Broadcast(asKind(bias, c), all), wide);
  added = if(present(visible) || late, biased + Broadcast(filters, all), biased);
  scores = if(unidirectional && !late, Select(Broadcast(seen, all), added, Splat(least, all, c)),
              added);
  output = rowsOf(if(c == kind(q),
                     Attention(q, k, v, bias, filters, onlyIf(late, none, seen), none, scale,
                               unseen: least),
                     MatMul(asKind(Softmax(scores, 3), kind(q)), sharedHeads(v, shape(q)[1]))));
}]>;

// The visible keys as booleans of rank 4. The mask has an element for each key, or for
// each key of each query, or numbers for each batch. Numbers are the ends of the keys,
// followed by their beginnings where there are twice as many. Of 3 batch + 2 numbers, the
// others give the beginnings of batches in packed keys; keys are not packed here.
def keyBounds : Let<(ins Tensor:$mask, Int:$from, Int:$batch, Int:$keys),
    "Broadcast(Reshape(Slice(mask, [from], [1], [batch]), [batch, 1, 1, 1]), [batch, 1, 1, keys])">;
def seenKeys : Let<(ins Tensor:$mask, Int:$batch, Int:$keys), [{
  s = shape(mask);
  place = Iota(0.0, 1.0, 3, [batch, 1, 1, keys], kind(mask));
  seen = if(rank(mask) == 1,
            if(s[0] == 2 * batch, And(place >= keyBounds(mask, batch, batch, keys),
                                      place < keyBounds(mask, 0, batch, keys)),
               place < keyBounds(mask, 0, batch, keys)),
            Reshape(mask, if(rank(mask) == 2, [s[0], 1, 1, at(s, 1)],
                             [s[0], 1, at(s, 1), at(s, 2)])) > 0);
}]>;
def visibleKeys : Let<(ins Tensor:$mask, Text:$name, Int:$batch, Int:$keys), [{
  require(!present(mask) || rank(mask) <= 3 && at(shape(mask), 0) == batch ||
          rank(mask) == 1 && (shape(mask)[0] == 2 * batch || shape(mask)[0] == 3 * batch + 2),
          "{name} must have at most 3 dimensions, the first {batch}, or be {2 * batch} or {3 * batch + 2} numbers");
  visible = if(present(mask), seenKeys(mask, batch, keys), mask);
}]>;

// Keys and values may be split into heads already, when they come from another sequence;
// packed ones are [batch, rows, heads, 2 or 3, width].
def packedPart : Let<(ins Tensor:$x, Int:$part), [{
  s = shape(x);
  y = Reshape(Slice(Transpose(x, [3, 0, 2, 1, 4]), [part, 0, 0, 0, 0], [1, 1, 1, 1, 1],
                    [1, s[0], s[2], s[1], s[4]]),
              [s[0], s[2], s[1], s[4]]);
}]>;
def withBias : Let<(ins Tensor:$x, Tensor:$bias, Int:$from), [{
  if(present(bias) && rank(x) == 3,
     x + Broadcast(Slice(bias, [from], [1], [at(shape(x), 2)]), shape(x)), x)
}]>;
// The place of the first of `rows` new rows in a cache of `room`, for each batch. The new rows
// must lie inside of the cache, which looking up the first checks. A prompt begins at 0.
def pastRows : Let<(ins Tensor:$last, Int:$room, Int:$rows, Int:$total), [{
  k = kind(last);
  b = shape(last);
  isPrompt = areSame([rows], [total]);
  isKnown = isPrompt || isFixed(min(total - rows, 1));
  zeros = Splat(0, [room], k);
  prompt = if(isKnown, last, Equal(sizeTensor(rows, b, k), sizeTensor(total, b, k)));
  behind = if(isPrompt, last, plusSize(last, 1 - rows));
  first = if(isKnown, behind, Select(prompt, Splat(0, b, k), behind));
  spots = if(isPrompt, zeros, Iota(0.0, 1.0, 0, [room - rows + 1], k));
  place = Gather(spots, Select(first < 0.0, sizeTensor(room, b, k), first), 0);
  past = if(isKnown, place, place + Gather(zeros, last, 0));
}]>;
// The same for a cache that has no other rows than the past ones.
def pastOfJoined : Let<(ins Tensor:$seqlens, Int:$b, Int:$held, Int:$rows), [{
  k = elementKind("i64");
  first = plusSize(Cast(Reshape(seqlens, [b]), k), 1 - rows);
  all = sizeTensor(held, [b], k);
  isThere = Equal(first, all);
  past = all + Gather(Splat(0, [1], k), Select(isThere, Splat(0, [b], k), Splat(1, [b], k)), 0);
}]>;

// A cache that holds the new rows, too.
def cacheOf : Let<(ins Tensor:$past, Tensor:$q, Ints:$dims), [{
  growth = if(present(past), dims - shape(past), dims);
  empty = Splat(0, dims, kind(q));
  y = if(present(past),
         if(areSame(shape(past), dims), past, Pad(past, [0, 0, 0, 0], growth, 0.0)), empty);
}]>;

let domain = "com.microsoft" in {

def : OnnxImport<"Attention", 1,
    (ins "input", "weights", "bias?", "mask_index?", "past?", "attention_bias?",
     "past_sequence_length?"),
    (ins 0:$do_rotary, "-10000.0":$mask_filter_value, RequiredInt:$num_heads,
     0:$past_present_share_buffer,
         MaybeInts:$qkv_hidden_sizes, 0:$rotary_embedding_dim, "0.0":$scale, 0:$unidirectional), [{
  require(do_rotary == 0, "do_rotary {do_rotary} is not supported");
  require(past_present_share_buffer == 0,
          "past_present_share_buffer {past_present_share_buffer} is not supported");
  require(rank(input) == 3 && rank(weights) == 2, "input must have 3 dimensions, and weights 2");
  b = shape(input)[0];
  s = shape(input)[1];
  columns = shape(weights)[1];
  sizes = listOr(qkv_hidden_sizes, repeat(columns / 3, 3));
  require(size(sizes) == 3 && sum(sizes) == columns && num_heads >= 1 && sizes % max(num_heads,
      1) == repeat(0, 3),
          "{num_heads} heads do not divide queries, keys and values of {sizes} of {columns} columns");
  product = Reshape(MatMul(Reshape(input, [b * s, shape(input)[2]]), weights), [b, s, columns]);
  sum = if(present(bias), product + Broadcast(bias, shape(product)), product);
  queries, newKeys, newValues = Split(sum, 2, sizes);
  q = headsOf(queries, num_heads);
  k0 = headsOf(newKeys, num_heads);
  v0 = headsOf(newValues, num_heads);
  one = repeat(1, 5);
  pastKey = if(present(past),
               Reshape(Slice(past, repeat(0, 5), one, set(shape(past), 0, 1)),
                       drop(shape(past), 1)), past);
  pastValue = if(present(past),
                 Reshape(Slice(past, [1, 0, 0, 0, 0], one, set(shape(past), 0, 1)),
                         drop(shape(past), 1)), past);
  k = if(present(past), Concat([pastKey, k0], 2), k0);
  v = if(present(past), Concat([pastValue, v0], 2), v0);
  factor = if(scale == 0.0, 1.0 / sqrt(real(sizes[0] / max(num_heads, 1))), scale);
  visible = visibleKeys(mask_index, "mask_index", b, shape(k)[2]);
  output = maskedAttention(q, keysOf(k, q), v, attention_bias, visible, factor, mask_filter_value,
                           unidirectional != 0);
  present = if(sizes[1] == sizes[2],
               Concat([Reshape(k, [1, *shape(k)]), Reshape(v, [1, *shape(v)])], 0), k);
}]> {
  let outputs = ["output", "present?"];
}

def : OnnxImport<"MultiHeadAttention", 1,
    (ins "query", "key?", "value?", "bias?", "key_padding_mask?", "attention_bias?", "past_key?",
     "past_value?",
         "past_sequence_length?", "cache_indirection?"),
    (ins "-10000.0":$mask_filter_value, RequiredInt:$num_heads, "0.0":$scale, 0:$unidirectional), [{
  n = num_heads;
  whole = rank(query) == 5;
  pair = present(key) && rank(key) == 5;
  require(whole || rank(query) == 3 && present(key),
          "query must have 3 dimensions with a key, or 5");
  require(whole || pair || present(value), "input 'value' is missing");
  require(!present(bias) || !whole && !pair, "a bias of packed queries or keys is not supported");
  width = if(whole, 0, shape(query)[2]);
  q = if(whole, packedPart(query, 0), headsOf(withBias(query, bias, 0), n));
  k1 = if(whole, packedPart(query, 1),
          if(pair, packedPart(key, 0), headsOf(withBias(key, bias, width), n)));
  v1 = if(whole, packedPart(query, 2),
          if(pair, packedPart(key, 1), headsOf(withBias(value, bias, 2 * width), n)));
  require(!present(cache_indirection),
          "cache_indirection, by which beams find their caches, is not supported");
  shared = present(past_sequence_length) && present(past_key) && present(past_value);
  held = if(shared, at([*ints(past_sequence_length), 0], 0), 0);
  require(!shared || held >= 0 && held + shape(k1)[2] <= at(shape(past_key),
                                                            2) && held + shape(v1)[2] <=
          at(shape(past_value), 2),
          "{held} past keys and the new ones do not fit into the cache");
  pastK = if(shared, Slice(past_key, repeat(0, 4), repeat(1, 4), set(shape(past_key), 2, held)),
             past_key);
  pastV = if(shared, Slice(past_value, repeat(0, 4), repeat(1, 4), set(shape(past_value), 2, held)),
             past_value);
  k = if(present(past_key), Concat([pastK, k1], 2), k1);
  v = if(present(past_value), Concat([pastV, v1], 2), v1);
  factor = if(scale == 0.0, 1.0 / sqrt(real(max(shape(q)[3], 1))), scale);
  visible = visibleKeys(key_padding_mask, "key_padding_mask", shape(q)[0], shape(k)[2]);
  output = maskedAttention(q, keysOf(k, q), v, attention_bias, visible, factor, mask_filter_value,
                           unidirectional != 0);
  from = Splat(real(held), [shape(k)[0]], elementKind("i64"));
  present_key = if(shared, WriteRows(past_key, k1, from), k);
  present_value = if(shared, WriteRows(past_value, v1, from), v);
}]> {
  let outputs = ["output", "present_key?", "present_value?"];
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

def : OnnxImport<"RotaryEmbedding", 1, (ins "input", "position_ids", "cos_cache", "sin_cache"),
    (ins 0:$interleaved, 0:$is_packed_batching, 0:$num_heads, 0:$rotary_embedding_dim,
     "1.0":$scale), [{
  require(is_packed_batching == 0, "is_packed_batching {is_packed_batching} is not supported");
  require(scale == 1.0, "scale {scale} is not supported");
  require(rank(input) == 4 || rank(input) == 3, "input must have 3 or 4 dimensions");
  r = if(rotary_embedding_dim > 0, rotary_embedding_dim, 2 * shape(cos_cache)[1]);
  n = if(num_heads > 0, num_heads, at(shape(input), 2) / max(r, 1));
  x = headsOf(input, n);
  b = shape(x)[0];
  rows = shape(x)[2];
  each = [b, rows];
  places = if(elements(position_ids) == b * rows, Reshape(position_ids, each),
              Broadcast(position_ids, each) + Iota(0.0, 1.0, 1, each, kind(position_ids)));
  angles = [b, 1, rows, r / 2];
  y = RotaryEmbedding(x, anglesOf(cos_cache, places, angles), anglesOf(sin_cache, places, angles),
                      3, interleaved != 0);
  output = if(rank(input) == 3, rowsOf(y), y);
}]>;

// seqlens_k is the number of keys in a batch, including the new ones, minus one; the past
// keys are at the beginning of the cache. A prompt, with as many rows as keys in all,
// begins at 0. A smooth softmax counts an additional key of score 0, or of the head's
// sink, which has no value.
def : OnnxImport<"GroupQueryAttention", 1,
    (ins "query", "key?", "value?", "past_key?", "past_value?", "seqlens_k",
     "total_sequence_length", "cos_cache?",
         "sin_cache?", "position_ids?", "attention_bias?", "head_sink?"),
    (ins 0:$do_rotary, RequiredInt:$kv_num_heads, -1:$local_window_size, RequiredInt:$num_heads,
     0:$rotary_interleaved,
         "0.0":$scale, 0:$smooth_softmax, "0.0":$softcap), [{
  require(rank(query) == 3 && num_heads >= 1 && kv_num_heads >= 1,
          "query must have 3 dimensions, and both numbers of heads be at least 1");
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
  justV = if(present(key), value,
             Slice(query, [0, 0, (num_heads + kv_num_heads) * width], ones, few));
  q0 = headsOf(justQ, num_heads);
  k0 = headsOf(justK, kv_num_heads);
  new_v = headsOf(justV, kv_num_heads);
  k64 = elementKind("i64");
  held = if(present(past_key), shape(past_key)[2], 0);
  // A cache of an open size is joined with the new rows.
  joined = !isFixed(held);
  room = if(joined, held + rows, max(held, total));
  require(total >= rows, "total_sequence_length {total} is less than the {rows} rows of the query");
  require(total <= held + rows,
          "total_sequence_length {total} is more than the {held} rows of past_key and the {rows} new ones");
  require(!joined || total >= room,
          "total_sequence_length {total} is less than the {held} rows of past_key and the {rows} new ones");
  past = if(joined, pastOfJoined(seqlens_k, b, held, rows),
            pastRows(Cast(Reshape(seqlens_k, [b]), k64), room, rows, total));
  each = [b, rows];
  places = Broadcast(past, each, axis: 0) + Iota(0.0, 1.0, 1, each, k64);
  require(do_rotary == 0 || present(cos_cache) && present(sin_cache),
          "do_rotary needs cos_cache and sin_cache");
  r = if(present(cos_cache), 2 * shape(cos_cache)[1], width);
  asked = if(present(position_ids), position_ids, places);
  angles = [b, 1, rows, r / 2];
  c = if(do_rotary != 0, anglesOf(cos_cache, asked, angles), query);
  z = if(do_rotary != 0, anglesOf(sin_cache, asked, angles), query);
  q = if(do_rotary != 0, RotaryEmbedding(q0, c, z, 3, rotary_interleaved != 0), q0);
  new_k = if(do_rotary != 0, RotaryEmbedding(k0, c, z, 3, rotary_interleaved != 0), k0);
  oldK = cacheOf(past_key, q, [b, kv_num_heads, room, width]);
  oldV = cacheOf(past_value, q, [b, kv_num_heads, room, width]);
  k = if(joined, Concat([past_key, new_k], 2),
         if(areSame([room], [rows]), new_k, WriteRows(oldK, new_k, past)));
  v = if(joined, Concat([past_value, new_v], 2),
         if(areSame([room], [rows]), new_v, WriteRows(oldV, new_v, past)));
  factor = if(scale == 0.0, 1.0 / sqrt(real(max(width, 1))), scale);
  t = shape(k)[2];
  grid = [b, 1, rows, t];
  lacking = if(present(attention_bias), t - at(shape(attention_bias), 3), 0);
  missing = if(isFixed(max(0, min(lacking, 1))), max(0, lacking), 0);
  bias = if(missing > 0, Pad(attention_bias, [0, 0, 0, 0], [0, 0, 0, missing], 0.0),
            attention_bias);
  at = Broadcast(Reshape(places, [b, 1, rows, 1]), grid);
  keyPlaces = Iota(0.0, 1.0, 3, grid, k64);
  earlier = keyPlaces <= at;
  near = if(local_window_size > 0, And(earlier, keyPlaces > at - real(local_window_size)), earlier);
  sink = if(present(head_sink), Reshape(head_sink, [1, num_heads, 1, 1]),
            onlyIf(smooth_softmax == 1, Splat(0, [1, 1, 1, 1], kind(query)), head_sink));
  output = rowsOf(Attention(q, keysOf(k, q), v, bias, none, near, sink, factor, softcap,
                            -infinity));
  present_key = k;
  present_value = v;
}]> {
  let outputs = ["output", "present_key?", "present_value?"];
}

}

#endif // GLOW_IMPORT_MICROSOFTATTENTION

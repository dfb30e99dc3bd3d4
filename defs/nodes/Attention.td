//===- Attention.td - attention and rotary embeddings ---------------------===//
// SPDX-License-Identifier: MIT
//
// Importers build these nodes and backends may take them whole; the lowerings are
// what products, reductions and elementwise nodes make of them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_ATTENTION
#define GLOW_NODES_ATTENTION

include "glow/functions/Kinds.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

def RotaryEmbedding : Node<"rotary_embedding", (ins "T[*s]":$in, "T[*t]":$cosines, "T[*t]":$sines),
                           (outs "T[*s]":$out),
                           (ins Int:$axis, Default<Flag, "false">:$sideBySide)> {
  let summary = "pairs of elements along an axis turned by angles, of as many pairs as there are "
                "angles; partners lie "
                "side by side, or as far apart as there are pairs";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(s)",
            "axis {axis} is not one of the {size(s)} of shape {s}">,
    Require<"angles-fit", [{size(t) == size(s) && 2 * at(t, axis) <= at(s, axis)
                            && broadcastsTo(t, set(s, axis, at(t, axis)), -1)}],
            "angles of shape {t} are not those of pairs along axis {axis} of shape {s}">];
  let tier = 1;
  let lowering = [{
    r = t[axis];
    half = set(s, axis, r);
    begin = repeat(0, size(s));
    steps = set(repeat(1, size(s)), axis, if(sideBySide, 2, 1));
    one = Slice(in, begin, steps, half);
    two = Slice(in, set(begin, axis, if(sideBySide, 1, r)), steps, half);
    c = Broadcast(cosines, half);
    z = Broadcast(sines, half);
    first = one * c - two * z;
    second = one * z + two * c;
    pairs = insert(half, axis + 1, 1);
    all = if(sideBySide, Reshape(Concat([Reshape(first, pairs), Reshape(second, pairs)], axis + 1),
                                 set(s, axis, 2 * r)),
             Concat([first, second], axis));
    rest = set(s, axis, s[axis] - 2 * r);
    out = if(2 * r == s[axis], all,
             Concat([all, Slice(in, set(begin, axis, 2 * r), repeat(1, size(s)), rest)], axis));
  }];
  let permuted = [{ axis = q[axis]; result = p; }];
  let samples = [
    Sample<"halves", (ins "f32[2,3,4,6]", "f32[2,1,4,3]", "f32[2,1,4,3]"),
           "axis = 3; sideBySide = false">,
    Sample<"pairs", (ins "f32[2,5,3]", "f32[1,2,3]", "f32[1,2,3]"), "axis = 1; sideBySide = true">,
    Refused<"axis-exists", (ins "f32[2,6]", "f32[2,3]", "f32[2,3]"), "axis = 2; sideBySide = true">,
    Refused<"angles-fit", (ins "f32[2,6]", "f32[2,4]", "f32[2,4]"), "axis = 1; sideBySide = true">];
}

// Heads that several of h heads of queries share, once for each of these.
def sharedHeads : Let<(ins Tensor:$x, Int:$h), [{
  g = shape(x)[1];
  each = Broadcast(Reshape(x, insert(shape(x), 2, 1)), insert(shape(x), 2, h / max(g, 1)));
  y = if(g == h, x, Reshape(each, set(shape(x), 1, h)));
}]>;

// Scores are products of a query and all keys, times `scale`, kept below `softcap` if
// that is not 0, plus `bias`, plus `filter`, and `unseen` where `seen` does not hold. A
// sink is one more score, of no value.
def Attention : Node<"attention",
    (ins "T[b,h,s,d]":$q, "T[b,g,t,d]":$k, "T[b,g,t,e]":$v, "T[*<=[b, h, s, t]]?":$bias,
     "T[*<=[b, h, s, t]]?":$filter,
         "bool[*<=[b, h, s, t]]?":$seen, "T[*<=[b, h, s, 1]]?":$sink), (outs "T[b,h,s,e]":$out),
    (ins Real:$scale, Default<Real, "0.0">:$softcap, Default<Real, "-1e30">:$unseen,
     Default<Flag, "false">:$blank)> {
  let summary = "for each head the values of keys, in shares by the softmax of scores; "
                "several heads of queries may share "
                "one of keys; a query that sees nothing gives 0 if `blank`";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"heads-divide", "g >= 1 && h % max(g, 1) == 0",
            "{g} heads of keys do not divide {h} heads of queries">];
  let tier = 2;
  let lowering = [{
    all = [b, h, s, t];
    raw = MatMul(q, Transpose(sharedHeads(k, h), [0, 1, 3, 2])) * scale;
    capped = if(softcap > 0.0, softcap * Tanh(raw / max(softcap, 1e-9)), raw);
    addend = if(present(bias), asShape(bias, all), capped);
    added = if(present(bias), capped + addend, capped);
    hidden = if(present(filter), added + asShape(filter, all), added);
    visible = if(present(seen), asShape(seen, all), Splat(1, all, elementKind("bool")));
    scores = if(present(seen), Select(visible, hidden, Splat(unseen, all, kind(q))), hidden);
    column = set(all, 3, 1);
    share = if(present(sink),
               Slice(Softmax(Concat([scores, asShape(sink, column)], 3), 3), repeat(0, 4),
                     repeat(1, 4), all),
               Softmax(scores, 3));
    product = MatMul(share, sharedHeads(v, h));
    open = if(present(bias), And(visible, Not(IsInf(addend, true, false))), visible);
    some = Cast(ReduceMax(Cast(open, elementKind("u8")), [3], true), elementKind("bool"));
    out = if(blank, Select(Broadcast(some, shape(product)), product,
                           Splat(0, shape(product), kind(q))), product);
  }];
  let samples = [
    Sample<"plain", (ins "f32[2,2,3,4]", "f32[2,2,5,4]", "f32[2,2,5,3]", "", "", "", ""),
           "scale = 0.5; softcap = 0.0; unseen = -10.0; blank = false">,
    Sample<"grouped", (ins "f32[1,4,3,2]", "f32[1,2,5,2]", "f32[1,2,5,3]", "f32[3,5]",
                       "f32[1,1,1,5]", "bool[1,1,3,5]", "f32[1,4,1,1]"),
           "scale = 0.5; softcap = 2.0; unseen = -10.0; blank = true">,
    Sample<"masked", (ins "f32[2,4,3,2]", "f32[2,2,5,2]", "f32[2,2,5,3]", "f32[4,3,5]",
                      "f32[2,1,1,5]", "bool[3,5]", ""),
           "scale = 0.5; softcap = 2.0; unseen = -10.0; blank = false">,
    Refused<"heads-divide", (ins "f32[1,4,3,2]", "f32[1,3,5,2]", "f32[1,3,5,3]", "", "", "", ""),
           "scale = 0.5; softcap = 0.0; unseen = -10.0; blank = false">];
}

#endif // GLOW_NODES_ATTENTION

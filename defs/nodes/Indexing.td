//===- Indexing.td - elements at indices from other tensors ---------------===//
// SPDX-License-Identifier: MIT
//
// A negative index counts from the end. An index out of range is an error of
// the run.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_INDEXING
#define GLOW_NODES_INDEXING

include "glow/functions/Shapes.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

def Gather : Node<"gather", (ins "T[*a:axis, d, *b]":$in, "I[*k]":$indices),
                  (outs "T[*a, *k, *b]":$out), (ins Int:$axis)> {
  let summary = "slices of `in` along `axis`, at the indices";
  let types = (kinds Indices:$I);
  let compute = [{ out[*p,*q,*r] = in[*p, wrapAxis(indices[*q], d), *r]; }];
  let samples = [Sample<"rows", (ins "f32[4,3]", "i64[2] in 0..3"), "axis = 0">,
                 Sample<"columns", (ins "f32[4,3]", "i32[2,2] in -3..2"), "axis = 1">];
}

def GatherElements : Node<"gather_elements", (ins "T[*s]":$in, "I[*k]":$indices),
                          (outs "T[*k]":$out), (ins Int:$axis)> {
  let summary = "for each index the element of `in` in its place, but at the index along `axis`";
  let types = (kinds Indices:$I);
  let requires = [
    Require<"indices-inside", "axis >= 0 && axis < size(s) && fitsExcept(k, s, axis)",
            "indices of shape {k} do not lie in shape {s} but along axis {axis}">];
  let compute = [{ out[*i] = in[*(set(i, axis, wrapAxis(indices[*i], s[axis])))]; }];
  let samples = [Sample<"rows", (ins "f32[3,3]", "i64[2,3] in 0..2"), "axis = 0">,
                 Refused<"indices-inside", (ins "f32[3,3]", "i64[2,4] in 0..2"), "axis = 0">];
}

def GatherND : Node<"gather_nd", (ins "T[*b:batch, *s]":$in, "I[*b, *k, m]":$indices),
                    (outs "T[*b, *k, *drop(s, m)]":$out), (ins Default<Int, "0">:$batch)> {
  let summary = "the elements or slices of `in` at places of `m` coordinates each";
  let types = (kinds Indices:$I);
  let requires = [
    Require<"coordinates-fit", "m >= 1 && m <= size(s)",
            "places of {m} coordinates do not lie in shape {s}">];
  let hand = "gatherND";
  let reason = "how many coordinates a place has is itself a size";
  // The axes of the batch become one, and its index one coordinate more.
  let gradient = [{
    places = [prod(b), *k, 1];
    number = Iota(0.0, 1.0, 0, places, kind(indices));
    all = Concat([number, Reshape(indices, [prod(b), *k, m])], size(places) - 1);
    zeros = Splat(0.0, [prod(b), *s], kind(in));
    sums = ScatterND(zeros, all, Reshape(d.out, [prod(b), *k, *drop(s, m)]), "add");
    d.in = Reshape(sums, shape(in));
  }];
  let samples = [Sample<"elements", (ins "f32[2,3]", "i64[4,2] in 0..1"), "batch = 0">,
                 Sample<"batch", (ins "f32[2,3,4]", "i64[2,1] in 0..2"), "batch = 1">,
                 Refused<"coordinates-fit", (ins "f32[2,3]", "i64[4,3] in 0..1"), "batch = 0">];
}

// The combination of an update and the element at its index.
def ScatterReduction : Choice<["none", "add", "mul", "max", "min"]>;

def reduced : Let<(ins Text:$reduction, Real:$old, Real:$update), [{
  if(reduction == "add", old + update,
     if(reduction == "mul", old * update,
        if(reduction == "max", max(old, update), if(reduction == "min", min(old, update), update))))
}]>;

def ScatterElements : Node<"scatter_elements",
    (ins "T[*s]":$in, "I[*k]":$indices, "T[*k]":$updates), (outs "T[*s]":$out),
    (ins Int:$axis, ScatterReduction:$reduction)> {
  let summary = "`in`, with each update in its place, but at the index along `axis`";
  let types = (kinds NumbersAndBool:$T, Indices:$I);
  let requires = [
    Require<"indices-inside", "axis >= 0 && axis < size(s) && fitsExcept(k, s, axis)",
            "indices of shape {k} do not lie in shape {s} but along axis {axis}">];
  let inout = "in";
  let compute = [{
    old = out[*(set(i, axis, wrapAxis(indices[*i], s[axis])))];
    out[*(set(i, axis, wrapAxis(indices[*i], s[axis])))] = reduced(reduction, old, updates[*i]);
  }];
  // Of updates to the same place only the last counts: the one whose number is
  // still there when all are written.
  let gradient = [{
    require(reduction == "none" || reduction == "add",
            "of reduction {reduction} has no gradient; it must be none or add");
    number = Reshape(Iota(0.0, 1.0, 0, [prod(k)], elementKind("i64")), k);
    nothing = Splat(-1.0, s, elementKind("i64"));
    winner = GatherElements(ScatterElements(nothing, indices, number, axis, "none"), indices, axis);
    updated = GatherElements(d.out, indices, axis);
    zeros = Splat(0.0, k, kind(updates));
    d.in = if(reduction == "add", d.out, ScatterElements(d.out, indices, zeros, axis, "none"));
    d.updates = if(reduction == "add", updated, Select(Equal(winner, number), updated, zeros));
  }];
  let samples = [
    Sample<"rows", (ins "f32[3,3]", "i64[1,3] in 0..2", "f32[1,3]"),
           "axis = 0; reduction = \"none\"">,
    Sample<"sums", (ins "f32[3,3]", "i64[2,3] in 0..2", "f32[2,3]"),
           "axis = 0; reduction = \"add\"">,
    Sample<"later-wins", (ins "f32[3,3]", "i64[4,3] in 0..2", "f32[4,3]"),
           "axis = 0; reduction = \"none\"">,
    Refused<"indices-inside", (ins "f32[3,3]", "i64[2,4] in 0..2", "f32[2,4]"),
            "axis = 0; reduction = \"none\"">];
}

def ScatterND : Node<"scatter_nd",
    (ins "T[*s]":$in, "I[*k, m]":$indices, "T[*k, *drop(s, m)]":$updates), (outs "T[*s]":$out),
    (ins ScatterReduction:$reduction)> {
  let summary = "`in`, with each update at its place of `m` coordinates";
  let types = (kinds NumbersAndBool:$T, Indices:$I);
  let requires = [
    Require<"coordinates-fit", "m >= 1 && m <= size(s)",
            "places of {m} coordinates do not lie in shape {s}">];
  let hand = "scatterND";
  let reason = "the result begins as a copy, and later updates win";
  // As for ScatterElements; an update is a whole slice.
  let gradient = [{
    require(reduction == "none" || reduction == "add",
            "of reduction {reduction} has no gradient; it must be none or add");
    number = Reshape(Iota(0.0, 1.0, 0, [elements(updates)], elementKind("i64")), shape(updates));
    nothing = Splat(-1.0, s, elementKind("i64"));
    winner = GatherND(ScatterND(nothing, indices, number, "none"), indices);
    updated = GatherND(d.out, indices);
    zeros = Splat(0.0, shape(updates), kind(updates));
    d.in = if(reduction == "add", d.out, ScatterND(d.out, indices, zeros, "none"));
    d.updates = if(reduction == "add", updated, Select(Equal(winner, number), updated, zeros));
  }];
  let samples = [
    Sample<"elements", (ins "f32[2,3]", "i64[2,2] in 0..1", "f32[2]"), "reduction = \"none\"">,
    Sample<"rows", (ins "f32[4,3]", "i64[2,1] in 0..3", "f32[2,3]"), "reduction = \"add\"">,
    Refused<"coordinates-fit", (ins "f32[2]", "i64[2,2] in 0..1", "f32[2]"),
            "reduction = \"none\"">];
}

def ReverseSequence : Node<"reverse_sequence", (ins "T[b,t,*s]":$in, "I[b]":$lengths),
                           (outs "T[b,t,*s]":$out)> {
  let summary = "of each sequence of a batch the first elements, as many as its length says, "
                "backwards";
  let types = (kinds Everything:$T, Indices:$I);
  let compute = [{ out[b,i,*k] = in[b, if(i < lengths[b], lengths[b] - 1 - i, i), *k]; }];
  let gradient = [{ d.in = ReverseSequence(d.out, lengths); }];
  let samples = [Sample<"small", (ins "f32[2,4,3]", "i64[2] in 1..4")>];
}

// The bag of each of `count` elements, where bags follow each other: the number of
// bags that end at or before the element. Sums of f32 are exact up to 2^24, and
// fast.
def bagOf : Let<(ins Tensor:$lengths, Int:$count), [{
  wide = elementKind("i64");
  exact = if(count < 16777216, elementKind("f32"), wide);
  ends = asKind(CumSum(asKind(lengths, exact), 0), wide);
  marks = ScatterElements(Splat(0.0, [count + 1], exact), ends, Splat(1.0, shape(lengths), exact),
                          0, "add");
  bags = asKind(CumSum(Slice(marks, [0], [1], [count]), 0), wide);
}]>;
// The lengths of bags from their offsets, with `count` elements in all; or the last
// offset is the end.
def lengthsOf : Let<(ins Tensor:$offsets, Int:$count, Flag:$hasEnd), [{
  all = if(hasEnd, offsets, Concat([offsets, Splat(real(count), [1], kind(offsets))], 0));
  b = shape(all)[0] - 1;
  lengths = Slice(all, [1], [1], [b]) - Slice(all, [0], [1], [b]);
}]>;

// The places of marks, of which a run has counted as many as the result has elements.
def MarkedPlaces : Node<"marked_places", (ins "bool[n]":$marks, "i64[]":$count),
                        (outs "i64[length[0]]":$out), (ins Ints:$length), []> {
  let summary = "the indices of the elements that are true, in order, then zeros; `length` has "
                "their number as a size, whose range `count` must not leave";
  let requires = [Require<"one-length", "size(length) == 1",
                          "length {length} must have one size">];
  let lengthFrom = "count";
  let scratch = (ins "i64[]":$next);
  let compute = [{
    out[k] = 0;
    next[] = 0;
    scan t from 0 {
      out[k] += t over k < length[0], next[] <= k < next[] + marks[t];
      next[] = next[] + marks[t];
    }
  }];
  let gradient = [{ none("a run decides how many marks there are") }];
  let samples = [
    Sample<"few", (ins "bool[9]", "i64[] in 9..9"), "length = [9]">,
    Sample<"many", (ins "bool[200]", "i64[] in 200..200"), "length = [200]">,
    Sample<"none", (ins "bool[3] in 0..0", "i64[] in 0..0"), "length = [0]">,
    Refused<"one-length", (ins "bool[4]", "i64[] in 2..2"), "length = []">];
}

// A backend that runs the node whole looks for the first `k` indices of the order alone.
def TopK : Node<"top_k", (ins "T[*s]":$in),
                (outs "T[*set(s, axis, k)]":$values, "i64[*set(s, axis, k)]":$places),
                (ins Int:$axis, Int:$k, Default<Flag, "true">:$largest)> {
  let summary = "the `k` largest (or smallest) elements along an axis, the first of them first, "
                "and their places; "
                "of equals the first, and NaN comes first of all";
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(s)",
            "axis {axis} is not one of the {size(s)} of shape {s}">,
    Require<"elements-enough", "k >= 0 && k <= at(s, axis)",
            "{k} of {at(s, axis)} elements is not possible">];
  let tier = 1;
  let lowering = [{
    order = ArgSort(in, axis, largest);
    places = Slice(order, repeat(0, size(s)), repeat(1, size(s)), set(s, axis, k));
    values = GatherElements(in, places, axis);
  }];
  let gradient = [{ d.in = ScatterElements(Splat(0.0, s, kind(in)), places, d.values, axis, "add");
      }];
  let permuted = [{ axis = q[axis]; result = p; }];
  let samples = [
    Sample<"rows", (ins "f32[2,9]"), "axis = 1; k = 3; largest = true">,
    Sample<"solid", (ins "f32[2,7,4] in 0..3"), "axis = 1; k = 5; largest = false">,
    Sample<"all", (ins "f32[5,2]"), "axis = 0; k = 5; largest = true">,
    Refused<"axis-exists", (ins "f32[2,3]"), "axis = 2; k = 1; largest = true">,
    Refused<"elements-enough", (ins "f32[2,3]"), "axis = 1; k = 4; largest = true">];
}

def Embedding : Node<"embedding", (ins "T[v,d]":$table, "I[*k]":$rows), (outs "T[*k,d]":$out),
                     (ins Default<Int, "-1">:$padding)> {
  let summary = "rows of a table; that of the number `padding` is 0";
  let types = (kinds Numbers:$T, Indices:$I);
  let compute = [{ out[*p,x] = if(rows[*p] == padding, 0, table[rows[*p],x]); }];
  let samples = [Sample<"padded", (ins "f32[4,3]", "i64[2,5] in 0..3"), "padding = 2">,
                 Sample<"plain", (ins "f32[4,3]", "i32[5] in 0..3"), "padding = -1">];
}

// Kinds that count.
def Counting : Kinds<["f32", "f64", "i32", "i64"]>;

def CountBelow : Node<"count_below", (ins "T[*s]":$in, "T[k]":$bounds), (outs "T[*s]":$out)> {
  let summary = "how many bounds are below each element";
  let types = (kinds Counting:$T);
  let compute = "out[*i] += if(bounds[j] < in[*i], 1, 0)";
  let gradient = [{ none("it is flat but where it jumps") }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[5]")>];
}

def Bucketize : Node<"bucketize", (ins "T[*s]":$in, "T[k]":$bounds), (outs "kind[*s]":$out),
                     (ins Kind:$kind)> {
  let summary = "the number of the bucket of each element, of those that bounds in their order "
                "divide; a bound is in the lower one";
  let types = (kinds Counting:$T, Indices:$kind);
  let tier = 1;
  let lowering = [{
    below = CountBelow(in, bounds);
    out = if(kind(in) == kind, below, Cast(below, kind));
  }];
  let gradient = [{ none("the number of a bucket has no slope") }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[5]"), "kind = i32">];
}

def BatchOneHot : Node<"batch_one_hot", (ins "T[n,f]":$in, "I[f]":$lengths, "T[v]":$values),
                       (outs "T[n,v]":$out)> {
  let summary = "1 where a column has the value, else 0; "
                "the values of the columns follow each other, as many of each "
                "as `lengths` says";
  let types = (kinds Numbers:$T, Indices:$I);
  let tier = 2;
  let lowering = [{
    columns = Gather(in, bagOf(lengths, v), 1);
    out = Cast(Equal(columns, Broadcast(values, [n, v])), kind(in));
  }];
  let gradient = [{ none("it is flat but where it jumps") }];
  let samples = [Sample<"small", (ins "f32[4,2] in 0..2", "i64[2] in 3..3", "f32[6] in 0..2")>];
}

def WriteRows : Node<"write_rows", (ins "T[b,c,n,m]":$in, "T[b,c,k,m]":$rows, "I[b]":$places),
                     (outs "T[b,c,n,m]":$out)> {
  let summary = "`in`, with `rows` written "
                "over its third axis from the place of each batch on, and from its "
                "begin again where it ends";
  let types = (kinds Everything:$T, Indices:$I);
  let requires = [Require<"rows-fit", "k <= n", "{k} rows do not fit into {n}">];
  let inout = "in";
  let compute = [{ out[b,c,(places[b] + x) % n,m] = rows[b,c,x,m]; }];
  let gradient = [{ none("it writes what is kept for later, and that is not trained") }];
  let samples = [Sample<"small", (ins "f32[2,2,5,3]", "f32[2,2,2,3]", "i64[2] in 0..4")>,
                 Refused<"rows-fit", (ins "f32[1,1,2,3]", "f32[1,1,3,3]", "i64[1] in 0..1")>];
}

// ONNX's modes, in the order of its numbers, each 1 more; 0 is a leaf.
def TreeLeaves : Node<"tree_leaves",
    (ins "T[n,f]":$in, "i64[m]":$features, "T[m]":$bounds, "i64[m]":$modes, "i64[m]":$whenTrue,
     "i64[m]":$whenFalse,
         "i64[m]":$missingTrue, "i64[r]":$roots, "T[p]?":$sets, "i64[m]?":$begins),
         (outs "i64[n,r]":$out)> {
  let summary = "the leaf of each tree that a row leads to: at every branch its feature is "
                "compared with the bound, by "
                "mode 1 <=, 2 <, 3 >=, 4 >, 5 == or 6 !=, or, 7, is one of the numbers of `sets` "
                "from its place in `begins` "
                "to the next NaN; mode 0 is a leaf; NaN holds where `missingTrue` is not 0";
  let types = (kinds Numbers:$T);
  let hand = "treeLeaves";
  let reason = "how many steps lead to a leaf depends on the elements";
  let gradient = [{ none("a leaf is a place, without a slope") }];
  let samples = [
    Sample<"stump", (ins "f32[4,2]", "i64[3] in 0..1", "f32[3]", "i64[3] in 0..0", "i64[3] in 1..1",
                     "i64[3] in 2..2",
                         "i64[3] in 0..0", "i64[2] in 0..2", "", "")>,
    Sample<"sets", (ins "f32[4,2]", "i64[3] in 0..1", "f32[3]", "i64[3] in 0..0", "i64[3] in 1..1",
                    "i64[3] in 2..2",
                        "i64[3] in 0..0", "i64[2] in 0..2", "f32[5]", "i64[3] in 0..4")>];
}

def OneHot : Node<"one_hot", (ins "I[*a:axis, *b]":$indices, "T[2]":$values),
                  (outs "T[*a, depth, *b]":$out), (ins Int:$axis, Int:$depth)> {
  let summary = "values[1] at the index along a new axis, values[0] elsewhere and for an index out "
                "of range";
  let types = (kinds Indices:$I);
  let compute = [{
    out[*p,x,*q] = if(indices[*p,*q] == x || indices[*p,*q] + depth == x, values[1], values[0]);
  }];
  let gradient = [{
    hot = OneHot(indices, RealLiteral([0.0, 1.0], [2], kind(values)), axis, depth);
    axes = range(0, rank(d.out));
    yes = Reshape(ReduceSum(d.out * hot, axes), [1]);
    all = Reshape(ReduceSum(d.out, axes), [1]);
    d.values = Concat([all - yes, yes], 0);
  }];
  let samples = [Sample<"rows", (ins "i64[3] in 0..3", "f32[2]"), "axis = 1; depth = 4">];
}

#endif // GLOW_NODES_INDEXING

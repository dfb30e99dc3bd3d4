//===- Reduction.td - one value of all elements along some axes -----------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_NODES_REDUCTION
#define GLOW_NODES_REDUCTION

include "glow/functions/Shapes.td"
include "glow/nodes/Shape.td"

// A reduced axis stays as a size of 1 where `keepDims` holds.
class Reduce<string mnemonic, code compute_, Kinds of, code gradient_ = "">
    : Node<mnemonic, (ins "T[*s]":$in), (outs "T[*reducedShape(s, axes, keepDims)]":$out),
           (ins Ints:$axes, Default<Flag, "false">:$keepDims)> {
  let types = (kinds of:$T);
  let requires = [
    Require<"axes-exist", "allAtLeast(axes, 0) && allBelow(axes, size(s)) && distinct(axes)",
            "axes {axes} must be different ones of the {size(s)} of shape {s}">];
  let gradient = gradient_;
  let compute = compute_;
  let permuted = [{ axes = pick(q, axes); result = if(keepDims, p, remaining(p, axes)); }];
  let samples = [
    Sample<"rows", (ins "f32[2,3]"), "axes = [1]; keepDims = false">,
    Sample<"kept", (ins "f32[2,3,4]"), "axes = [2, 0]; keepDims = true">,
    Sample<"gone", (ins "f32[2,3,4]"), "axes = [0]; keepDims = false">,
    Refused<"axes-exist", (ins "f32[2,3]"), "axes = [2]; keepDims = false">];
}

def ReduceSum : Reduce<"reduce_sum",
                       "out[*i] += in[*(unreduced(i, r, axes, keepDims))] over *r < pick(s, axes);",
                       Numbers, [{
    d.in = Broadcast(Reshape(d.out, reducedShape(s, axes, true)), s);
  }]> { let summary = "sum along axes"; }
// The product of the others is the whole by this one, which must not be 0.
def ReduceProd : Reduce<"reduce_prod",
                        [{out[*i] *= in[*(unreduced(i, r, axes, keepDims))]
                          over *r < pick(s, axes);}], Numbers, [{
    d.in = Broadcast(Reshape(d.out * out, reducedShape(s, axes, true)), s) / in;
  }]> { let summary = "product along axes"; }
def ReduceMax : Reduce<"reduce_max",
                       [{out[*i] max= in[*(unreduced(i, r, axes, keepDims))]
                         over *r < pick(s, axes);}], Numbers> {
  let summary = "the largest element along axes; NaN when one is";
  let integers = [Integers<"in">];
  let keepsRange = 1;
  let rescales = 1;
}
def ReduceMin : Reduce<"reduce_min",
                       [{out[*i] min= in[*(unreduced(i, r, axes, keepDims))]
                         over *r < pick(s, axes);}], Numbers> {
  let summary = "the smallest element along axes; NaN when one is";
}
def ReduceMean : Reduce<"reduce_mean",
                        [{out[*i] mean= in[*(unreduced(i, r, axes, keepDims))]
                          over *r < pick(s, axes);}], Numbers, [{
    share = d.out / sizeTensor(prod(pick(s, axes)), shape(d.out), kind(in));
    d.in = Broadcast(Reshape(share, reducedShape(s, axes, true)), s);
  }]> {
  let summary = "mean along axes";
  let integers = [Integers<"in">];
  let rescales = 1;
}

// In a row with NaN the best value is NaN, too. It is equal to nothing;
// candidates are then the NaN elements, of which the first one wins.
class ArgReduce<string mnemonic, Node reduction>
    : Node<mnemonic, (ins "T[*s]":$in), (outs "i64[*reducedShape(s, [axis], keepDims)]":$out),
           (ins Int:$axis, Default<Flag, "false">:$keepDims, Default<Flag, "false">:$selectLast)> {
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(s)",
            "axis {axis} is not one of the {size(s)} of shape {s}">,
    Require<"axis-not-empty", "s[axis] >= 1", "axis {axis} of shape {s} has no element">];
  let tier = 1;
  let with = (bind reduction:$reduce);
  let lowering = [{
    best = reduce(in, [axis], true);
    same = Equal(in, Broadcast(best, s));
    hit = if(isFloat(kind(in)), Or(same, IsNan(in)), same);
    k = Broadcast(Iota(0.0, 1.0, 0, [s[axis]], elementKind("i64")), s, axis: axis);
    first = ReduceMin(Select(hit, k, Splat(real(s[axis]), s, elementKind("i64"))), [axis],
                      keepDims);
    last = if(selectLast, ReduceMax(Select(hit, k, Splat(-1.0, s, elementKind("i64"))), [axis],
                                    keepDims), first);
    out = if(selectLast && isFloat(kind(in)),
             Select(Reshape(IsNan(best), shape(first)), first, last), last);
  }];
  let permuted = [{ axis = q[axis]; result = if(keepDims, p, remaining(p, [axis])); }];
  let samples = [
    Sample<"rows", (ins "f32[2,3]"), "axis = 1; keepDims = false; selectLast = false">,
    Sample<"solid", (ins "f32[2,3,4]"), "axis = 2; keepDims = false; selectLast = false">,
    Sample<"last", (ins "f32[2,9,2] in 0..1"), "axis = 1; keepDims = true; selectLast = true">,
    Refused<"axis-exists", (ins "f32[2,3]"), "axis = 2; keepDims = false; selectLast = false">,
    Refused<"axis-not-empty", (ins "f32[2,0]"), "axis = 1; keepDims = false; selectLast = false">];
}
def ArgMax : ArgReduce<"arg_max", ReduceMax> {
  let summary = "where along an axis the largest element is";
}
def ArgMin : ArgReduce<"arg_min", ReduceMin> {
  let summary = "where along an axis the smallest element is";
}

def ArgSort : Node<"arg_sort", (ins "T[*s]":$in), (outs "i64[*s]":$out),
                   (ins Int:$axis, Default<Flag, "false">:$descending)> {
  let summary = "where along an axis the smallest element is, then where the next one, and so on; "
                "of equals the first, and NaN comes first of all";
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(s)",
            "axis {axis} is not one of the {size(s)} of shape {s}">];
  let hand = "argSort";
  let reason = "the result is an order of places, which no index notation gives";
  let permuted = [{ axis = q[axis]; result = p; }];
  let samples = [
    Sample<"rows", (ins "f32[2,5]"), "axis = 1; descending = false">,
    Sample<"solid", (ins "f32[2,3,4]"), "axis = 1; descending = true">,
    Refused<"axis-exists", (ins "f32[2,3]"), "axis = 2; descending = false">];
}

// A scan: for each element the reduction of all elements up to it along an
// axis.
class Cumulative<string mnemonic, string what>
    : Node<mnemonic, (ins "T[*a:axis, t, *b]":$in), (outs "T[*a, t, *b]":$out),
           (ins Int:$axis, Default<Flag, "false">:$exclusive, Default<Flag, "false">:$backwards)> {
  let summary = "the " # what # " of all elements up to this one along an axis, itself left out if "
                "`exclusive`; from the end if `backwards`";
  let types = (kinds Numbers:$T);
  let permuted = [{ axis = q[axis]; result = p; }];
}

def CumSum : Cumulative<"cum_sum", "sum"> {
  let compute = [{
    scan t to 0 if backwards {
      added = if(exclusive, if(first(t), 0, in[*p,previous(t),*q]), in[*p,t,*q]);
      out[*p,t,*q] = if(first(t), 0, out[*p,previous(t),*q]) + added;
    }
  }];
  let gradient = [{ d.in = CumSum(d.out, axis, exclusive, !backwards); }];
  let samples = [
    Sample<"rows", (ins "f32[2,3]"), "axis = 1; exclusive = false; backwards = false">,
    Sample<"backwards", (ins "f32[2,3]"), "axis = 0; exclusive = true; backwards = true">,
    Sample<"solid", (ins "f32[2,3,4]"), "axis = 2; exclusive = true; backwards = false">,
    Sample<"wide", (ins "f32[3,5,40]"), "axis = 1; exclusive = false; backwards = true">];
}

def CumProd : Cumulative<"cum_prod", "product"> {
  let compute = [{
    scan t to 0 if backwards {
      factor = if(exclusive, if(first(t), 1, in[*p,previous(t),*q]), in[*p,t,*q]);
      out[*p,t,*q] = if(first(t), 1, out[*p,previous(t),*q]) * factor;
    }
  }];
  let samples = [
    Sample<"rows", (ins "f32[2,3] in 0.5..2"), "axis = 1; exclusive = false; backwards = false">,
    Sample<"backwards", (ins "f32[2,3] in 0.5..2"), "axis = 0; exclusive = true; backwards = true">,
    Sample<"solid", (ins "f32[2,3,4] in 0.5..2"), "axis = 2; exclusive = true; backwards = false">];
}

#endif // GLOW_NODES_REDUCTION

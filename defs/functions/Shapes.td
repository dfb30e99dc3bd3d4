//===- Shapes.td - sizes and axes of tensors ------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_FUNCTIONS_SHAPES
#define GLOW_FUNCTIONS_SHAPES

include "glow/functions/Lists.td"

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

def isPermutation : Let<(ins Ints:$list),
                        "distinct(list) && allAtLeast(list, 0) && allBelow(list, size(list))"> {
  let summary = "whether the list is a permutation of its indices";
}

def remaining : Let<(ins Ints:$permutation, Ints:$axes),
    "[axis - sum([if(a < axis, 1, 0) for a in axes]) for axis in excluding(permutation, axes)]"> {
  let summary = "the permutation of the axes that remain without some";
}

def without1 : Let<(ins Ints:$shape), "nonzeros([if(x == 1, 1, 0) for x in shape])"> {
  let summary = "the axes of size 1";
}

// The axes of `to` along which a tensor of shape `from` is repeated, whose first
// dimension lies at `axis`; -1 aligns the last ones.
def repeatedAxes : Let<(ins Ints:$from, Ints:$to, Int:$axis), [{
  start = if(axis < 0, size(to) - size(from), axis);
  axes = nonzeros([if(i < start || i - start >= size(from) || from[i - start] != x, 1, 0)
                   for i, x in range(0, size(to)), to]);
}]> {
  let summary = "the axes of `to` along which a tensor of shape `from` at `axis` is repeated";
}

// Whether a tensor of `shape`, broadcast to `dims` from the axis `from` on (or to the
// end, if negative), is of the full size along `axis` and of 1 elsewhere.
def variesAlong : Let<(ins Ints:$shape, Ints:$dims, Int:$from, Int:$axis), [{
  first = if(from < 0, size(dims) - size(shape), from);
  varies = first >= 0 && axis >= first && shape[axis - first] == dims[axis]
      && prod(shape) == dims[axis];
}]> {
  let summary = "whether a tensor that is broadcast to `dims` varies along one axis only, in "
                "full size";
}

//===----------------------------------------------------------------------===//
// Shapes of results
//===----------------------------------------------------------------------===//

def reducedShape : Let<(ins Ints:$shape, Ints:$axes, Flag:$keep), [{
  if(keep, [if(contains(axes, i), 1, x) for i, x in range(0, size(shape)), shape],
     without(shape, axes))
}]> {
  let summary = "the shape without these axes, or with size 1 there";
}

// The shape with dimensions of size 1 put in; axes count in the result.
def unsqueezed : Let<(ins Ints:$shape, Ints:$axes), [{
  rank = size(shape) + size(axes);
  result = place(repeat(1, rank),
                 excluding(range(0, rank), [wrapAxis(axis, rank) for axis in axes]), shape);
}]> {
  let summary = "the shape with sizes of 1 put in; axes count in the result";
}

// The shape of ONNX's Reshape: 0 keeps the dimension (or means 0 if `zero`), -1 is the
// remaining size.
def resolveReshape : Let<(ins Ints:$from, Ints:$to, Flag:$zero), [{
  kept = [if(x == 0 && !zero, from[i], x) for i, x in range(0, size(to)), to];
  known = prod([if(x == -1, 1, x) for x in kept]);
  result = set(kept, indicesOf([-1], kept)[0], prod(from) / known);
}]> {
  let summary = "the sizes that ONNX's Reshape gives: 0 keeps a size (is 0 with `zero`), -1 is "
                "the rest";
}

def fitsExcept : Let<(ins Ints:$small, Ints:$large, Int:$axis),
    "size(small) == size(large) && allAtLeast(set(large - small, axis, 0), 0)"> {
  let summary = "whether one shape is inside another, without regard to an axis";
}

def equalParts : Let<(ins Int:$total, Int:$count), [{
  part = 0 - (0 - total) / count;
  parts = [max(0, min(part, total - part * i)) for i in range(0, count)];
}]> {
  let summary = "the sizes of as many equal parts; the last ones may be smaller";
}

//===----------------------------------------------------------------------===//
// Slices, from ONNX's bounds; negative ones count from the end
//===----------------------------------------------------------------------===//

// A bound within 0..length, or -1..length-1 where the slice goes backwards.
def sliceBound : Let<(ins Int:$bound, Int:$length, Int:$step), [{
  lowest = if(step < 0, -1, 0);
  within = max(lowest, min(if(bound < 0, bound + length, bound), length + lowest));
}]> {
  let summary = "a bound of ONNX's Slice as an index of a size";
}

// An empty slice backwards may begin before the first element.
def sliceStarts : Let<(ins Ints:$shape, Ints:$axes, Ints:$starts, Ints:$steps), [{
  lengths = [shape[wrapAxis(axis, size(shape))] for axis in axes];
  from = [max(sliceBound(x, n, step), 0) for x, n, step in starts, lengths, steps];
  result = place(repeat(0, size(shape)), axes, from);
}]> {
  let summary = "the start of ONNX's Slice in each dimension";
}

def sliceSizes : Let<(ins Ints:$shape, Ints:$axes, Ints:$starts, Ints:$ends, Ints:$steps), [{
  lengths = [shape[wrapAxis(axis, size(shape))] for axis in axes];
  // Rounded up: -floor(-a / b).
  sizes = [max(0 - (sliceBound(x, n, step) - sliceBound(y, n, step)) / step, 0)
           for x, y, n, step in starts, ends, lengths, steps];
  result = place(shape, axes, sizes);
}]> {
  let summary = "the size of ONNX's Slice in each dimension";
}

#endif // GLOW_FUNCTIONS_SHAPES

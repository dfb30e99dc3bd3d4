//===- ComputedSizes.td - sizes that a run computes -----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_COMPUTEDSIZES
#define GLOW_IMPORT_COMPUTEDSIZES

include "glow/functions/Kinds.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

// The first slices of a tensor that has `most` of them, as many as the number in `count`.
def counted : Let<(ins Tensor:$x, Tensor:$count, Int:$most), [{
  length = computedLength(count, most);
  s = shape(x);
  found = if(isOfRun(count), Prefix(x, count, [length]),
             Slice(x, repeat(0, size(s)), repeat(1, size(s)), set(s, 0, length)));
}]>;

// The indices, in order, of the elements that are not 0 in a list of `n` elements.
def nonZeroPlaces : Let<(ins Tensor:$x, Int:$n), [{
  k = elementKind("i64");
  isMarked = asKind(x, elementKind("bool"));
  count = Cast(ReduceSum(Cast(isMarked, elementKind("i32")), [0]), k);
  length = computedLength(count, n);
  places = Select(isMarked, CumSum(Cast(isMarked, k), 0) - 1, sizeTensor(n, [n], k));
  // An element that is 0 writes behind all others.
  order = ScatterElements(Splat(0.0, [n + 1], k), places, Iota(0.0, 1.0, 0, [n], k), 0, "none");
  found = if(isOfRun(count), MarkedPlaces(isMarked, count, [length]),
             Slice(order, [0], [1], [length]));
}]>;
// The number at an index of a list that a run gives.
def numberAt : Let<(ins Tensor:$list, Int:$i), [{
  one = Slice(Reshape(list, [elements(list)]), [i], [1], [1]);
  y = asKind(Reshape(one, []), elementKind("i64"));
}]>;
// A number, but at least `low` and at most `high`.
def within : Let<(ins Tensor:$x, Tensor:$low, Tensor:$high), "Min(Max(x, low), high)">;
// Elements along an axis from a place of the run on, in steps, up to the end.
def sliceOfRun : Let<(ins Tensor:$data, Tensor:$start, Tensor:$stop, Int:$axis, Int:$step), [{
  k = elementKind("i64");
  n = shape(data)[axis];
  size = sizeTensor(n, [], k);
  low = Splat(if(step > 0, 0.0, -1.0), [], k);
  high = if(step > 0, size, size - 1.0);
  begin = within(Select(start < 0.0, start + size, start), low, high);
  last = within(Select(stop < 0.0, stop + size, stop), low, high);
  distance = if(step > 0, last - begin, begin - last);
  count = Div(Max(distance, Splat(0.0, [], k)) + real(abs(step) - 1),
              Splat(real(abs(step)), [], k));
  steps = counted(Iota(0.0, 1.0, 0, [n], k), count, n);
  y = Gather(data, steps * real(step) + Broadcast(begin, shape(steps)), axis);
}]>;
// The axis `axis` with `begin` elements more before the first and `end` more behind the last,
// fewer if negative, of which there are `most` at most.
def padOfRun : Let<(ins Tensor:$data, Tensor:$begin, Tensor:$end, Int:$axis, Int:$most,
                        Text:$mode, Tensor:$value), [{
  k = elementKind("i64");
  n = shape(data)[axis];
  size = sizeTensor(n, [], k);
  places = counted(Iota(0.0, 1.0, 0, [most], k), size + begin + end, most);
  all = shape(places);
  place = places - Broadcast(begin, all);
  zero = Splat(0.0, all, k);
  last = sizeTensor(n - 1, all, k);
  twice = sizeTensor(max(2 * n - 2, 1), all, k);
  turned = Mod(place, twice);
  around = if(mode == "wrap", Mod(place, sizeTensor(max(n, 1), all, k)),
              if(mode == "reflect", Min(turned, twice - turned), within(place, zero, last)));
  y = Gather(data, around, axis);
  inside = And(place >= zero, place <= last);
  out = if(mode == "constant",
           Select(Broadcast(inside, shape(y), axis: axis), y,
                  Broadcast(Reshape(value, []), shape(y))), y);
}]>;

#endif // GLOW_IMPORT_COMPUTEDSIZES

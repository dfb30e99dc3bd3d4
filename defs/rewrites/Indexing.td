//===- Indexing.td - indices that are known -------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_REWRITES_INDEXING
#define GLOW_REWRITES_INDEXING

include "glow/nodes/Indexing.td"

// Constant indices that are evenly spaced name a slice, if they lie in the axis.
def GatherOfProgression
    : Rewrite<[{ Gather(x, i, axis: a)
                 => Reshape(Slice(x, set(repeat(0, rank(x)), a, first),
                                  set(repeat(1, rank(x)), a, step),
                                                        set(shape(x), a, elements(i))),
                                                  [*take(shape(x), a), *shape(i),
                                                   *drop(shape(x), a + 1)]) }],
              (ins "f32[4,3]":$x, "i64[1,1] in 2..2 constant":$i), "a = 0"> {
  let with = (bind "progressionOf(i)":$list, "wrapAxis(list[0], shape(x)[a])":$first,
              "list[1]":$step,
                   "(first + step * (elements(i) - 1))":$last);
  let condition = [{size(list) == 2 && first >= 0 && first < shape(x)[a] && last >= 0
                    && last < shape(x)[a]}];
}

// Later updates win, or add to earlier ones: two lists of updates are one. Sums of 16-bit
// floats would be rounded between the lists.
def ScatterOfScatter
    : Rewrite<[{ ScatterND(ScatterND(x, i, u, reduction: r), j, v, reduction: r)
                 => ScatterND(x, Concat([i, j], 0), Concat([u, v], 0), r) }],
              (ins "f32[4,3]":$x, "i64[2,1] in 0..3":$i, "f32[2,3]":$u, "i64[1,1] in 0..3":$j,
               "f32[1,3]":$v), "r = \"none\""> {
  let condition = [{
    rank(i) >= 2 && rank(i) == rank(j) && drop(shape(i), 1) == drop(shape(j),
        1) && kind(i) == kind(j) &&
    (r == "none" || bitsOf(kind(x)) >= 32)
  }];
  let once = 1;
}

def ScatterElementsOfScatterElements
    : Rewrite<[{ ScatterElements(ScatterElements(x, i, u, axis: a, reduction: r), j, v, axis: a,
                                 reduction: r)
                 => ScatterElements(x, Concat([i, j], a), Concat([u, v], a), a, r) }],
              (ins "f32[4,3]":$x, "i64[2,3] in 0..3":$i, "f32[2,3]":$u, "i64[1,3] in 0..3":$j,
               "f32[1,3]":$v),
              "a = 0; r = \"add\""> {
  let condition = [{set(shape(i), a, 1) == set(shape(j), a, 1) && kind(i) == kind(j)
                    && (r == "none" || bitsOf(kind(x)) >= 32)}];
  let once = 1;
}

//===----------------------------------------------------------------------===//
// Indices that are the same for all elements of a slice
//===----------------------------------------------------------------------===//

def GatherOfRepeated
    : Rewrite<[{ GatherElements(x, Broadcast(i, dims: d, axis: b), axis: a)
                 => Gather(x, Reshape(i, [d[a]]), a) }],
              (ins "f32[4,3]":$x, "i64[5,1] in 0..3":$i), "d = [5, 3]; b = -1; a = 0"> {
  let condition = [{elements(i) == d[a] && variesAlong(shape(i), d, b, a)
                    && set(d, a, 1) == set(shape(x), a, 1)}];
}
def ScatterOfRepeated
    : Rewrite<[{ ScatterElements(x, Broadcast(i, dims: d, axis: b), u, axis: a, reduction: r)
                 => ScatterND(x, Reshape(i, [d[0], 1]), u, r) }],
              (ins "f32[4,3]":$x, "i64[5,1] in 0..3":$i, "f32[5,3]":$u),
              "d = [5, 3]; b = -1; a = 0; r = \"add\""> {
  let condition = [{a == 0 && elements(i) == d[0] && variesAlong(shape(i), d, b, 0)
                    && drop(d, 1) == drop(shape(x), 1)}];
}

#endif // GLOW_REWRITES_INDEXING

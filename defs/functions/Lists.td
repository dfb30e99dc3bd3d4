//===- Lists.td - lists of numbers ----------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_FUNCTIONS_LISTS
#define GLOW_FUNCTIONS_LISTS

include "glow/Functions.td"

// Element by element.
def maximum : Let<(ins Ints:$a, Ints:$b), "[max(x, y) for x, y in a, b]">;
def minimum : Let<(ins Ints:$a, Ints:$b), "[min(x, y) for x, y in a, b]">;

// The smallest and the largest number; 0 where there is none.
def least : Let<(ins Reals:$list), "bound = list[0]; for x in list { bound = min(bound, x); }"> {
  let results = ["bound"];
}
def greatest : Let<(ins Reals:$list), "bound = list[0]; for x in list { bound = max(bound, x); }"> {
  let results = ["bound"];
}

def slice : Let<(ins Ints:$list, Int:$from, Int:$count), "take(drop(list, from), count)">;
def reverse : Let<(ins Ints:$list), "pick(list, size(list) - 1 - range(0, size(list)))">;
def insert : Let<(ins Ints:$list, Int:$at, Int:$value),
                 "[*take(list, at), value, *drop(list, at)]">;
def without : Let<(ins Ints:$list, Ints:$indices),
                  "pick(list, excluding(range(0, size(list)), indices))">;
// The first list unless it is empty.
def listOr : Let<(ins Ints:$list, Ints:$otherwise), "if(size(list) == 0, otherwise, list)">;

// The list with values in the places of axes.
def place : Let<(ins Ints:$list, Ints:$axes, Ints:$values), [{
  from = indicesOf(range(0, size(list)), [wrapAxis(axis, size(list)) for axis in axes]);
  placed = [if(i < min(size(axes), size(values)), values[i], x) for i, x in from, list];
}]>;
def placeReals : Let<(ins Reals:$list, Ints:$axes, Reals:$values), [{
  from = indicesOf(range(0, length(list)), [wrapAxis(axis, length(list)) for axis in axes]);
  placed = [if(i < min(size(axes), length(values)), values[i], x) for i, x in from, list];
}]>;

def pickReals : Let<(ins Reals:$list, Ints:$indices), "[list[i] for i in indices]">;
def repeatReal : Let<(ins Real:$value, Int:$count), "[value for i in range(0, count)]">;

#endif // GLOW_FUNCTIONS_LISTS

//===- Lists.td - lists of numbers ----------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_FUNCTIONS_LISTS
#define GLOW_FUNCTIONS_LISTS

include "glow/Functions.td"

def maximum : Let<(ins Ints:$a, Ints:$b), "[max(x, y) for x, y in a, b]"> {
  let summary = "the larger number of each pair";
}
def minimum : Let<(ins Ints:$a, Ints:$b), "[min(x, y) for x, y in a, b]"> {
  let summary = "the smaller number of each pair";
}

def least : Let<(ins Reals:$list), "bound = list[0]; for x in list { bound = min(bound, x); }"> {
  let summary = "the smallest element, or 0 without elements";
  let results = ["bound"];
}
def greatest : Let<(ins Reals:$list), "bound = list[0]; for x in list { bound = max(bound, x); }"> {
  let summary = "the largest element, or 0 without elements";
  let results = ["bound"];
}

def slice : Let<(ins Ints:$list, Int:$from, Int:$count), "take(drop(list, from), count)"> {
  let summary = "elements from an index on, as many as the count";
}
def reverse : Let<(ins Ints:$list), "pick(list, size(list) - 1 - range(0, size(list)))"> {
  let summary = "the elements in reverse order";
}
def insert : Let<(ins Ints:$list, Int:$at, Int:$value),
                 "[*take(list, at), value, *drop(list, at)]"> {
  let summary = "the list with a value put in at an index";
}
def without : Let<(ins Ints:$list, Ints:$indices),
                  "pick(list, excluding(range(0, size(list)), indices))"> {
  let summary = "the list without the elements at these indices";
}
def listOr : Let<(ins Ints:$list, Ints:$otherwise), "if(size(list) == 0, otherwise, list)"> {
  let summary = "the first list, or the second if the first is empty";
}

def place : Let<(ins Ints:$list, Ints:$axes, Ints:$values), [{
  from = indicesOf(range(0, size(list)), [wrapAxis(axis, size(list)) for axis in axes]);
  placed = [if(i < min(size(axes), size(values)), values[i], x) for i, x in from, list];
}]> {
  let summary = "the list with values at these axes";
}
def placeReals : Let<(ins Reals:$list, Ints:$axes, Reals:$values), [{
  from = indicesOf(range(0, length(list)), [wrapAxis(axis, length(list)) for axis in axes]);
  placed = [if(i < min(size(axes), length(values)), values[i], x) for i, x in from, list];
}]> {
  let summary = "the list with values at these axes";
}

def pickReals : Let<(ins Reals:$list, Ints:$indices), "[list[i] for i in indices]"> {
  let summary = "the elements at these indices; 0 outside";
}
def repeatReal : Let<(ins Real:$value, Int:$count), "[value for i in range(0, count)]"> {
  let summary = "a list of one value";
}

#endif // GLOW_FUNCTIONS_LISTS

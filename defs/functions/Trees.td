//===- Trees.td - trees that a model lists as columns ---------------------===//
//
// What is C++ is in lib/compiler/Importer/Trees.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_TREES
#define GLOW_FUNCTIONS_TREES

include "glow/functions/Lists.td"

let declare = 1 in {
// Of each word of a list with commas, its place in another; -1 where it is in none.
def : Function<"wordIndices", ["text", "text"], "ints">;
// Of each wanted node the place in the list of nodes; -1 where it is in none. Trees,
// nodes, wanted trees, wanted nodes.
def : Function<"placesOf", ["ints", "ints", "ints", "ints"], "ints">;
// The place of the root of each tree, in their order: its first node that no branch
// leads to, or else its first. A node of mode 0 is a leaf, and leads nowhere. Only -1 - i
// where branches lead from node i back to it. Trees, modes, places when true, when false.
def : Function<"treeRoots", ["ints", "ints", "ints", "ints"], "ints">;
// Of each node of mode 6 the place where its set begins in the second list, in which NaN
// ends each but the last; -1 where there are too few. 0 of other nodes.
def : Function<"setPlaces", ["ints", "reals"], "ints">;
}

// The first of each, then the second of each, as long as both last.
def zipped : Let<(ins Ints:$firsts, Ints:$seconds), [{
  both = [if(i % 2 == 0, firsts[i / 2], seconds[i / 2]) for i in range(0, 2 * min(size(firsts), size(seconds)))];
}]>;

#endif // GLOW_FUNCTIONS_TREES

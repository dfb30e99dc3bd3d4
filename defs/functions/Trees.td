//===- Trees.td - trees that a model lists as columns ---------------------===//
// SPDX-License-Identifier: MIT
//
// The C++ of declared functions is in lib/compiler/Graph/Trees.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_TREES
#define GLOW_FUNCTIONS_TREES

include "glow/functions/Lists.td"

let declare = 1 in {
// The index of each word of one comma-separated list in another; -1 without a
def : Function<"wordIndices", ["text", "text"], "ints",
               "the index of each word of a comma-separated list (first) in another; -1 without "
               "a match">;
// The index of each wanted node in the list of nodes; -1 without a match. Arguments:
// trees, nodes, wanted trees, wanted nodes.
def : Function<"placesOf", ["ints", "ints", "ints", "ints"], "ints",
               "the index of each wanted node of trees: trees, nodes, wanted trees, wanted "
               "nodes; -1 without a match">;
// The index of the root of each tree, in the order of trees: its first node that is the
// target of no branch, or else its first node. A node of mode 0 is a leaf without
// branches. The list is only -1 - i where branches from node i form a cycle. Arguments:
// trees, modes, indices of the nodes when true, when false.
def : Function<"treeRoots", ["ints", "ints", "ints", "ints"], "ints",
               "the index of the root of each tree: trees, modes, targets if true, targets if "
               "false; -1 - i for a cycle from node i">;
// The index in the second list at which the set of each node of mode 6 begins. NaN ends
// each set but the last. -1 where sets are missing; 0 for other nodes.
def : Function<"setPlaces", ["ints", "reals"], "ints",
               "the index at which the set of each node begins: modes, sets; -1 for a missing "
               "set, 0 for other nodes">;
}

def zipped : Let<(ins Ints:$firsts, Ints:$seconds), [{
  both = [if(i % 2 == 0, firsts[i / 2], seconds[i / 2]) for i in range(0,
      2 * min(size(firsts), size(seconds)))];
}]> {
  let summary = "the elements of two lists in turns, up to the end of the shorter list";
}

#endif // GLOW_FUNCTIONS_TREES

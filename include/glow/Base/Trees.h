//===- Trees.h - trees that a model lists as columns ------------*- C++ -*-===//
//
// A node is known by two numbers, its tree and itself. Total, as all functions
// of the language are.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_TREES_H
#define GLOW_BASE_TREES_H

#include "glow/Base/Ints.h"
#include <string>

namespace glow::expr {

/// Of each word of a list with commas, its place in another; -1 where it is in
/// none.
Ints wordIndices(const std::string &list, const std::string &words);

/// Of each wanted node the place in the list of nodes; -1 where it is in none.
Ints placesOf(const Ints &trees, const Ints &nodes, const Ints &wantedTrees,
              const Ints &wantedNodes);

/// The place of the root of each tree, in their order: its first node that no
/// branch leads to, or else its first. A node of mode 0 is a leaf, and leads
/// nowhere. Only -1 - i where branches lead from node i back to it.
Ints treeRoots(const Ints &trees, const Ints &modes, const Ints &whenTrue,
               const Ints &whenFalse);

/// Of each node of mode 6 the place where its set begins in `sets`, in which
/// NaN ends each but the last; -1 where there are too few. 0 of other nodes.
Ints setPlaces(const Ints &modes, const Reals &sets);

/// The first of each, then the second of each, as long as both last.
Ints zipped(const Ints &first, const Ints &second);

/// The smallest number; 0 where there is none.
double least(const Reals &list);

} // namespace glow::expr

#endif // GLOW_BASE_TREES_H

//===- MinimumCut.cpp - a minimum cut of a network ------------------------===//
// SPDX-License-Identifier: MIT

#include "MinimumCut.h"
#include <algorithm>

using namespace glow::partition;

uint32_t MinimumCut::addNode() {
  firstEdge.push_back(none);
  return uint32_t(firstEdge.size() - 1);
}

void MinimumCut::addEdge(uint32_t from, uint32_t to, int64_t capacity) {
  if (capacity <= 0)
    return;
  edges.push_back({to, firstEdge[from], capacity});
  firstEdge[from] = uint32_t(edges.size() - 1);
  edges.push_back({from, firstEdge[to], 0});
  firstEdge[to] = uint32_t(edges.size() - 1);
}

/// Computes distances from the source along edges with capacity left. Returns
/// whether the sink is reached.
bool MinimumCut::findLevels() {
  levels.assign(firstEdge.size(), none);
  levels[source] = 0;
  std::vector<uint32_t> queue = {source};
  for (size_t at = 0; at < queue.size(); ++at)
    for (uint32_t e = firstEdge[queue[at]]; e != none; e = edges[e].next)
      if (edges[e].left > 0 && levels[edges[e].to] == none) {
        levels[edges[e].to] = levels[queue[at]] + 1;
        queue.push_back(edges[e].to);
      }
  return levels[sink] != none;
}

/// Fills one more path to the sink, level by level; returns 0 if there is none.
/// It does not recurse: a path of a deep model may exceed the depth of the
/// stack.
int64_t MinimumCut::augment() {
  std::vector<uint32_t> path; // edges
  uint32_t node = source;
  while (node != sink) {
    uint32_t &e = nextEdge[node];
    while (e != none &&
           (edges[e].left <= 0 || levels[edges[e].to] != levels[node] + 1))
      e = edges[e].next;
    if (e != none) {
      path.push_back(e);
      node = edges[e].to;
      continue;
    }
    if (path.empty())
      return 0;
    node = edges[path.back() ^ 1].to; // a dead end
    path.pop_back();
    nextEdge[node] = edges[nextEdge[node]].next;
  }
  int64_t flow = uncut;
  for (uint32_t e : path)
    flow = std::min(flow, edges[e].left);
  for (uint32_t e : path) {
    edges[e].left -= flow;
    edges[e ^ 1].left += flow;
  }
  return flow;
}

int64_t MinimumCut::run() {
  int64_t sum = 0;
  while (findLevels()) {
    nextEdge = firstEdge;
    // An uncuttable path ends the search: more flow would only overflow.
    while (int64_t flow = augment())
      if ((sum += flow) >= uncut)
        return sum;
  }
  return sum;
}

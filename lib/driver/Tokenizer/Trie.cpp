//===- Trie.cpp - the tokens that a text begins with ----------------------===//
// SPDX-License-Identifier: MIT

#include "Trie.h"

using namespace glow::tokenizer;

Trie::Trie(std::vector<Entry> entries) : nodes(1) {
  std::ranges::sort(entries);
  // A node's entries are a range, whose texts begin with the node's text.
  struct Range {
    uint32_t node;
    size_t begin, end, depth;
  };
  std::vector<Range> open = {{0, 0, entries.size(), 0}};
  for (size_t next = 0; next < open.size(); ++next) {
    Range range = open[next];
    for (; range.begin < range.end &&
           entries[range.begin].first.size() == range.depth;
         ++range.begin)
      nodes[range.node].number = entries[range.begin].second;
    nodes[range.node].children = uint32_t(nodes.size());
    for (size_t begin = range.begin, end; begin < range.end; begin = end) {
      const auto byte = uint8_t(entries[begin].first[range.depth]);
      for (end = begin + 1;
           end < range.end && uint8_t(entries[end].first[range.depth]) == byte;)
        ++end;
      const auto child = uint32_t(nodes.size());
      nodes.push_back({0, 0, byte});
      ++nodes[range.node].count;
      if (range.node == 0)
        first[byte] = child;
      open.push_back({child, begin, end, range.depth + 1});
    }
  }
}

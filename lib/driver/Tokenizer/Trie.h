//===- Trie.h - the tokens that a text begins with --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_TRIE_H
#define GLOW_LIB_TOKENIZER_TRIE_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glow::tokenizer {

/// Texts, none empty, with a number each. Memory is proportional to the sum of
/// their lengths.
class Trie {
public:
  using Entry = std::pair<std::string, uint32_t>;

  Trie() : Trie(std::vector<Entry>()) {}
  /// Of equal texts, the one with the largest number is kept.
  explicit Trie(std::vector<Entry> entries);

  /// Calls `take(length, number)` for each text that `text` begins with, the
  /// shortest first.
  template <typename Take>
  void forPrefixes(std::string_view text, Take take) const {
    uint32_t node = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      node = childOf(node, uint8_t(text[i]));
      if (!node)
        return;
      if (nodes[node].number != none)
        take(i + 1, nodes[node].number);
    }
  }

  /// Whether a text begins with the byte.
  bool begins(char byte) const { return first[uint8_t(byte)]; }

private:
  static constexpr uint32_t none = ~uint32_t(0);
  /// Children are a range of nodes, in the order of their bytes.
  struct Node {
    uint32_t children = 0;
    uint16_t count = 0;
    uint8_t byte = 0;
    uint32_t number = none;
  };

  /// 0 if there is none.
  uint32_t childOf(uint32_t node, uint8_t byte) const {
    if (node == 0)
      return first[byte];
    auto begin = nodes.begin() + nodes[node].children;
    auto end = begin + nodes[node].count;
    auto found =
        std::lower_bound(begin, end, byte, [](const Node &child, uint8_t byte) {
          return child.byte < byte;
        });
    return found == end || found->byte != byte
               ? 0
               : uint32_t(found - nodes.begin());
  }

  std::vector<Node> nodes;
  uint32_t first[256] = {}; ///< children of the root
};

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_TRIE_H

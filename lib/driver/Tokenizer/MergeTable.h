//===- MergeTable.h - pairs of tokens that are merged -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_MERGETABLE_H
#define GLOW_LIB_TOKENIZER_MERGETABLE_H

#include "glow/Tokenizer/Tokenizer.h"
#include <bit>

namespace glow::tokenizer {

/// Order of a merge among all, and the token that it makes.
struct Merge {
  uint32_t rank;
  TokenId id;
};

/// Merges by pairs, in a table with open addresses: the innermost loop of byte
/// pair encoding searches it.
class MergeTable {
public:
  /// Allocates the table for `count` pairs; called before the first pair is
  /// added.
  void reserve(size_t count) {
    places.resize(std::bit_ceil(std::max<size_t>(count * 2, 2)));
  }

  /// The last merge of a pair replaces earlier ones.
  void add(TokenId left, TokenId right, Merge merge) {
    Place &place = places[find(keyOf(left, right))];
    place = {keyOf(left, right), merge};
  }

  /// Null if the pair is not merged.
  const Merge *find(TokenId left, TokenId right) const {
    const Place &place = places[find(keyOf(left, right))];
    return place.key == noKey ? nullptr : &place.merge;
  }

private:
  static constexpr uint64_t noKey = ~uint64_t(0); // ids are below 2^31
  struct Place {
    uint64_t key = noKey;
    Merge merge = {};
  };

  static uint64_t keyOf(TokenId left, TokenId right) {
    return uint64_t(left) << 32 | right;
  }

  /// The place that has the key, or the free one for it.
  size_t find(uint64_t key) const {
    const size_t mask = places.size() - 1;
    // Fibonacci hashing: the upper bits are mixed best.
    size_t at = size_t((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (places[at].key != key && places[at].key != noKey)
      at = (at + 1) & mask;
    return at;
  }

  std::vector<Place> places = std::vector<Place>(2);
};

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_MERGETABLE_H

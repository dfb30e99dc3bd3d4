//===- Ranks.h - the places of elements in a sorted short line --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The rank of an element is the number of elements before it in the order. For
// a short line, 16 elements are compared with each element, so that no branch
// depends on the elements.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_RANKS_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_RANKS_H

#include "Planes.h"
#include "Radix.h"

namespace glow::cpu::library {

/// The signed number that elements of `Bytes` bytes are compared as.
template <int64_t Bytes> struct RankKeyOf {
  using type = int32_t;
};
template <> struct RankKeyOf<8> {
  using type = int64_t;
};

/// Sets the ranks of 16 keys from `first` on.
template <typename Key>
GLOW_INLINE void rankSixteen(const Key *keys, int32_t *ranks, int64_t count,
                             int64_t first) {
  using Keys = Sixteen<Key>;
  const Keys own = load<Keys>(keys + first);
  Keys sums = {};
  Keys lane = {};
  for (int64_t i = 0; i < lanes; ++i)
    lane[i] = Key(i);
  auto add = [&](MaskOf<Keys> isBefore) { sums = isBefore ? sums + 1 : sums; };
  const int64_t last = smaller(first + lanes, count);
  for (int64_t j = 0; j < first; ++j)
    add(splat<Keys>(keys[j]) <= own);
  for (int64_t j = first; j < last; ++j) {
    const Keys other = splat<Keys>(keys[j]);
    add((other < own) | ((other == own) & (lane > Key(j - first))));
  }
  for (int64_t j = last; j < count; ++j)
    add(splat<Keys>(keys[j]) < own);
  store(ranks + first, __builtin_convertvector(sums, V16i));
}

/// Writes the number of each key whose rank is less than `k` to `places`, at
/// its rank times `step`. All kinds of elements share its code.
template <typename Key>
[[gnu::noinline]] void placeKeys(const Key *keys, int32_t *ranks, int64_t count,
                                 int64_t k, int64_t *places, int64_t step) {
  for (int64_t first = 0; first < count; first += lanes)
    rankSixteen(keys, ranks, count, first);
  for (int64_t first = 0; first < count; first += lanes) {
    const V16i found = load<V16i>(ranks + first) < int32_t(k);
    unsigned bits =
        __builtin_bit_cast(uint16_t, __builtin_convertvector(found, Mask) &
                                         firstLanes(count - first));
    for (; bits; bits &= bits - 1) {
      const int64_t i = first + __builtin_ctz(bits);
      places[ranks[i] * step] = i;
    }
  }
}

/// Keys of a line of elements, and their ranks.
template <typename T> class Ranks {
public:
  using Key = typename RankKeyOf<sizeof(T)>::type;

  /// Bytes of the memory for a line.
  static int64_t bytes(int64_t count) {
    return padded(count) * int64_t(sizeof(Key) + sizeof(int32_t));
  }
  Ranks(char *memory, int64_t count)
      : count(count), keys(reinterpret_cast<Key *>(memory)),
        ranks(reinterpret_cast<int32_t *>(keys + padded(count))) {}

  /// Writes the places of the first `k` elements in order to `places`. Elements
  /// and places are `step` apart. Equal elements stay in their order, and NaN
  /// comes first.
  void order(const T *in, int64_t step, bool descending, int64_t k,
             int64_t *places) const {
    for (int64_t i = 0; i < count; ++i)
      keys[i] = signedKey(in[i * step], descending);
    // Lanes beyond the last element are compared, but never read.
    for (int64_t i = count; i < padded(count); ++i)
      keys[i] = 0;
    placeKeys(keys, ranks, count, k, places, step);
  }

private:
  static int64_t padded(int64_t count) {
    return dividedUp(count, lanes) * lanes;
  }
  GLOW_INLINE static Key signedKey(T element, bool descending) {
    using Bits = KeyOf<T>;
    constexpr int64_t bits = 8 * sizeof(T);
    const Bits key = keyOf(element, descending);
    if constexpr (bits < 32)
      return Key(key);
    else
      return Key(key ^ Bits(Bits(1) << (bits - 1)));
  }

  int64_t count;
  Key *keys;
  int32_t *ranks;
};

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_RANKS_H

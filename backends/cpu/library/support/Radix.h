//===- Radix.h - elements in the order of their bits ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A key is an unsigned number whose order is the order of elements: NaN comes
// first, and both zeros are equal. Keys are sorted digit by digit, from the
// last digit on; equal keys stay in the order of their places.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_RADIX_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_RADIX_H

#include "../vector/Narrow.h"
#include "Support.h"

namespace glow::cpu::library {

template <int64_t Bytes> struct UnsignedOf;
template <> struct UnsignedOf<1> {
  using type = uint8_t;
};
template <> struct UnsignedOf<2> {
  using type = uint16_t;
};
template <> struct UnsignedOf<4> {
  using type = uint32_t;
};
template <> struct UnsignedOf<8> {
  using type = uint64_t;
};
template <typename T> using KeyOf = typename UnsignedOf<sizeof(T)>::type;

template <typename T> inline constexpr bool hasNan = false;
template <> inline constexpr bool hasNan<float> = true;
template <> inline constexpr bool hasNan<double> = true;
template <> inline constexpr bool hasNan<F16> = true;
template <> inline constexpr bool hasNan<BF16> = true;

/// The key of an element, in the order from the smallest or the largest on.
template <typename T> GLOW_INLINE KeyOf<T> keyOf(T element, bool descending) {
  using Key = KeyOf<T>;
  constexpr Key sign = Key(Key(1) << (8 * sizeof(T) - 1));
  Key bits = __builtin_bit_cast(Key, element);
  if constexpr (hasNan<T>) {
    auto number = wide(element);
    if (number != number)
      return 0;
    bits = number == 0 ? Key(0) : bits;
    bits = Key(bits & sign ? Key(~bits) : Key(bits | sign));
  } else if constexpr (T(-1) < T(0)) {
    bits = Key(bits ^ sign);
  }
  return descending ? Key(~bits) : bits;
}

/// The number that has a key; NaN for a key of none.
GLOW_INLINE float elementOf(uint32_t key, bool descending) {
  constexpr uint32_t sign = 0x80000000u;
  const uint32_t bits = descending ? ~key : key;
  return __builtin_bit_cast(float, bits &sign ? bits & ~sign : ~bits);
}

/// A key, and the place of its element in a line.
template <typename Key> struct Item {
  Key key;
  uint32_t place;
};

/// Lines of at least this many elements are sorted by digits.
constexpr int64_t leastOfRadix = 256;
/// A place has 32 bits.
constexpr int64_t mostOfRadix = int64_t(1) << 31;

GLOW_INLINE bool sortsByDigits(int64_t count) {
  return count >= leastOfRadix && count <= mostOfRadix;
}

/// The counters of the digits of a key, or of its first 11 bits.
constexpr int64_t radixCounters = 2048;

/// Memory for two lists of items, and the counters.
template <typename T> GLOW_INLINE int64_t radixBytes(int64_t count) {
  return 2 * count * int64_t(sizeof(Item<KeyOf<T>>)) +
         radixCounters * int64_t(sizeof(uint32_t));
}

/// The lists and counters in memory of radixBytes.
template <typename Key> struct Radix {
  uint32_t *counters;
  Item<Key> *items, *others;

  Radix(char *memory, int64_t count)
      : counters(reinterpret_cast<uint32_t *>(memory)),
        items(reinterpret_cast<Item<Key> *>(counters + radixCounters)),
        others(items + count) {}

  GLOW_INLINE void clear(int64_t count) const {
    __builtin_memset(counters, 0, size_t(count) * sizeof(uint32_t));
  }

  /// Sorts the first `count` items; returns the list that holds them then.
  const Item<Key> *sort(int64_t count) const {
    constexpr int64_t digits = sizeof(Key);
    Item<Key> *from = items, *to = others;
    clear(digits * 256);
    for (int64_t i = 0; i < count; ++i)
      for (int64_t d = 0; d < digits; ++d)
        ++counters[d * 256 + digit(from[i].key, d)];
    for (int64_t d = 0; d < digits && count > 0; ++d) {
      uint32_t *counter = counters + d * 256;
      // All items have the same digit.
      if (counter[digit(from[0].key, d)] == count)
        continue;
      uint32_t before = 0;
      for (int64_t i = 0; i < 256; ++i) {
        uint32_t some = counter[i];
        counter[i] = before;
        before += some;
      }
      for (int64_t i = 0; i < count; ++i)
        to[counter[digit(from[i].key, d)]++] = from[i];
      Item<Key> *sorted = to;
      to = from, from = sorted;
    }
    return from;
  }

  /// The first `k` items of a line, or of every `step`th element of it, in
  /// their order. Only items whose first bits are among the first `k` are
  /// sorted.
  template <typename T>
  [[gnu::noinline]] const Item<Key> *select(const T *in, int64_t count,
                                            int64_t k, bool descending,
                                            int64_t step = 1) const {
    constexpr int64_t bits = 8 * sizeof(Key), drop = bits > 11 ? bits - 11 : 0;
    clear(radixCounters);
    for (int64_t i = 0; i < count; i += step)
      ++counters[keyOf(in[i], descending) >> drop];
    int64_t last = 0;
    for (int64_t known = counters[0]; known < k && last < radixCounters - 1;)
      known += counters[++last];
    int64_t found = 0;
    for (int64_t i = 0; i < count; i += step) {
      Key key = keyOf(in[i], descending);
      items[found] = {key, uint32_t(i)};
      found += int64_t(key >> drop) <= last;
    }
    return sort(found);
  }

private:
  GLOW_INLINE static int64_t digit(Key key, int64_t d) {
    return int64_t(key >> (8 * d)) & 255;
  }
};

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_RADIX_H

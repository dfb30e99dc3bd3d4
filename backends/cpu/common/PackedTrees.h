//===- PackedTrees.h - trees as one list of small nodes ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A number has a key, an integer without a sign: keys are in the order of the
// numbers, and NaN has the least or the greatest key. A node compares one key
// with one bound, so that a step of a walk decides no branch of the program.
// Compiled into kernels that have no C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_COMMON_PACKEDTREES_H
#define GLOW_BACKENDS_CPU_COMMON_PACKEDTREES_H

#include <stdint.h>

namespace glow::cpu {

/// A node whose two children lie side by side, `distance` nodes behind it: the
/// second one where the key in `slot` of the row is less than `bound`, else the
/// first one. A leaf has distance 0, its place in the model as its bound, and
/// the slot that no bound exceeds.
template <typename KeyOf, typename FieldOf> struct PackedNode {
  using Key = KeyOf;
  using Field = FieldOf;
  Key bound;
  Field slot, distance;
};
/// One word a node: keys of f32, and small trees of few features.
using SmallPackedNode = PackedNode<uint32_t, uint16_t>;
/// Two words a node.
using LargePackedNode = PackedNode<uint64_t, uint32_t>;

/// So many rows walk one tree together; fewer rows walk several trees each.
constexpr int64_t rowsTogether = 8;

/// Slots of a row: the keys of its features where NaN is the greatest, the keys
/// where NaN is the least, and the greatest key.
struct PackedSlots {
  int64_t features;
  static constexpr uint32_t leastOfReals = 1;

  int64_t count() const { return 2 * features + 1; }
  int64_t of(int64_t feature, bool nanIsLeast) const {
    return feature + (nanIsLeast ? features : 0);
  }
  int64_t ofLeaf() const { return 2 * features; }
};

/// The key of a number that is not NaN; both zeros have the same key.
template <typename Key, typename T> Key packedKey(T value) {
  constexpr int sign = 8 * sizeof(Key) - 1;
  Key bits = __builtin_bit_cast(Key, value);
  bits = Key(bits << 1) == 0 ? 0 : bits;
  return bits ^ (bits >> sign ? ~Key(0) : Key(1) << sign);
}

template <typename Key> struct PackedNumber;
template <> struct PackedNumber<uint32_t> {
  using Type = float;
};
template <> struct PackedNumber<uint64_t> {
  using Type = double;
};
/// The number that keys of `Key` are made from.
template <typename Key> using PackedNumberOf = typename PackedNumber<Key>::Type;

/// Writes the keys of a row, those of one slot `apart` places behind those of
/// the slot before.
template <typename Key, typename T>
void packRow(const T *row, int64_t features, Key *keys, int64_t apart) {
  const PackedSlots slots{features};
  for (int64_t f = 0; f < features; ++f) {
    PackedNumberOf<Key> value(row[f]);
    const bool isNaN = value != value;
    const Key key = packedKey<Key>(value);
    keys[slots.of(f, false) * apart] = isNaN ? ~Key(0) : key;
    keys[slots.of(f, true) * apart] = isNaN ? Key(0) : key;
  }
  keys[slots.ofLeaf() * apart] = ~Key(0);
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_PACKEDTREES_H

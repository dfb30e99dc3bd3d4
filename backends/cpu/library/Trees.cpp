//===- Trees.cpp - the leaves that rows lead to ---------------------------===//

#include "glow/Base/Trees.h"
#include "Calls.h"
#include "Narrow.h"
#include "Support.h"

using namespace glow::cpu;
using namespace glow::cpu::library;
using namespace glow::trees;

/// So many rows to a chunk.
constexpr int64_t group = 256;

/// A walk that ends at no leaf is a failure.
template <typename T>
GLOW_INLINE static void findLeaves(const TreeLeavesCall &call, int64_t begin,
                                   int64_t end, const Failure &failure) {
  int64_t rows = call.in.shape.sizes[0], features = call.in.shape.sizes[1];
  int64_t roots = call.roots.shape.sizes[0];
  auto forest = forestOf<T>(
      call, call.features.shape.sizes[0],
      call.sets ? call.sets.shape->sizes[0] : 0,
      []<typename E>(const auto &operand) { return operand.template as<E>(); });
  auto *root = call.roots.as<const int64_t>();
  for (int64_t r = begin * group; r < smaller(rows, end * group); ++r)
    for (int64_t i = 0; i < roots; ++i) {
      End leaf = follow(forest, call.in.as<const T>() + r * features, features,
                        root[i], [](T element) { return wide(element); });
      if (leaf.what != End::Leaf)
        failure.tell();
      call.out.as<int64_t>()[r * roots + i] = leaf.node;
    }
}

#define GLOW_TREE_LEAVES(kind, T)                                              \
  GLOW_WORK(tree_leaves_##kind) {                                              \
    int64_t rows = call.in.shape.sizes[0];                                     \
    *work = {larger(1, dividedUp(rows, group)), 0};                            \
  }                                                                            \
  GLOW_KERNEL(tree_leaves_##kind) { findLeaves<T>(call, begin, end, failure); }
GLOW_TREE_LEAVES(f32, float)
GLOW_TREE_LEAVES(f64, double)
GLOW_TREE_LEAVES(f16, F16)
GLOW_TREE_LEAVES(bf16, BF16)
GLOW_TREE_LEAVES(i8, int8_t)
GLOW_TREE_LEAVES(i16, int16_t)
GLOW_TREE_LEAVES(i32, int32_t)
GLOW_TREE_LEAVES(i64, int64_t)
GLOW_TREE_LEAVES(u8, uint8_t)
GLOW_TREE_LEAVES(u16, uint16_t)
GLOW_TREE_LEAVES(u32, uint32_t)
GLOW_TREE_LEAVES(u64, uint64_t)

//===- Reduction.cpp - order of elements along an axis --------------------===//
// SPDX-License-Identifier: MIT

#include "KernelSupport.h"
#include <utility>

using namespace glow;
using namespace glow::kernels;

namespace {

/// The rows of a tensor along an axis: `count` elements, `inner` apart.
struct AxisRows {
  AxisRows(const TensorType &type, int64_t axis)
      : count(type.shape[size_t(axis)]) {
    for (int64_t i = 0; i < int64_t(type.shape.size()); ++i)
      if (i != axis)
        (i < axis ? outer : inner) *= type.shape[size_t(i)];
  }
  int64_t outer = 1, count, inner = 1;
};

} // namespace

/// Whether `a` comes before `b`; NaN is before all others.
template <typename T> static bool isBefore(T a, T b, bool descending) {
  bool aIsNan = a != a, bIsNan = b != b;
  if (aIsNan || bIsNan)
    return aIsNan && !bIsNan;
  return descending ? a > b : a < b;
}

namespace {

/// The indices of one row, `step` apart, as a binary heap in place: the
/// children `2 k + 1` and `2 k + 2` never come after their parent `k`.
template <typename Before> struct Heap {
  int64_t *places, step;
  Before before;

  int64_t &at(int64_t k) const { return places[k * step]; }

  /// Restores the heap of `count` entries below entry `k`.
  void sink(int64_t k, int64_t count) const {
    for (int64_t child = 2 * k + 1; child < count; child = 2 * k + 1) {
      if (child + 1 < count && before(at(child), at(child + 1)))
        ++child;
      if (!before(at(k), at(child)))
        return;
      std::swap(at(k), at(child));
      k = child;
    }
  }
  void sort(int64_t count) const {
    for (int64_t k = count / 2; k-- > 0;)
      sink(k, count);
    while (count > 1) {
      std::swap(at(0), at(--count));
      sink(0, count);
    }
  }
};

} // namespace

template <typename T> static void sortPlaces(const ArgSortCall &call) {
  AxisRows rows(*call.in.type, call.axis);
  auto *out = dataOf<int64_t>(call.out);
  auto *in = dataOf<const T>(call.in);
  for (int64_t o = 0; o < rows.outer; ++o)
    for (int64_t i = 0; i < rows.inner; ++i) {
      int64_t first = o * rows.count * rows.inner + i;
      auto element = [&](int64_t i) {
        return load(in[first + i * rows.inner]);
      };
      // Equal elements are ordered by index, so that the order is unique.
      auto before = [&](int64_t a, int64_t b) {
        return isBefore(element(a), element(b), call.descending) ||
               (!isBefore(element(b), element(a), call.descending) && a < b);
      };
      for (int64_t k = 0; k < rows.count; ++k)
        out[first + k * rows.inner] = k;
      Heap{out + first, rows.inner, before}.sort(rows.count);
    }
}

Status kernels::argSort(const ArgSortCall &call) {
  visitKind(call.in.type->kind,
            [&]<typename T>(std::type_identity<T>) { sortPlaces<T>(call); });
  return Status();
}

//===- Reduction.cpp - where elements are by their size -------------------===//

#include "KernelSupport.h"
#include "glow/Values/MemoryBudget.h"
#include <algorithm>
#include <numeric>
#include <vector>

using namespace glow;
using namespace glow::kernels;

namespace {

/// The rows of a tensor along an axis: `count` elements, `inner` apart.
struct Rows {
  Rows(const TensorType &type, int64_t axis) : count(type.shape[size_t(axis)]) {
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

template <typename T> static void sortPlaces(const ArgSortCall &call) {
  Rows rows(*call.in.type, call.axis);
  auto *out = dataOf<int64_t>(call.out);
  auto *in = dataOf<const T>(call.in);
  std::vector<int64_t> places(size_t(rows.count));
  for (int64_t o = 0; o < rows.outer; ++o)
    for (int64_t i = 0; i < rows.inner; ++i) {
      int64_t first = o * rows.count * rows.inner + i;
      std::iota(places.begin(), places.end(), 0);
      auto element = [&](int64_t i) {
        return load(in[first + i * rows.inner]);
      };
      // By place where elements are equal, so that the order is one order.
      std::ranges::sort(places, [&](int64_t a, int64_t b) {
        return isBefore(element(a), element(b), call.descending) ||
               (!isBefore(element(b), element(a), call.descending) && a < b);
      });
      for (int64_t k = 0; k < rows.count; ++k)
        out[first + k * rows.inner] = places[size_t(k)];
    }
}

Status kernels::argSort(const ArgSortCall &call) {
  auto count = uint64_t(Rows(*call.in.type, call.axis).count);
  Result<MemoryBudget::Share> share =
      MemoryBudget::take(count * sizeof(int64_t));
  if (!share)
    return share.status();
  visitKind(call.in.type->kind,
            [&]<typename T>(std::type_identity<T>) { sortPlaces<T>(call); });
  return Status();
}

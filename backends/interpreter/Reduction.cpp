//===- Reduction.cpp - where the largest element is -----------------------===//

#include "KernelSupport.h"

namespace glow::kernels {

/// `isBetter(candidate, best)`; NaN is the best there is, the first of several.
template <typename T, typename Better>
static void findPlaces(const Operands &operands, int64_t axis, bool selectLast,
                       Better isBetter) {
  const TensorType &type = *operands.view(1).type;
  int64_t inner = 1, outer = 1, count = type.shape[size_t(axis)];
  for (int64_t i = 0; i < int64_t(type.shape.size()); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : type.shape[size_t(i)];
  auto *out = operands.data<int64_t>(0);
  auto *in = operands.data<const T>(1);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      const T *row = in + o * count * inner + i;
      int64_t best = 0;
      for (int64_t k = 1; k < count; ++k) {
        auto candidate = load(row[k * inner]), found = load(row[best * inner]);
        bool isNan = candidate != candidate && found == found;
        bool same = selectLast && candidate == found;
        if (isNan || same || isBetter(candidate, found))
          best = k;
      }
      out[o * inner + i] = best;
    }
}

template <typename Better>
static Status findPlaces(const KernelCall &call, Better isBetter) {
  Operands operands(call);
  visitKind(operands.view(1).type->kind,
            [&]<typename T>(std::type_identity<T>) {
              findPlaces<T>(operands, operands.attribute<int64_t>(0),
                            operands.attribute<bool>(2), isBetter);
            });
  return Status();
}

Status argMax(const KernelCall &call) {
  return findPlaces(call, [](auto a, auto b) { return a > b; });
}

Status argMin(const KernelCall &call) {
  return findPlaces(call, [](auto a, auto b) { return a < b; });
}

} // namespace glow::kernels

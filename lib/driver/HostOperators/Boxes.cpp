//===- Boxes.cpp - regions with scores ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Boxes.h"

using namespace glow;

double Suppression::overlap(const Region &a, const Region &b) const {
  double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0) + edge;
  double height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0) + edge;
  double shared = std::max(width, 0.0) * std::max(height, 0.0);
  return shared / (area(a) + area(b) - shared);
}

Ints Suppression::kept(const std::vector<Region> &regions,
                       const Ints &order) const {
  Ints kept;
  for (int64_t i : order) {
    if (most >= 0 && int64_t(kept.size()) >= most)
      break;
    if (std::ranges::all_of(kept, [&](int64_t better) {
          return overlap(regions[size_t(better)], regions[size_t(i)]) <= limit;
        }))
      kept.push_back(i);
  }
  return kept;
}

template <typename T, typename From>
static Result<Tensor> tensorFrom(Ints shape, const std::vector<From> &numbers) {
  Result<Tensor> tensor = Tensor::zeros({kindOf<T>(), std::move(shape)});
  if (tensor)
    std::ranges::transform(numbers, tensor->template elements<T>().begin(),
                           [](From number) { return T(number); });
  return tensor;
}

Result<Tensor> glow::floatsOf(Ints shape, const Reals &numbers) {
  return tensorFrom<float>(std::move(shape), numbers);
}
Result<Tensor> glow::int32Of(Ints shape, const Ints &numbers) {
  return tensorFrom<int32_t>(std::move(shape), numbers);
}

Result<Numbers> glow::numbersOf(const HostCall &call, unsigned index) {
  Result<Reals> all = call.reals(index);
  if (!all)
    return all.status();
  return Numbers{call.input(index)->tensor()->type(), all.take()};
}

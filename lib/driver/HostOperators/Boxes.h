//===- Boxes.h - regions with scores ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Detectors of Caffe2 keep the regions with the best scores. Of regions with
// equal scores, the first counts as the better one. A score that is no number
// is the lowest.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_HOSTOPERATORS_BOXES_H
#define GLOW_LIB_HOSTOPERATORS_BOXES_H

#include "glow/Values/HostCall.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace glow {

struct Region {
  double x0, y0, x1, y1;
};

/// Suppression of regions that a better one covers.
struct Suppression {
  double limit = 0;  ///< the greatest overlap
  double edge = 1;   ///< the length of a side whose ends are the same pixel
  int64_t most = -1; ///< the number of regions to keep; -1 for all

  double area(const Region &region) const {
    return (region.x1 - region.x0 + edge) * (region.y1 - region.y0 + edge);
  }
  /// The intersection of two regions divided by their union.
  double overlap(const Region &a, const Region &b) const;

  /// The regions of `order`, best first, that no better one covers.
  Ints kept(const std::vector<Region> &regions, const Ints &order) const;
};

/// Sorts indices by their scores, best first, and by themselves where scores
/// are equal.
template <typename Score> void sortByScore(Ints &order, const Score &score) {
  auto key = [&](int64_t i) {
    double number = score(i);
    return std::isnan(number) ? -std::numeric_limits<double>::infinity()
                              : number;
  };
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const double first = key(a), second = key(b);
    return first != second ? first > second : a < b;
  });
}

/// Tensors of f32 and i32.
Result<Tensor> floatsOf(Ints shape, const Reals &numbers);
Result<Tensor> int32Of(Ints shape, const Ints &numbers);

/// An input's type, and its elements.
struct Numbers {
  TensorType type;
  Reals all;

  int64_t size(size_t axis) const { return type.shape[axis]; }
};
Result<Numbers> numbersOf(const HostCall &call, unsigned index);

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_BOXES_H

//===- BoxSelection.h - non-maximum suppression -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_VALUES_BOXSELECTION_H
#define GLOW_VALUES_BOXSELECTION_H

#include "glow/Base/Ints.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace glow {

/// Selects boxes by their scores, as NonMaxSuppression of ONNX does: a box is
/// dropped if a better one overlaps it by more than a share of their union. Of
/// boxes with equal scores, the first is the better one, so that results are
/// reproducible.
struct BoxSelection {
  int64_t most = 0;       ///< boxes to keep
  double overlap = 0;     ///< share of the union from which on a box is dropped
  double score = 0;       ///< the scores of kept boxes are greater
  bool isLimited = false; ///< whether `score` counts
  bool byCentre = false;  ///< a box is x, y, width, height; else two corners

  struct Box {
    double y0, x0, y1, x1;
    double area() const { return (y1 - y0) * (x1 - x0); }
  };

  Box boxOf(const std::array<double, 4> &numbers) const {
    const auto &[a, b, c, d] = numbers;
    if (byCentre)
      return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
    return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
  }

  /// The intersection of two boxes divided by their union.
  static double overlapOf(const Box &better, const Box &box) {
    const double height =
        std::min(better.y1, box.y1) - std::max(better.y0, box.y0);
    const double width =
        std::min(better.x1, box.x1) - std::max(better.x0, box.x0);
    // The product of two negative sides would be positive.
    if (height <= 0 || width <= 0)
      return 0;
    const double shared = height * width;
    return shared / (better.area() + box.area() - shared);
  }

  /// The kept boxes, best first. A score that is no number is the lowest.
  Ints kept(const std::vector<Box> &boxes, const double *scores) const {
    Ints order, kept;
    for (int64_t i = 0; i < int64_t(boxes.size()); ++i)
      if (!isLimited || scores[i] > score)
        order.push_back(i);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const double first = scores[a], second = scores[b];
      if (std::isnan(first) || std::isnan(second))
        return std::isnan(first) == std::isnan(second) ? a < b
                                                       : std::isnan(second);
      return first != second ? first > second : a < b;
    });
    for (int64_t i : order) {
      if (int64_t(kept.size()) >= most)
        break;
      if (std::none_of(kept.begin(), kept.end(), [&](int64_t better) {
            return overlapOf(boxes[size_t(better)], boxes[size_t(i)]) > overlap;
          }))
        kept.push_back(i);
    }
    return kept;
  }
};

} // namespace glow

#endif // GLOW_VALUES_BOXSELECTION_H

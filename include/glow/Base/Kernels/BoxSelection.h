//===- BoxSelection.h - non-maximum suppression -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Compiled into kernels that have no C++ library, and that allocate nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_KERNELS_BOXSELECTION_H
#define GLOW_BASE_KERNELS_BOXSELECTION_H

#include <stdint.h>

namespace glow {

/// Selects boxes by their scores, as NonMaxSuppression of ONNX does: a box is
/// dropped if a better one overlaps it by more than a share of their union. Of
/// boxes with equal scores, the first is the better one, so that results are
/// reproducible. A score that is no number is the lowest.
struct BoxSelection {
  int64_t most;   ///< boxes of an image and class to keep
  double overlap; ///< share of the union from which on a box is dropped
  double score;   ///< the scores of kept boxes are greater
  bool isLimited; ///< whether `score` counts
  bool byCentre;  ///< a box is x, y, width, height; else two corners

  /// Sizes of the tensors: boxes [images, boxes, 4] and scores [images,
  /// classes, boxes].
  int64_t images, classes, boxes;

  /// Memory of a selection.
  double *corners; ///< y0, x0, y1 and x1 of the boxes of an image, [boxes, 4]
  double *scores;  ///< scores of a class, [boxes]
  int64_t *order;  ///< [2, boxes]

  /// Writes image, class and box of each box that is kept, best first within an
  /// image and class; returns their number. `box` and `scoreOf` give the
  /// elements of the tensors, in row-major order, as double.
  template <typename Boxes, typename Scores>
  int64_t select(const Boxes &box, const Scores &scoreOf, int64_t *rows) const {
    int64_t count = 0;
    for (int64_t image = 0; image < images; ++image) {
      for (int64_t i = 0; i < boxes; ++i)
        for (int64_t k = 0; k < 4; ++k)
          corners[i * 4 + k] = box((image * boxes + i) * 4 + k);
      for (int64_t i = 0; i < boxes; ++i)
        orderCorners(corners + i * 4);
      for (int64_t of = 0; of < classes; ++of) {
        for (int64_t i = 0; i < boxes; ++i)
          scores[i] = scoreOf((image * classes + of) * boxes + i);
        int64_t *best = sorted();
        const int64_t kept = keep(best);
        for (int64_t i = 0; i < kept; ++i, ++count) {
          rows[count * 3] = image;
          rows[count * 3 + 1] = of;
          rows[count * 3 + 2] = best[i];
        }
      }
    }
    return count;
  }

private:
  // Kernels of several element kinds share the functions that are not inlined.
  static void orderPair(double &low, double &high) {
    if (!(high < low))
      return;
    const double other = low;
    low = high, high = other;
  }

  /// Turns the numbers of a box into its corners, the lower one first.
  void orderCorners(double *box) const {
    if (byCentre) {
      const double x = box[0], y = box[1], width = box[2], height = box[3];
      box[0] = y - height / 2, box[2] = y + height / 2;
      box[1] = x - width / 2, box[3] = x + width / 2;
      return;
    }
    orderPair(box[0], box[2]);
    orderPair(box[1], box[3]);
  }

  static double areaOf(const double *box) {
    return (box[2] - box[0]) * (box[3] - box[1]);
  }

  /// The intersection of two boxes divided by their union.
  static double overlapOf(const double *a, const double *b) {
    const double height =
        (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);
    const double width =
        (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);
    // The product of two negative sides would be positive.
    if (height <= 0 || width <= 0)
      return 0;
    const double shared = height * width;
    return shared / (areaOf(a) + areaOf(b) - shared);
  }

  bool isBetter(int64_t a, int64_t b) const {
    const double first = scores[a], second = scores[b];
    if (first != first || second != second)
      return first == first;
    return first > second;
  }

  /// The boxes, best first, in one half of `order`: runs are merged, from
  /// single boxes up to all.
  [[gnu::noinline]] int64_t *sorted() const {
    int64_t *from = order, *to = order + boxes;
    for (int64_t i = 0; i < boxes; ++i)
      from[i] = i;
    for (int64_t width = 1; width < boxes; width *= 2) {
      for (int64_t first = 0; first < boxes; first += 2 * width) {
        const int64_t middle = first + width < boxes ? first + width : boxes;
        const int64_t end = middle + width < boxes ? middle + width : boxes;
        int64_t left = first, right = middle;
        for (int64_t i = first; i < end; ++i)
          to[i] = left == middle ||
                          (right < end && isBetter(from[right], from[left]))
                      ? from[right++]
                      : from[left++];
      }
      int64_t *merged = to;
      to = from, from = merged;
    }
    return from;
  }

  /// Moves the boxes that are kept to the beginning; returns their number.
  [[gnu::noinline]] int64_t keep(int64_t *best) const {
    int64_t kept = 0;
    for (int64_t i = 0; i < boxes && kept < most; ++i) {
      bool isKept = !isLimited || scores[best[i]] > score;
      for (int64_t better = 0; better < kept && isKept; ++better)
        isKept = !(overlapOf(corners + best[better] * 4,
                             corners + best[i] * 4) > overlap);
      if (isKept)
        best[kept++] = best[i];
    }
    return kept;
  }
};

} // namespace glow

#endif // GLOW_BASE_KERNELS_BOXSELECTION_H

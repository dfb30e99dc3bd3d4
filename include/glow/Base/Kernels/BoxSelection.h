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
  double *corners; ///< y0, x0, y1 and x1 of the boxes that are kept, [boxes, 4]
  double *scores;  ///< [boxes], the score of each box in `order`
  int64_t *order;  ///< a heap of boxes, and the boxes that are kept, [2, boxes]

  /// Writes image, class and box of each box that is kept, best first within an
  /// image and class; returns their number. `box` and `scoreOf` give the
  /// elements of the tensors, in row-major order, as double.
  template <typename Boxes, typename Scores>
  int64_t select(const Boxes &box, const Scores &scoreOf, int64_t *rows) const {
    int64_t count = 0;
    for (int64_t image = 0; image < images; ++image)
      for (int64_t of = 0; of < classes; ++of) {
        int64_t left = 0;
        for (int64_t i = 0; i < boxes; ++i) {
          const double one = scoreOf((image * classes + of) * boxes + i);
          if (isLimited && !(one > score))
            continue;
          scores[left] = one;
          order[left++] = i;
        }
        heapify(left);
        int64_t kept = 0;
        for (; left > 0 && kept < most; --left) {
          const int64_t best = order[0];
          double *mine = corners + kept * 4;
          for (int64_t k = 0; k < 4; ++k)
            mine[k] = box((image * boxes + best) * 4 + k);
          orderCorners(mine);
          removeFirst(left);
          if (!overlapsOne(kept))
            order[boxes + kept++] = best;
        }
        for (int64_t i = 0; i < kept; ++i, ++count) {
          rows[count * 3] = image;
          rows[count * 3 + 1] = of;
          rows[count * 3 + 2] = order[boxes + i];
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

  /// Whether an entry of the heap comes before another one. Boxes differ, so
  /// that one of the two does.
  bool isBetter(int64_t a, int64_t b) const {
    const double first = scores[a], second = scores[b];
    if (first > second || second > first)
      return first > second;
    const bool isNumber = first == first;
    return isNumber == (second == second) ? order[a] < order[b] : isNumber;
  }

  /// Moves an entry of a heap of `size` down to its place.
  void sink(int64_t entry, int64_t size) const {
    for (int64_t next; (next = 2 * entry + 1) < size; entry = next) {
      next += next + 1 < size && isBetter(next + 1, next);
      if (!isBetter(next, entry))
        return;
      const double score = scores[entry];
      const int64_t box = order[entry];
      scores[entry] = scores[next], order[entry] = order[next];
      scores[next] = score, order[next] = box;
    }
  }

  [[gnu::noinline]] void heapify(int64_t size) const {
    for (int64_t entry = size / 2; entry > 0; --entry)
      sink(entry - 1, size);
  }

  /// Removes the best entry of a heap of `size`.
  [[gnu::noinline]] void removeFirst(int64_t size) const {
    scores[0] = scores[size - 1], order[0] = order[size - 1];
    sink(0, size - 1);
  }

  /// Whether the box behind those that are kept overlaps one of them too much.
  [[gnu::noinline]] bool overlapsOne(int64_t kept) const {
    for (int64_t better = 0; better < kept; ++better)
      if (overlapOf(corners + better * 4, corners + kept * 4) > overlap)
        return true;
    return false;
  }
};

} // namespace glow

#endif // GLOW_BASE_KERNELS_BOXSELECTION_H

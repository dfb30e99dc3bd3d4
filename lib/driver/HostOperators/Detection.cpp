//===- Detection.cpp - boxes that are kept --------------------------------===//
// SPDX-License-Identifier: MIT
//
// The number of boxes to keep is known only after they are compared, so no
// program has a result of such a size. Of boxes with equal scores, the first
// counts as the better one, so that results are reproducible.
//
//===----------------------------------------------------------------------===//

#include "glow/HostOperators/Functions.h"
#include <algorithm>

using namespace glow;

namespace {

/// A box by two opposite corners, the lower one first.
struct Box {
  double y0, x0, y1, x1;

  double area() const { return (y1 - y0) * (x1 - x0); }
};

Box boxAt(const double *numbers, bool byCentre) {
  if (byCentre) // x, y, width, height
    return {numbers[1] - numbers[3] / 2, numbers[0] - numbers[2] / 2,
            numbers[1] + numbers[3] / 2, numbers[0] + numbers[2] / 2};
  return {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]),
          std::max(numbers[0], numbers[2]), std::max(numbers[1], numbers[3])};
}

/// The intersection of two boxes divided by their union.
double overlap(const Box &a, const Box &b) {
  double height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  // The product of two negative sides would be positive.
  if (height <= 0 || width <= 0)
    return 0;
  double shared = height * width;
  return shared / (a.area() + b.area() - shared);
}

struct Suppression {
  Reals boxes, scores;
  int64_t batches = 0, classes = 0, count = 0;
  int64_t most = 0;
  double overlapLimit = 0, scoreLimit = 0;
  bool byCentre = false, hasScoreLimit = false;

  Status read(const HostCall &call);
  Ints kept(int64_t batch, int64_t theClass) const;
};

/// An optional scalar input.
Result<double> numberOf(const HostCall &call, unsigned index) {
  if (!call.input(index))
    return 0.0;
  Result<Reals> numbers = call.reals(index);
  if (!numbers)
    return numbers.status();
  if (numbers->size() == 1)
    return numbers->front();
  return failure(Code::InvalidArgument, "input ", index, " has ",
                 numbers->size(), " elements, but 1 is wanted");
}

Status Suppression::read(const HostCall &call) {
  Result<Reals> theBoxes = call.reals(0), theScores = call.reals(1);
  if (!theBoxes || !theScores)
    return theBoxes ? theScores.status() : theBoxes.status();
  boxes = theBoxes.take();
  scores = theScores.take();
  const TensorType &box = call.input(0)->tensor()->type();
  const TensorType &score = call.input(1)->tensor()->type();
  if (box.shape.size() != 3 || score.shape.size() != 3 || box.shape[2] != 4 ||
      box.shape[0] != score.shape[0] || box.shape[1] != score.shape[2])
    return failure(Code::ShapeMismatch, "boxes are ", box.text(),
                   " and scores ", score.text(),
                   ", they should be [batches,count,4] and "
                   "[batches,classes,count]");
  batches = score.shape[0];
  classes = score.shape[1];
  count = score.shape[2];
  Result<int64_t> limit = call.input(2) ? call.intOf(2) : int64_t(0);
  if (!limit)
    return limit.status();
  Result<double> limits[] = {numberOf(call, 3), numberOf(call, 4)};
  for (const Result<double> &number : limits)
    if (!number)
      return number.status();
  most = *limit;
  overlapLimit = *limits[0];
  scoreLimit = *limits[1];
  hasScoreLimit = call.input(4);
  byCentre = call.attribute<int64_t>("center_point_box", 0) != 0;
  return Status();
}

/// The boxes in descending order of score, without those that a better box
/// covers.
Ints Suppression::kept(int64_t batch, int64_t theClass) const {
  const double *score = scores.data() + (batch * classes + theClass) * count;
  Ints order;
  for (int64_t i = 0; i < count; ++i)
    if (!hasScoreLimit || score[i] > scoreLimit)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return score[a] != score[b] ? score[a] > score[b] : a < b;
  });
  auto box = [&](int64_t i) {
    return boxAt(boxes.data() + (batch * count + i) * 4, byCentre);
  };
  Ints kept;
  for (int64_t i : order) {
    if (int64_t(kept.size()) >= most)
      break;
    if (std::ranges::none_of(kept, [&](int64_t better) {
          return overlap(box(better), box(i)) > overlapLimit;
        }))
      kept.push_back(i);
  }
  return kept;
}

} // namespace

Status glow::host::nonMaxSuppression(HostCall &call) {
  Suppression all;
  if (Status status = all.read(call); !status.ok())
    return status;
  Ints rows;
  for (int64_t batch = 0; batch < all.batches; ++batch)
    for (int64_t theClass = 0; theClass < all.classes; ++theClass)
      for (int64_t box : all.kept(batch, theClass))
        rows.insert(rows.end(), {batch, theClass, box});
  return call.setOutput(0,
                        tensorOf<int64_t>({int64_t(rows.size()) / 3, 3}, rows));
}

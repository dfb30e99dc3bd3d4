//===- Detection.cpp - boxes that are kept --------------------------------===//
// SPDX-License-Identifier: MIT
//
// The number of boxes to keep is known only after they are compared. So the
// operator is for the host where no program computes sizes.
//
//===----------------------------------------------------------------------===//

#include "glow/HostOperators/Functions.h"
#include "glow/Values/BoxSelection.h"

using namespace glow;

namespace {

/// A box by two opposite corners, the lower one first.
struct Suppression {
  Reals boxes, scores;
  int64_t batches = 0, classes = 0, count = 0;
  BoxSelection selection;

  Status read(const HostCall &call);
  void select(Ints &rows) const;
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
  selection = {*limit, *limits[0], *limits[1], bool(call.input(4)),
               call.attribute<int64_t>("center_point_box", 0) != 0};
  return Status();
}

/// Appends image, class and box of each box that is kept.
void Suppression::select(Ints &rows) const {
  std::vector<BoxSelection::Box> all(size_t(count), {0, 0, 0, 0});
  for (int64_t image = 0; image < batches; ++image) {
    for (int64_t i = 0; i < count; ++i) {
      const double *box = boxes.data() + (image * count + i) * 4;
      all[size_t(i)] = selection.boxOf({box[0], box[1], box[2], box[3]});
    }
    for (int64_t theClass = 0; theClass < classes; ++theClass) {
      const double *score =
          scores.data() + (image * classes + theClass) * count;
      for (int64_t box : selection.kept(all, score))
        rows.insert(rows.end(), {image, theClass, box});
    }
  }
}

} // namespace

Status glow::host::nonMaxSuppression(HostCall &call) {
  Suppression all;
  if (Status status = all.read(call); !status.ok())
    return status;
  Ints rows;
  all.select(rows);
  return call.setOutput(0,
                        tensorOf<int64_t>({int64_t(rows.size()) / 3, 3}, rows));
}

//===- Detection.cpp - boxes that are kept --------------------------------===//
// SPDX-License-Identifier: MIT
//
// The number of boxes to keep is known only after they are compared. So the
// operator is for the host where no program computes sizes.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Kernels/BoxSelection.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>

using namespace glow;

namespace {

struct BoxArguments {
  Reals boxes, scores;
  BoxSelection selection{};

  Status read(const HostCall &call);
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

Status BoxArguments::read(const HostCall &call) {
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
  Result<int64_t> limit = call.input(2) ? call.intOf(2) : int64_t(0);
  if (!limit)
    return limit.status();
  Result<double> limits[] = {numberOf(call, 3), numberOf(call, 4)};
  for (const Result<double> &number : limits)
    if (!number)
      return number.status();
  selection.most = *limit;
  selection.overlap = *limits[0];
  selection.score = *limits[1];
  selection.isLimited = call.input(4);
  selection.byCentre = call.attribute<int64_t>("center_point_box", 0) != 0;
  selection.images = score.shape[0];
  selection.classes = score.shape[1];
  selection.boxes = score.shape[2];
  return Status();
}

} // namespace

Status glow::host::nonMaxSuppression(HostCall &call) {
  BoxArguments all;
  if (Status status = all.read(call); !status.ok())
    return status;
  BoxSelection &selection = all.selection;
  const auto count = size_t(selection.boxes);
  const int64_t most = std::clamp(selection.most, int64_t(0), selection.boxes);
  const uint64_t rowBytes = 3 * sizeof(int64_t);
  if (Status room = MemoryBudget::check(
          uint64_t(selection.images * selection.classes * most) * rowBytes +
          uint64_t(count) * (5 * sizeof(double) + 2 * sizeof(int64_t)));
      !room.ok())
    return room;
  Reals corners(count * 4), scores(count);
  Ints order(count * 2),
      rows(size_t(selection.images * selection.classes * most * 3));
  selection.corners = corners.data();
  selection.scores = scores.data();
  selection.order = order.data();
  rows.resize(
      3 * size_t(selection.select(
              [&](int64_t i) { return all.boxes[size_t(i)]; },
              [&](int64_t i) { return all.scores[size_t(i)]; }, rows.data())));
  return call.setOutput(0,
                        tensorOf<int64_t>({int64_t(rows.size()) / 3, 3}, rows));
}

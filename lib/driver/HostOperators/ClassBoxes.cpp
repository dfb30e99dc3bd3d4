//===- ClassBoxes.cpp - the best boxes of each class ----------------------===//
// SPDX-License-Identifier: MIT
//
// The last step of a detector. The classes are independent of each other until
// an image has more boxes than it may have. Class 0 is the background.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxes.h"
#include "glow/HostOperators/Functions.h"
#include <array>

using namespace glow;

namespace {

/// The best boxes of each class, for each image.
class Detections {
public:
  explicit Detections(const HostCall &call) : call(call), arguments(call) {}

  Status read();
  void addImage(int64_t first, int64_t count);

  Reals scores, boxes, classes, counts; ///< one for each kept box
  Ints kept, keptOfClass;
  Ints parts; ///< the number of boxes of each image

private:
  using Choice = std::pair<int64_t, int64_t>; ///< a class, and a box of it

  Status readParts();
  Ints best(int64_t theClass, int64_t first, int64_t count);
  Ints softened(const std::vector<Region> &regions, Ints pending,
                int64_t theClass, int64_t first);
  std::vector<Choice> choices(int64_t first, int64_t count);

  int64_t scoreColumn(int64_t theClass) const {
    return withBackground ? theClass : theClass - 1;
  }
  int64_t boxColumn(int64_t theClass) const {
    return agnostic ? 0 : withBackground ? theClass : theClass - 1;
  }
  double &scoreOf(int64_t box, int64_t theClass) {
    return given.all[size_t(box * given.size(1) + scoreColumn(theClass))];
  }
  const double *boxOf(int64_t box, int64_t theClass) const {
    return corners.all.data() + box * corners.size(1) + boxColumn(theClass) * 4;
  }

  const HostCall &call;
  Arguments arguments;
  Numbers given, corners;
  double lowest = 0, sigma = 0, lowestSoft = 0;
  int64_t most = 0, firstClass = 1;
  bool agnostic = false, withBackground = true, soft = false, gaussian = false;
  Suppression suppression;
};

} // namespace

Status Detections::readParts() {
  if (!call.input(2)) {
    parts = {given.size(0)};
    return Status();
  }
  Result<Reals> counts = call.reals(2);
  if (!counts)
    return counts.status();
  double total = 0;
  for (double count : *counts) {
    total += count;
    if (!(count >= 0) || count != std::floor(count) ||
        !(total <= double(given.size(0))))
      break;
    parts.push_back(int64_t(count));
  }
  if (parts.size() == counts->size() && total == double(given.size(0)))
    return Status();
  return failure(Code::InvalidArgument, "the sizes of the batch should be ",
                 "numbers of boxes, ", given.size(0), " together");
}

Status Detections::read() {
  Result<Numbers> first = numbersOf(call, 0), second = numbersOf(call, 1);
  if (!first || !second)
    return first ? second.status() : first.status();
  given = first.take(), corners = second.take();
  lowest = arguments.real("score_thresh", 0.05);
  suppression.limit = arguments.real("nms", 0.3);
  suppression.edge = arguments.flag("legacy_plus_one", true) ? 1 : 0;
  most = arguments.integer("detections_per_im", 100);
  suppression.most = most > 0 ? most : -1;
  soft = arguments.flag("soft_nms_enabled", false);
  const std::string method = arguments.text("soft_nms_method", "linear");
  gaussian = method == "gaussian";
  sigma = arguments.real("soft_nms_sigma", 0.5);
  lowestSoft = arguments.real("soft_nms_min_score_thres", 0.001);
  agnostic = arguments.flag("cls_agnostic_bbox_reg", false);
  withBackground = arguments.flag("input_boxes_include_bg_cls", true);
  firstClass = arguments.flag("output_classes_include_bg_cls", true) ? 1 : 0;
  if (arguments.flag("rotated", false))
    return failure(Code::Unsupported, "rotated boxes are not supported");
  if (!gaussian && method != "linear")
    return failure(Code::InvalidArgument, "attribute 'soft_nms_method' is '",
                   method, "', but should be linear or gaussian");
  if (!arguments.status().ok())
    return arguments.status();
  auto isTable = [](const TensorType &type) {
    return type.shape.size() == 2 ||
           (type.shape.size() == 4 && type.shape[2] == 1 && type.shape[3] == 1);
  };
  if (!isTable(given.type) || !isTable(corners.type) || given.size(1) < 1 ||
      given.size(0) != corners.size(0) ||
      corners.size(1) != 4 * (boxColumn(given.size(1) - 1) + 1))
    return failure(Code::ShapeMismatch, "scores are ", given.type.text(),
                   " and boxes ", corners.type.text(),
                   ", they should be [count,classes] and [count,4*classes]");
  return readParts();
}

/// Lowers the scores of boxes that a better one covers, instead of leaving them
/// out.
Ints Detections::softened(const std::vector<Region> &regions, Ints pending,
                          int64_t theClass, int64_t first) {
  Ints kept;
  while (!pending.empty()) {
    auto best = std::ranges::max_element(pending, [&](int64_t a, int64_t b) {
      return scoreOf(first + a, theClass) < scoreOf(first + b, theClass);
    });
    const int64_t i = *best;
    pending.erase(best);
    kept.push_back(i);
    for (int64_t j : pending) {
      double overlap =
          suppression.overlap(regions[size_t(i)], regions[size_t(j)]);
      scoreOf(first + j, theClass) *=
          gaussian                      ? std::exp(-overlap * overlap / sigma)
          : overlap > suppression.limit ? 1 - overlap
                                        : 1;
    }
    std::erase_if(pending, [&](int64_t j) {
      return !(scoreOf(first + j, theClass) >= lowestSoft);
    });
  }
  return kept;
}

Ints Detections::best(int64_t theClass, int64_t first, int64_t count) {
  std::vector<Region> regions;
  Ints order;
  for (int64_t i = 0; i < count; ++i) {
    const double *box = boxOf(first + i, theClass);
    regions.push_back({box[0], box[1], box[2], box[3]});
    if (scoreOf(first + i, theClass) > lowest)
      order.push_back(i);
  }
  if (soft)
    return softened(regions, std::move(order), theClass, first);
  sortByScore(order, [&](int64_t i) { return scoreOf(first + i, theClass); });
  return suppression.kept(regions, order);
}

/// The boxes to keep by class; of too many, those with the best scores.
std::vector<Detections::Choice> Detections::choices(int64_t first,
                                                    int64_t count) {
  std::vector<Choice> all;
  for (int64_t theClass = 1; theClass < given.size(1); ++theClass)
    for (int64_t box : best(theClass, first, count))
      all.emplace_back(theClass, box);
  if (most <= 0 || int64_t(all.size()) <= most)
    return all;
  Ints order;
  for (size_t i = 0; i < all.size(); ++i)
    order.push_back(int64_t(i));
  sortByScore(order, [&](int64_t i) {
    auto [theClass, box] = all[size_t(i)];
    return scoreOf(first + box, theClass);
  });
  order.resize(size_t(most));
  std::ranges::sort(order); // by class again
  std::vector<Choice> best;
  for (int64_t i : order)
    best.push_back(all[size_t(i)]);
  return best;
}

void Detections::addImage(int64_t first, int64_t count) {
  Ints ofClass(size_t(given.size(1)), 0);
  std::vector<Choice> chosen = choices(first, count);
  for (auto [theClass, box] : chosen) {
    scores.push_back(scoreOf(first + box, theClass));
    const double *corner = boxOf(first + box, theClass);
    boxes.insert(boxes.end(), corner, corner + 4);
    classes.push_back(double(theClass - 1 + firstClass));
    kept.push_back(box);
    ++ofClass[size_t(theClass)];
  }
  counts.push_back(double(chosen.size()));
  keptOfClass.insert(keptOfClass.end(), ofClass.begin(), ofClass.end());
}

Status glow::host::boxWithNmsLimit(HostCall &call) {
  Detections all(call);
  if (Status status = all.read(); !status.ok())
    return status;
  int64_t first = 0;
  for (int64_t count : all.parts) {
    all.addImage(first, count);
    first += count;
  }
  const int64_t count = int64_t(all.scores.size());
  const int64_t images = int64_t(all.parts.size());
  const int64_t classes = call.input(0)->tensor()->type().shape[1];
  unsigned output = 0;
  for (Result<Tensor> &result : std::array{
           floatsOf({count}, all.scores), floatsOf({count, 4}, all.boxes),
           floatsOf({count}, all.classes), floatsOf({images}, all.counts),
           int32Of({count}, all.kept),
           int32Of({images, classes}, all.keptOfClass)})
    if (Status status = call.setOutput(output++, std::move(result));
        !status.ok())
      return status;
  return Status();
}

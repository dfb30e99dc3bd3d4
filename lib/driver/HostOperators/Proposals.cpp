//===- Proposals.cpp - regions that a detector proposes -------------------===//
// SPDX-License-Identifier: MIT
//
// Each place of a map of features has a region of each anchor. A network gives
// each region a score and moves it. The number of regions that are kept is
// known only after they are compared.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxes.h"
#include "glow/HostOperators/Functions.h"

using namespace glow;

namespace {

/// Anchors at each place of an image, moved by deltas, as proposals.
class Generator {
public:
  Status read(const HostCall &call);
  void addImage(int64_t image);

  Reals regions, probabilities; ///< the rows and scores of proposals

private:
  Region regionAt(int64_t image, int64_t place) const;
  bool isLarge(int64_t image, const Region &region) const;

  Numbers scores, deltas, images, anchors;
  int64_t anchorCount = 0, height = 0, width = 0;
  double stride = 16, smallest = 16, back = 1;
  int64_t mostBefore = 0;
  Suppression suppression;
};

Status Generator::read(const HostCall &call) {
  for (auto [index, numbers] :
       {std::pair(0u, &scores), std::pair(1u, &deltas), std::pair(2u, &images),
        std::pair(3u, &anchors)}) {
    Result<Numbers> found = numbersOf(call, index);
    if (!found)
      return found.status();
    *numbers = found.take();
  }
  const Ints &shape = scores.type.shape;
  if (anchors.type.shape.size() == 2 && anchors.size(1) == 5)
    return failure(Code::Unsupported, "rotated boxes are not supported");
  if (shape.size() != 4 || anchors.type.shape != Ints{shape[1], 4} ||
      images.type.shape != Ints{shape[0], 3} ||
      deltas.type.shape != Ints{shape[0], 4 * shape[1], shape[2], shape[3]})
    return failure(Code::ShapeMismatch, "scores are ", scores.type.text(),
                   ", deltas ", deltas.type.text(), ", images ",
                   images.type.text(), " and anchors ", anchors.type.text(),
                   ", they should be [n,a,h,w], [n,4*a,h,w], [n,3] and [a,4]");
  anchorCount = shape[1], height = shape[2], width = shape[3];
  Arguments arguments(call);
  const bool plusOne = arguments.flag("legacy_plus_one", true);
  stride = 1 / arguments.real("spatial_scale", 1.0 / 16);
  smallest = arguments.real("min_size", 16);
  mostBefore = arguments.integer("pre_nms_topN", 6000);
  suppression.most = arguments.integer("post_nms_topN", 300);
  suppression.limit = arguments.real("nms_thresh", 0.7);
  suppression.edge = plusOne ? 1 : 0;
  back = plusOne && arguments.flag("correct_transform_coords", true) ? 1 : 0;
  if (suppression.most <= 0)
    suppression.most = -1;
  return arguments.status();
}

/// The place is that of a row of height * width * anchors.
Region Generator::regionAt(int64_t image, int64_t place) const {
  const int64_t anchor = place % anchorCount;
  const int64_t x = place / anchorCount % width,
                y = place / anchorCount / width;
  auto corner = [&](int64_t i, int64_t at) {
    return anchors.all[size_t(anchor * 4 + i)] + stride * double(at);
  };
  auto delta = [&](int64_t i) {
    return deltas.all[size_t(
        ((image * anchorCount * 4 + anchor * 4 + i) * height + y) * width + x)];
  };
  const double clip = std::log(1000.0 / 16), edge = suppression.edge;
  const double *size = images.all.data() + image * 3;
  auto side = [&](int64_t i, int64_t at, double length) {
    double extent = corner(i + 2, at) - corner(i, at) + edge;
    double middle = corner(i, at) + extent / 2 + delta(i) * extent;
    extent *= std::exp(std::min(delta(i + 2), clip));
    auto inside = [&](double end) {
      return std::max(std::min(end, std::trunc(length) - edge), 0.0);
    };
    return std::pair(inside(middle - extent / 2),
                     inside(middle + extent / 2 - back));
  };
  auto [x0, x1] = side(0, x, size[1]);
  auto [y0, y1] = side(1, y, size[0]);
  return {x0, y0, x1, y1};
}

/// Whether the sides are long enough, and the middle is in the image.
bool Generator::isLarge(int64_t image, const Region &region) const {
  const double *size = images.all.data() + image * 3;
  double w = region.x1 - region.x0 + suppression.edge;
  double h = region.y1 - region.y0 + suppression.edge;
  return w >= smallest * size[2] && h >= smallest * size[2] &&
         region.x0 + w / 2 < size[1] && region.y0 + h / 2 < size[0];
}

void Generator::addImage(int64_t image) {
  const int64_t places = height * width * anchorCount;
  auto score = [&](int64_t place) {
    const int64_t anchor = place % anchorCount, pixel = place / anchorCount;
    return scores
        .all[size_t((image * anchorCount + anchor) * height * width + pixel)];
  };
  Ints order;
  for (int64_t place = 0; place < places; ++place)
    order.push_back(place);
  sortByScore(order, score);
  if (mostBefore > 0 && mostBefore < places)
    order.resize(size_t(mostBefore));
  std::vector<Region> boxes;
  Ints large;
  for (int64_t place : order) {
    boxes.push_back(regionAt(image, place));
    if (isLarge(image, boxes.back()))
      large.push_back(int64_t(boxes.size()) - 1);
  }
  for (int64_t i : suppression.kept(boxes, large)) {
    const Region &box = boxes[size_t(i)];
    regions.insert(regions.end(),
                   {double(image), box.x0, box.y0, box.x1, box.y1});
    probabilities.push_back(score(order[size_t(i)]));
  }
}

} // namespace

Status glow::host::generateProposals(HostCall &call) {
  Generator generator;
  if (Status status = generator.read(call); !status.ok())
    return status;
  const int64_t images = call.input(0)->tensor()->type().shape[0];
  for (int64_t image = 0; image < images; ++image)
    generator.addImage(image);
  const int64_t count = int64_t(generator.probabilities.size());
  if (Status status =
          call.setOutput(0, floatsOf({count, 5}, generator.regions));
      !status.ok())
    return status;
  return call.setOutput(1, floatsOf({count}, generator.probabilities));
}

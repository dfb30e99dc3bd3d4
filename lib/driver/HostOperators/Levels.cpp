//===- Levels.cpp - regions by the level of their features ----------------===//
// SPDX-License-Identifier: MIT
//
// A pyramid of features has a level for each size of regions, as in "Feature
// Pyramid Networks for Object Detection", equation 1. The number of regions of
// a level depends on their sizes.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxes.h"
#include "Slices.h"
#include "glow/HostOperators/Functions.h"

using namespace glow;

namespace {

/// The levels that regions go to.
struct Levels {
  double scale = 224, middle = 4; ///< a region of that side is of that level
  int64_t lowest = 2, highest = 5;
  Suppression sizes;

  Status read(Arguments &arguments);
  int64_t levelOf(const Region &region) const;
  Status distribute(HostCall &call, const Tensor &rows, unsigned output) const;
};

Status Levels::read(Arguments &arguments) {
  scale = double(arguments.integer("roi_canonical_scale", 224));
  middle = double(arguments.integer("roi_canonical_level", 4));
  highest = arguments.integer("roi_max_level", 5);
  lowest = arguments.integer("roi_min_level", 2);
  sizes.edge = arguments.flag("legacy_plus_one", true) ? 1 : 0;
  if (!arguments.status().ok())
    return arguments.status();
  constexpr int64_t most = 64;
  if (lowest < 0 || highest < lowest || highest > most)
    return failure(Code::InvalidArgument, "levels ", lowest, " to ", highest,
                   " should be 0 to ", most, ", in ascending order");
  return Status();
}

int64_t Levels::levelOf(const Region &region) const {
  double side = std::sqrt(sizes.area(region));
  double level = std::floor(middle + std::log2(side / scale + 1e-6));
  return int64_t(std::clamp(level, double(lowest), double(highest)));
}

/// Sets outputs from `output` on: the rows of each level, and for each row its
/// place in the rows of all levels.
Status Levels::distribute(HostCall &call, const Tensor &rows,
                          unsigned output) const {
  const Ints &shape = rows.type().shape;
  const size_t levels = size_t(highest - lowest + 1);
  if (rows.type().kind != ElementKind::F32 || shape.size() != 2 ||
      (shape[1] != 4 && shape[1] != 5))
    return failure(Code::ShapeMismatch, "regions are ", rows.type().text(),
                   ", they should be f32[n,5] or f32[n,4]");
  if (call.outputCount() > output + levels + 1)
    return failure(Code::InvalidArgument, "it has ", call.outputCount(),
                   " outputs, but ", output + levels + 1,
                   " are those of levels ", lowest, " to ", highest);
  std::vector<Ints> places(levels);
  for (int64_t row = 0; row < shape[0]; ++row) {
    const float *end = rows.elements<float>().data() + (row + 1) * shape[1];
    Region region{end[-4], end[-3], end[-2], end[-1]};
    if (!(sizes.area(region) >= 0))
      return failure(Code::InvalidArgument, "region ", row, " has the area ",
                     sizes.area(region), ", which should not be negative");
    places[size_t(levelOf(region) - lowest)].push_back(row);
  }
  Ints order(size_t(shape[0]), 0);
  int64_t next = 0;
  for (size_t level = 0; level < levels; ++level) {
    for (int64_t row : places[level])
      order[size_t(row)] = next++;
    if (Status status =
            call.setOutput(output++, slicesAt(rows.view(), 0, places[level]));
        !status.ok())
      return status;
  }
  return call.setOutput(output, int32Of({shape[0]}, order));
}

/// The regions of all levels, best first, and at most as many as the argument.
Result<Tensor> bestRegions(const HostCall &call, Arguments &arguments) {
  const int64_t levels = arguments.integer("rpn_max_level", 6) -
                         arguments.integer("rpn_min_level", 2) + 1;
  const int64_t most = arguments.integer("rpn_post_nms_topN", 2000);
  if (!arguments.status().ok())
    return arguments.status();
  if (levels < 1 || int64_t(call.inputCount()) != 2 * levels)
    return failure(Code::InvalidArgument, call.inputCount(),
                   " inputs are not regions and scores of each of ", levels,
                   " levels");
  HostValue::Sequence parts;
  Reals scores;
  for (unsigned i = 0; i < unsigned(levels); ++i) {
    Result<const Tensor *> part = call.tensor(i);
    Result<Reals> more = call.reals(unsigned(levels) + i);
    if (!part || !more)
      return part ? more.status() : part.status();
    parts.push_back(*call.input(i));
    scores.insert(scores.end(), more->begin(), more->end());
  }
  Result<Tensor> all = concatenated(parts, 0);
  if (!all)
    return all;
  if (all->type().shape[0] != int64_t(scores.size()))
    return failure(Code::ShapeMismatch, "there are ", all->type().shape[0],
                   " regions and ", scores.size(), " scores");
  Ints order;
  for (size_t i = 0; i < scores.size(); ++i)
    order.push_back(int64_t(i));
  sortByScore(order, [&](int64_t i) { return scores[size_t(i)]; });
  if (most > 0 && most < int64_t(order.size()))
    order.resize(size_t(most));
  return slicesAt(all->view(), 0, order);
}

} // namespace

Status glow::host::distributeFpnProposals(HostCall &call) {
  Arguments arguments(call);
  Levels levels;
  if (Status status = levels.read(arguments); !status.ok())
    return status;
  Result<const Tensor *> rows = call.tensor(0);
  if (!rows)
    return rows.status();
  return levels.distribute(call, **rows, 0);
}

Status glow::host::collectAndDistribute(HostCall &call) {
  Arguments arguments(call);
  Levels levels;
  if (Status status = levels.read(arguments); !status.ok())
    return status;
  Result<Tensor> best = bestRegions(call, arguments);
  if (!best)
    return best.status();
  if (Status status = levels.distribute(call, *best, 1); !status.ok())
    return status;
  return call.setOutput(0, std::move(best));
}

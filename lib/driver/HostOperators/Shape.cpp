//===- Shape.cpp - elements that are moved --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>
#include <set>

using namespace glow;

/// Input `index` as a list, `missing` when it is absent.
static Result<Ints> listOf(const HostCall &call, unsigned index, Ints missing) {
  return call.input(index) ? call.ints(index) : Result<Ints>(missing);
}

/// The indices from `start` to before `end`, which may lie outside of the axis.
static Result<Ints> placesBetween(int64_t start, int64_t end, int64_t step,
                                  int64_t size) {
  if (step == 0)
    return failure(Code::InvalidArgument, "a step is 0");
  // Steps longer than the axis select one index, and no addition overflows.
  step = std::clamp(step, -size - 1, size + 1);
  const int64_t lowest = step > 0 ? 0 : -1, highest = lowest + size;
  auto inside = [&](int64_t place) {
    return std::clamp(place < 0 ? place + size : place, lowest, highest);
  };
  Ints places;
  int64_t last = inside(end);
  for (int64_t at = std::min(inside(start), step > 0 ? size : size - 1);
       step > 0 ? at < last : at > last; at += step)
    places.push_back(at);
  return places;
}

Status glow::host::slice(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  Result<Ints> starts = call.ints(1), ends = call.ints(2);
  if (!in || !starts || !ends)
    return !in ? in.status() : !starts ? starts.status() : ends.status();
  Ints all, ones(starts->size(), 1);
  for (size_t i = 0; i < starts->size(); ++i)
    all.push_back(int64_t(i));
  Result<Ints> axes = listOf(call, 3, all), steps = listOf(call, 4, ones);
  if (!axes || !steps)
    return axes ? steps.status() : axes.status();
  if (ends->size() != starts->size() || axes->size() != starts->size() ||
      steps->size() != starts->size())
    return failure(Code::InvalidArgument, "there are ", starts->size(),
                   " starts, ", ends->size(), " ends, ", axes->size(),
                   " axes and ", steps->size(), " steps");
  std::set<int64_t> seen;
  Result<Tensor> result = Tensor::copyOf((*in)->view());
  for (size_t i = 0; i < starts->size() && result; ++i) {
    Result<int64_t> axis =
        resolveAxis((*axes)[i], int64_t(result->type().shape.size()));
    if (!axis)
      return axis.status();
    if (!seen.insert(*axis).second)
      return failure(Code::InvalidArgument, "axis ", (*axes)[i],
                     " is there twice");
    const int64_t size = result->type().shape[size_t(*axis)];
    if (Status status = checkPlaces(size); !status.ok())
      return status;
    Result<Ints> places =
        placesBetween((*starts)[i], (*ends)[i], (*steps)[i], size);
    if (!places)
      return places.status();
    result = slicesAt(result->view(), *axis, *places);
  }
  return call.setOutput(0, std::move(result));
}

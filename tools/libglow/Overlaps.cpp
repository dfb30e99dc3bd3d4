//===- Overlaps.cpp - outputs on memory that others use -------------------===//
// SPDX-License-Identifier: MIT

#include "Overlaps.h"
#include <algorithm>
#include <cstring>

using namespace glow;
using namespace glow::capi;

namespace {
/// The bytes of a tensor, from `begin` to before `end`.
struct Range {
  uintptr_t begin, end;
  size_t index; ///< among the outputs
};
} // namespace

static Range rangeOf(const TensorView &view, size_t index) {
  const auto begin = reinterpret_cast<uintptr_t>(view.data);
  return {begin, begin + uintptr_t(view.type->bytes()), index};
}

static bool share(const TensorView &one, const TensorView &other) {
  const Range a = rangeOf(one, 0), b = rangeOf(other, 0);
  return a.begin < b.end && b.begin < a.end;
}

/// Whether each output is seen to lie apart without taking memory: the usual
/// case of few tensors.
static bool areFewAndApart(const Tensors &tensors,
                           std::span<const TensorView> inputs) {
  constexpr size_t mostPairs = 64;
  const size_t outputs = tensors.outputs.size();
  if (outputs * (inputs.size() + outputs) > mostPairs)
    return false;
  for (size_t i = 0; i < outputs; ++i) {
    const TensorView &output = tensors.outputs[i];
    auto isShared = [&](const TensorView &other) {
      return share(output, other);
    };
    if (std::ranges::any_of(inputs, isShared) ||
        std::any_of(tensors.outputs.begin() + ptrdiff_t(i) + 1,
                    tensors.outputs.end(), isShared))
      return false;
  }
  return true;
}

/// The outputs that have bytes, by address. Fails where two share some.
static Result<std::vector<Range>> outputRanges(const Program &program,
                                               const Tensors &tensors) {
  std::vector<Range> ranges;
  for (size_t i = 0; i < tensors.outputs.size(); ++i)
    if (Range range = rangeOf(tensors.outputs[i], i); range.begin < range.end)
      ranges.push_back(range);
  std::ranges::sort(ranges, {}, &Range::begin);
  // The first two neighbours that share bytes, if any outputs do.
  auto shared = std::ranges::adjacent_find(
      ranges, [](const Range &a, const Range &b) { return b.begin < a.end; });
  if (shared == ranges.end())
    return ranges;
  const auto [one, other] =
      std::minmax(shared->index, std::next(shared)->index);
  return failure(Code::InvalidArgument, "outputs '", program.outputs[one].name,
                 "' and '", program.outputs[other].name,
                 "' share memory, they should lie apart");
}

Result<std::shared_ptr<Overlaps>>
Overlaps::find(const Program &program, const Tensors &tensors,
               std::span<const size_t> states) {
  std::shared_ptr<Overlaps> overlaps;
  std::vector<TensorView> others; // a call without states takes no memory
  for (size_t i = 0; !states.empty() && i < tensors.inputs.size(); ++i)
    if (std::ranges::find(states, i) == states.end())
      others.push_back(tensors.inputs[i]);
  const std::span<const TensorView> inputs =
      states.empty() ? tensors.inputs : others;
  if (areFewAndApart(tensors, inputs))
    return overlaps;
  Result<std::vector<Range>> outputs = outputRanges(program, tensors);
  if (!outputs)
    return outputs.status();
  std::vector<bool> isShared(tensors.outputs.size());
  bool areShared = false;
  for (const TensorView &input : inputs) {
    const Range read = rangeOf(input, 0);
    if (read.begin == read.end)
      continue;
    // Outputs lie apart, so that their ends rise too.
    auto output =
        std::ranges::upper_bound(*outputs, read.begin, {}, &Range::end);
    for (; output != outputs->end() && output->begin < read.end; ++output)
      areShared = isShared[output->index] = true;
  }
  if (!areShared)
    return overlaps;
  overlaps = std::make_shared<Overlaps>();
  overlaps->tensors = tensors;
  for (size_t i = 0; i < isShared.size(); ++i) {
    if (!isShared[i])
      continue;
    Result<Tensor> own = Tensor::zeros(*tensors.outputs[i].type);
    if (!own)
      return own.status().prefixed("output '" + program.outputs[i].name +
                                   "', which lies on an input: ");
    overlaps->copies.push_back({own.take(), tensors.outputs[i].data});
    overlaps->tensors.outputs[i].data = overlaps->copies.back().from.data();
  }
  return overlaps;
}

void Overlaps::copyBack() const {
  for (const OutputCopy &copy : copies)
    std::memcpy(copy.to, copy.from.data(), size_t(copy.from.type().bytes()));
}

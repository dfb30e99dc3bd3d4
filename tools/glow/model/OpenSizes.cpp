//===- OpenSizes.cpp - sizes that the model leaves open -------------------===//
// SPDX-License-Identifier: MIT
//
// The batch is 1 by default. One message names all other open sizes, with a
// command line that gives a size to each. The sizes never leave an image of one
// pixel.
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "cli/CommandLine.h"
#include <algorithm>

using namespace glow;
using namespace glow::tool;

Status InputShapes::assumeBatch() {
  for (Binding &binding : bindings) {
    if (!binding.other.empty() || binding.type.shape.size() < 2 ||
        binding.type.shape[0] >= 0 || rangeOf(binding, 0))
      continue;
    const std::string name = dimensionName(binding, 0);
    if (Status status = name.empty() ? Status() : setNamed(name, 1);
        !status.ok())
      return status;
    binding.type.shape[0] = 1;
    note(name.empty() ? "the batch of input '" + binding.name +
                            "' is 1, where --shape says nothing"
                      : "the batch '" + name + "' is 1; --shape " +
                            quotedForShell(name) + "=8 is for 8");
  }
  return Status();
}

/// A size that a model of its kind takes: of pictures, signals or sequences.
static int64_t likelySize(const Binding &input, size_t dimension) {
  const Ints &shape = input.type.shape;
  constexpr int64_t pixels = 224, samples = 512, items = 16;
  if (dimension == 0 && shape.size() > 1)
    return 1;
  if (shape.size() >= 4 && (shape[1] == 1 || shape[1] == 3 ||
                            shape.back() == 1 || shape.back() == 3))
    return pixels;
  return shape.size() <= 2 && isFloat(input.type.kind) ? samples : items;
}

/// " --shape height=224 --shape width=224": by names where there are any, else
/// by inputs.
std::string InputShapes::flagsFor(std::span<const std::string> names) const {
  std::string flags;
  std::map<std::string, int64_t> said;
  for (const std::string &name : names) {
    const Binding &input = *find(name);
    const Ints &shape = input.type.shape;
    if (!input.ranked) {
      flags += " --shape " + quotedForShell(name + "=1x3x224x224");
      continue;
    }
    bool isNamed = true;
    for (size_t d = 0; d < shape.size(); ++d)
      isNamed &= shape[d] >= 0 || !dimensionName(input, d).empty();
    std::string sizes;
    for (size_t d = 0; d < shape.size(); ++d) {
      std::string dimension = dimensionName(input, d);
      int64_t size = shape[d] >= 0 ? shape[d] : likelySize(input, d);
      // The same wherever the name occurs.
      bool isNew = false;
      if (shape[d] < 0 && !dimension.empty()) {
        auto [place, added] = said.emplace(dimension, size);
        size = place->second, isNew = added;
      }
      if (isNamed && isNew)
        flags += " --shape " +
                 quotedForShell(dimension + "=" + std::to_string(size));
      sizes += (d ? "x" : "") + std::to_string(size);
    }
    if (!isNamed)
      flags += " --shape " + quotedForShell(name + "=" + sizes);
  }
  return flags;
}

Status InputShapes::checkKnown(std::span<const std::string> names) const {
  std::string open;
  std::vector<std::string> without;
  for (const std::string &name : names) {
    const Binding &input = *find(name);
    if (!input.other.empty())
      return failure(Code::Unsupported, "input '", name, "' is ", input.other,
                     ", which only a file gives: say --input ", name,
                     "=FILE.pb");
    if (input.ranked && input.type.isStatic())
      continue;
    const Ints &shape = input.type.shape;
    auto isOpen = [&](size_t d) {
      return shape[d] < 0 && !rangeOf(input, d) && !isComputed(input, d);
    };
    bool hasRanges = false, isKnown = input.ranked;
    for (size_t d = 0; d < shape.size(); ++d) {
      hasRanges |= shape[d] < 0;
      isKnown &= !isOpen(d);
    }
    if (hasRanges && isKnown)
      continue;
    if (input.ranked && std::ranges::find_if(shape, [](int64_t size) {
                          return size < 0;
                        }) == shape.end())
      return failure(Code::InvalidArgument, "input '", name, "' is ",
                     input.type.text(), ", which fits in no memory");
    std::string missing;
    for (size_t d = 0; d < shape.size(); ++d)
      if (isOpen(d))
        missing += (missing.empty() ? "" : ", ") +
                   (dimensionName(input, d).empty()
                        ? "dimension " + std::to_string(d)
                        : "'" + dimensionName(input, d) + "'");
    open += (open.empty() ? "" : "; ") + std::string("input '") + name + "' " +
            typeText(input) +
            (input.ranked ? " has no size for " + missing
                          : " has no shape in the model");
    without.push_back(name);
  }
  if (without.empty())
    return Status();
  return failure(Code::InvalidArgument, open, "; give sizes, as ",
                 commandText(), flagsFor(without));
}

Status InputShapes::checkKnown() const {
  std::vector<std::string> names;
  for (const Binding &binding : bindings)
    if (binding.other.empty())
      names.push_back(binding.name);
  return checkKnown(names);
}

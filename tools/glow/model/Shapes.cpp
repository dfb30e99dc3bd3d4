//===- Shapes.cpp - sizes for symbolic dimensions -------------------------===//
// SPDX-License-Identifier: MIT
//
// A size may be given for an input as a whole, or for a name that several
// inputs share. In both cases every dimension of that name takes it. A size
// that contradicts a known size is refused, with the source of the known size.
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "cli/CommandLine.h"
#include "glow/Program/SizeValues.h"
#include "glow/Session/Session.h"
#include <algorithm>
#include <charconv>

using namespace glow;
using namespace glow::tool;

std::string tool::dimensionName(const Binding &binding, size_t dimension) {
  return dimension < binding.dimensions.size() ? binding.dimensions[dimension]
                                               : std::string();
}

std::string tool::typeText(const Binding &binding) {
  if (!binding.other.empty())
    return binding.other;
  std::string sizes = binding.ranked ? "" : "...";
  for (size_t d = 0; d < binding.type.shape.size(); ++d) {
    int64_t size = binding.type.shape[d];
    std::string name = dimensionName(binding, d);
    sizes += d == 0 ? "" : ",";
    sizes += size >= 0 ? std::to_string(size) : name.empty() ? "?" : name;
  }
  return std::string(name(binding.type.kind)) + "[" + sizes + "]";
}

InputShapes::InputShapes(std::vector<Binding> inputs)
    : bindings(std::move(inputs)) {
  for (const Binding &binding : bindings)
    for (const Length &length : binding.lengths)
      if (const SizeVariable *variable = length.variable();
          variable && std::ranges::find(own, *variable) == own.end())
        own.push_back(*variable);
  ranges = own;
}

/// Whether a size is an expression of other sizes of the inputs.
bool InputShapes::isComputed(const Binding &binding, size_t dimension) const {
  return dimension < binding.lengths.size() &&
         !binding.lengths[dimension].variable();
}

const Binding *InputShapes::find(const std::string &name) const {
  auto found = std::find_if(bindings.begin(), bindings.end(),
                            [&](const Binding &b) { return b.name == name; });
  return found == bindings.end() ? nullptr : &*found;
}

/// "1x3x224x224", "4" or "scalar".
static std::optional<Ints> parseSizes(std::string_view text) {
  Ints sizes;
  if (text == "scalar")
    return sizes;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int64_t size;
    auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 0)
      return std::nullopt;
    sizes.push_back(size);
    if (next == end)
      return sizes;
    if (*next != 'x' && *next != ',')
      return std::nullopt;
    at = next + 1;
  }
}

Status InputShapes::noSuchInput(const std::string &name) const {
  std::string names;
  for (const Binding &binding : bindings)
    names +=
        (names.empty() ? "'" : ", '") + binding.name + "' " + typeText(binding);
  return failure(Code::NotFound, "the model has no input named '", name,
                 "'; its inputs are ", names.empty() ? "none" : names);
}

bool InputShapes::hasDimension(const std::string &name) const {
  return std::any_of(
      bindings.begin(), bindings.end(), [&](const Binding &binding) {
        const std::vector<std::string> &names = binding.dimensions;
        return std::find(names.begin(), names.end(), name) != names.end();
      });
}

/// Whether a range has no greatest size, as "8..:8" or "..". It then becomes
/// one that has, of the least size alone.
static bool leavesMost(std::string &range) {
  const size_t dots = range.find(".."), end = dots + 2;
  if (end != range.size() && range[end] != ':')
    return false;
  const std::string by = end == range.size() ? "" : range.substr(end + 1);
  if (dots == 0)
    range.insert(0, by.empty() ? "1" : by);
  range.insert(range.find("..") + 2, range.substr(0, range.find("..")));
  return true;
}

/// The range of a flag: nothing if there is no "..", an error if it is wrong.
static std::optional<Result<SizeVariable>> rangeIn(const std::string &flag) {
  const size_t equals = flag.rfind('=');
  if (equals == flag.npos || flag.find("..", equals) == flag.npos)
    return std::nullopt;
  std::string range = flag.substr(equals + 1);
  const bool isChosen = leavesMost(range);
  if (const size_t colon = range.find(':'); colon != range.npos)
    range.replace(colon, 1, " by ");
  Result<SizeVariable> variable =
      SizeVariable::parse(flag.substr(0, equals) + " = " + range);
  if (!variable)
    return failure(Code::InvalidArgument, "--shape '", flag,
                   "' should be a name and a range, as N=1..16 or S=8..512:8: ",
                   variable.status().message());
  if (isChosen)
    variable->high = chosenSize;
  return variable;
}

std::vector<SizeVariable>
tool::rangesOf(const std::vector<std::string> &flags) {
  std::vector<SizeVariable> ranges;
  for (const std::string &flag : flags)
    if (std::optional<Result<SizeVariable>> range = rangeIn(flag);
        range && *range)
      ranges.push_back(range->take());
  return ranges;
}

const SizeVariable *InputShapes::rangeOf(const Binding &binding,
                                         size_t dimension) const {
  const std::string name = sizeName(binding, dimension);
  auto found = std::find_if(
      ranges.begin(), ranges.end(),
      [&](const SizeVariable &range) { return range.name == name; });
  return found == ranges.end() ? nullptr : &*found;
}

Status InputShapes::addRange(const SizeVariable &range) {
  bool isFound = false;
  for (const Binding &binding : bindings)
    for (size_t d = 0; d < binding.type.shape.size(); ++d) {
      if (sizeName(binding, d) != range.name)
        continue;
      isFound = true;
      if (const int64_t known = binding.type.shape[d]; known >= 0)
        return failure(Code::InvalidArgument, "'", range.name,
                       "' has the range ", range.low, " to ", range.high,
                       ", but it is ", known, " already");
    }
  // The compiler knows outputs of nodes: "y.0" is a size of one.
  const size_t point = range.name.rfind('.');
  const bool mayBeOfNode =
      point != range.name.npos && !find(range.name.substr(0, point));
  if (!isFound && !mayBeOfNode)
    return noSuchInput(range.name);
  // A flag replaces the range of the model.
  std::erase_if(ranges, [&](const SizeVariable &known) {
    return known.name == range.name &&
           std::ranges::find(own, known) != own.end();
  });
  for (const SizeVariable &other : ranges)
    if (other.name == range.name)
      return failure(Code::InvalidArgument, "'", range.name,
                     "' has two ranges");
  ranges.push_back(range);
  return Status();
}

Status InputShapes::setLargest() {
  for (Binding &binding : bindings)
    for (size_t d = 0; d < binding.type.shape.size(); ++d) {
      const SizeVariable *range = rangeOf(binding, d);
      if (!range || binding.type.shape[d] >= 0)
        continue;
      // The compiler will choose at least that.
      const int64_t most = range->high == chosenSize
                               ? std::max<int64_t>(range->low, range->multiple)
                               : range->high;
      binding.type.shape[d] = most;
      if (const std::string name = dimensionName(binding, d); !name.empty())
        if (Status status = setNamed(name, most); !status.ok())
          return status;
    }
  setComputed();
  return Status();
}

/// Computes the sizes that follow from others.
void InputShapes::setComputed() {
  auto valueOf = [&](const SizeVariable &variable) {
    for (const Binding &binding : bindings)
      for (size_t d = 0; d < binding.type.shape.size(); ++d)
        if (sizeName(binding, d) == variable.name)
          return binding.type.shape[d];
    return variable.high;
  };
  for (Binding &binding : bindings)
    for (size_t d = 0; d < binding.type.shape.size(); ++d)
      if (binding.type.shape[d] < 0 && isComputed(binding, d))
        binding.type.shape[d] = binding.lengths[d].at(valueOf);
}

std::vector<SizeVariable> InputShapes::sizes() const {
  std::vector<SizeVariable> sizes = ranges;
  if (sizes.empty())
    return sizes;
  // One size replaces the range of the model.
  for (const Binding &binding : bindings)
    for (size_t d = 0; d < binding.type.shape.size(); ++d)
      if (binding.type.shape[d] >= 0)
        std::erase_if(sizes, [&](const SizeVariable &one) {
          return one.name == sizeName(binding, d) &&
                 std::ranges::find(own, one) != own.end();
        });
  for (const Binding &binding : bindings)
    for (size_t d = 0; d < binding.type.shape.size(); ++d) {
      const int64_t size = binding.type.shape[d];
      const std::string name = dimensionName(binding, d);
      auto isIt = [&](const SizeVariable &one) { return one.name == name; };
      if (size >= 0 && !name.empty() &&
          std::none_of(sizes.begin(), sizes.end(), isIt))
        sizes.push_back({name, size, size});
    }
  return sizes;
}

static void sayFixed(const std::string &flag, const Binding &binding) {
  note("--shape '" + flag + "' changes nothing: input '" + binding.name +
       "' is " + typeText(binding) + " already");
}

Status InputShapes::applyFlag(const std::string &flag) {
  if (std::optional<Result<SizeVariable>> range = rangeIn(flag))
    return *range ? addRange(**range).prefixed("--shape: ") : range->status();
  // From the right: names may have an equals sign, sizes have none.
  size_t equals = flag.rfind('=');
  bool named = equals != std::string::npos;
  std::string name = named ? flag.substr(0, equals) : "";
  std::optional<Ints> sizes =
      parseSizes(std::string_view(flag).substr(named ? equals + 1 : 0));
  if (!sizes)
    return failure(Code::InvalidArgument, "--shape '", flag,
                   "' should be a name and sizes, as input=1x3x224x224");
  // The only input needs no name.
  if (!named && bindings.size() == 1)
    name = bindings[0].name;
  if (Binding *binding = const_cast<Binding *>(find(name))) {
    const bool wasFixed = binding->ranked && binding->type.isStatic();
    Status status = take(*binding, *sizes, shapeText(*sizes));
    if (status.ok() && wasFixed && !binding->anyShape)
      sayFixed(flag, *binding);
    return status.prefixed("--shape: ");
  }
  if (!name.empty() && hasDimension(name) && sizes->size() == 1)
    return setNamed(name, sizes->front()).prefixed("--shape: ");
  return noSuchInput(name).prefixed("--shape: ");
}

Status InputShapes::apply(const std::vector<std::string> &flags) {
  for (const std::string &flag : flags)
    if (Status status = applyFlag(flag); !status.ok())
      return status;
  return Status();
}

Status InputShapes::setNamed(const std::string &dimension, int64_t size) {
  for (Binding &binding : bindings)
    for (size_t d = 0; d < binding.type.shape.size(); ++d) {
      if (dimensionName(binding, d) != dimension)
        continue;
      int64_t &known = binding.type.shape[d];
      if (known >= 0 && known != size)
        return failure(Code::ShapeMismatch, "dimension '", dimension, "' is ",
                       size, ", but it is ", known, " already");
      known = size;
    }
  return Status();
}

/// Whether `shape` is of the binding's rank and agrees with its known sizes.
static bool agrees(const Binding &binding, const Ints &shape) {
  const Ints &known = binding.type.shape;
  return !binding.ranked ||
         std::equal(known.begin(), known.end(), shape.begin(), shape.end(),
                    [](int64_t size, int64_t given) {
                      return size < 0 || size == given;
                    });
}

/// ", where 'N' is 2 in input 'x'" for sizes that came from other inputs.
std::string InputShapes::origins(const Binding &binding) const {
  std::string text;
  for (const std::string &dimension : binding.dimensions)
    if (auto source = sources.find(dimension);
        source != sources.end() && source->second != binding.name)
      text +=
          ", where '" + dimension + "' is from input '" + source->second + "'";
  return text;
}

Status InputShapes::take(Binding &binding, const Ints &shape,
                         const std::string &text) {
  bool fits = agrees(binding, shape);
  if (!fits && !binding.anyShape)
    return failure(Code::ShapeMismatch, "input '", binding.name, "' is ", text,
                   ", it should be ", typeText(binding), origins(binding));
  // All of the shape is new: the names that the model had for its dimensions
  // mean nothing any more.
  if (!fits || !binding.ranked) {
    binding.type.shape = shape;
    binding.dimensions.clear();
    binding.ranked = true;
    return Status();
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    if (binding.type.shape[d] >= 0)
      continue;
    binding.type.shape[d] = shape[d];
    std::string name = dimensionName(binding, d);
    if (name.empty())
      continue;
    sources.emplace(name, binding.name);
    if (Status status = setNamed(name, shape[d]); !status.ok())
      return status.prefixed("input '" + binding.name + "': ");
  }
  return Status();
}

Status InputShapes::setType(const std::string &input, const TensorType &type) {
  Binding *binding = const_cast<Binding *>(find(input));
  if (!binding)
    return noSuchInput(input);
  if (!binding->other.empty()) // an optional may be a tensor
    return Status();
  if (type.kind != binding->type.kind)
    return failure(Code::ShapeMismatch, "input '", input, "' is ", type.text(),
                   ", it should be ", typeText(*binding));
  return take(*binding, type.shape, type.text());
}

Status InputShapes::setBatch(int64_t size) {
  for (Binding &binding : bindings) {
    Ints shape = binding.type.shape;
    if (shape.empty() || shape[0] >= 0 || rangeOf(binding, 0))
      continue;
    if (std::string name = dimensionName(binding, 0); !name.empty()) {
      if (Status status = setNamed(name, size); !status.ok())
        return status;
    }
    binding.type.shape[0] = size;
  }
  return Status();
}

Status InputShapes::checkBatch(int64_t size) const {
  std::string fixed;
  for (const Binding &binding : bindings) {
    const Ints &shape = binding.type.shape;
    // One is enough: other inputs may have no batch.
    if (!shape.empty() && shape[0] == size)
      return Status();
    fixed +=
        (fixed.empty() ? "'" : ", '") + binding.name + "' " + typeText(binding);
  }
  return failure(Code::ShapeMismatch, "no input takes a batch of ", size,
                 ": the inputs are ", fixed.empty() ? "none" : fixed);
}

std::map<std::string, Ints> InputShapes::known() const {
  std::map<std::string, Ints> shapes;
  // With ranges, `sizes` gives named sizes.
  auto isBySizes = [&](const Binding &binding) {
    return !ranges.empty() &&
           std::ranges::any_of(binding.dimensions, [](const std::string &name) {
             return !name.empty();
           });
  };
  for (const Binding &binding : bindings)
    if (binding.other.empty() && binding.ranked && binding.type.isStatic() &&
        !isBySizes(binding))
      shapes[binding.name] = binding.type.shape;
  return shapes;
}

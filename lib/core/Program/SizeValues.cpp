//===- SizeValues.cpp - sizes in a run ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/SizeValues.h"
#include <algorithm>

using namespace glow;

namespace {

/// Joins the mistakes of a run into one message.
class Mistakes {
public:
  template <typename... T> void add(const T &...parts) {
    add(failure(Code::ShapeMismatch, parts...));
  }
  void add(const Status &one) {
    if (!one.ok())
      text += (text.empty() ? "" : "; ") + one.message();
  }
  Status status() const {
    return text.empty() ? Status() : Status(Code::ShapeMismatch, text);
  }

private:
  std::string text;
};

} // namespace

const int64_t *SizeValues::find(std::string_view name) const {
  for (const auto &[known, value] : values)
    if (known == name)
      return &value;
  return nullptr;
}

Status SizeValues::bind(const std::vector<Binding> &inputs,
                        std::span<const TensorView> tensors) {
  Mistakes mistakes;
  auto visit = [&](const auto &each) {
    for (size_t i = 0; i < inputs.size() && i < tensors.size(); ++i) {
      const Binding &input = inputs[i];
      const TensorType *type = tensors[i].type;
      if (input.lengths.empty() || !type)
        continue;
      if (type->shape.size() != input.lengths.size())
        continue; // reported with the type
      for (size_t dim = 0; dim < input.lengths.size(); ++dim)
        each(input, dim, type->shape[dim]);
    }
  };
  values.clear();
  // All variables first: an expression may stand before its variables.
  visit([&](const Binding &input, size_t dim, int64_t size) {
    const SizeVariable *variable = input.lengths[dim].variable();
    if (!variable)
      return;
    const int64_t *known = find(variable->name);
    const bool isNew = !known;
    if (known && *known != size)
      mistakes.add("dimension ", dim, " of input '", input.name, "' is ", size,
                   ", but '", variable->name, "' is ", *known,
                   " in an input before");
    if (isNew)
      values.emplace_back(variable->name, size);
    if (isNew && (size < variable->low || size > variable->high))
      mistakes.add("dimension ", dim, " of input '", input.name, "' is ", size,
                   ", but ", rangeText(*variable));
    else if (isNew && size % variable->multiple != 0)
      mistakes.add("dimension ", dim, " of input '", input.name, "' is ", size,
                   ", but ", multipleText(*variable));
  });
  visit([&](const Binding &input, size_t dim, int64_t size) {
    const Length &length = input.lengths[dim];
    if (length.variable())
      return;
    if (length.isFixed()) {
      if (length.fixed() != size)
        mistakes.add("dimension ", dim, " of input '", input.name, "' is ",
                     size, ", it should be ", length.fixed());
      return;
    }
    bool isKnown = true;
    length.visitVariables([&](const SizeVariable &variable) {
      isKnown &= find(variable.name) != nullptr;
    });
    if (isKnown && at(length) != size)
      mistakes.add("dimension ", dim, " of input '", input.name, "' is ", size,
                   ", but ", length.text(), " is ", at(length));
  });
  return mistakes.status();
}

Status SizeValues::set(const SizeVariable &variable, int64_t value) {
  if (value < variable.low || value > variable.high)
    return failure(Code::ShapeMismatch, "the size is ", value,
                   ", but should be from ", variable.low, " to ",
                   variable.high);
  for (auto &[name, known] : values)
    if (name == variable.name) {
      known = value;
      return Status();
    }
  values.emplace_back(variable.name, value);
  return Status();
}

void SizeValues::adopt(const SizeValues &other) {
  for (const auto &[name, value] : other.values)
    if (!find(name))
      values.emplace_back(name, value);
}

Status SizeValues::check(const std::vector<SizeCondition> &conditions) const {
  Mistakes mistakes;
  for (const SizeCondition &condition : conditions)
    if (!condition.holds(at(condition.left), at(condition.right)))
      mistakes.add("sizes ", text(), ": ", needText(condition));
  return mistakes.status();
}

void SizeValues::set(std::string_view name, int64_t value) {
  for (auto &[known, size] : values)
    if (known == name)
      size = value;
}

bool SizeValues::equalsBut(std::string_view name,
                           const SizeValues &other) const {
  return std::ranges::equal(
      values, other.values, [&](const auto &one, const auto &two) {
        return one.first == two.first &&
               (one.second == two.second || one.first == name);
      });
}

int64_t SizeValues::at(const SizeVariable &variable) const {
  const int64_t *value = find(variable.name);
  return value ? *value : variable.high;
}

int64_t SizeValues::at(const Length &length) const {
  if (length.isFixed())
    return length.fixed();
  if (const SizeVariable *variable = length.variable())
    return at(*variable);
  return length.at([&](const SizeVariable &variable) { return at(variable); });
}

Ints SizeValues::at(const std::vector<Length> &lengths) const {
  Ints result;
  result.reserve(lengths.size());
  for (const Length &length : lengths)
    result.push_back(at(length));
  return result;
}

TensorType SizeValues::typeOf(const TensorType &extents,
                              const std::vector<Length> &lengths) const {
  return lengths.empty() ? extents : TensorType{extents.kind, at(lengths)};
}

std::string SizeValues::text() const {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

std::string glow::rangeText(const SizeVariable &variable) {
  return "'" + variable.name + "' should be from " +
         std::to_string(variable.low) + " to " + std::to_string(variable.high);
}

std::string glow::multipleText(const SizeVariable &variable) {
  return "'" + variable.name + "' should be a multiple of " +
         std::to_string(variable.multiple);
}

std::string glow::needText(const SizeCondition &condition) {
  return "the program needs " + condition.text() +
         (condition.label.empty() ? "" : " [" + condition.label + "]");
}

std::vector<TensorView> glow::typedViews(std::span<const TensorType> types) {
  std::vector<TensorView> views;
  views.reserve(types.size());
  for (const TensorType &type : types)
    views.push_back({nullptr, &type});
  return views;
}

std::string glow::openTypeText(const Binding &binding) {
  if (binding.lengths.empty())
    return binding.type.text();
  std::string text;
  for (const Length &length : binding.lengths)
    text += (text.empty() ? "" : ",") + length.text();
  return std::string(name(binding.type.kind)) + "[" + text + "]";
}

Result<SizeValues> glow::sizesOf(const Program &program,
                                 std::span<const TensorView> inputs) {
  Mistakes mistakes;
  for (size_t i = 0; i < program.inputs.size() && i < inputs.size(); ++i) {
    const Binding &input = program.inputs[i];
    const TensorType *type = inputs[i].type;
    if (type && (input.lengths.empty()
                     ? *type != input.type
                     : type->kind != input.type.kind ||
                           type->shape.size() != input.lengths.size()))
      mistakes.add("input '", input.name, "' is ", type->text(),
                   ", it should be ", openTypeText(input));
  }
  const bool isTyped = mistakes.status().ok();
  SizeValues sizes;
  mistakes.add(sizes.bind(program.inputs, inputs));
  if (isTyped) // otherwise a variable may have no value
    mistakes.add(sizes.check(program.conditions));
  if (Status status = mistakes.status(); !status.ok())
    return status;
  return sizes;
}

Result<std::vector<TensorType>>
glow::outputTypes(const Program &program, std::span<const TensorView> inputs) {
  Result<SizeValues> sizes = sizesOf(program, inputs);
  if (!sizes)
    return sizes.status();
  std::vector<TensorType> types;
  types.reserve(program.outputs.size());
  for (const Binding &output : program.outputs)
    types.push_back(sizes->typeOf(output.type, output.lengths));
  return types;
}

void glow::addCondition(std::vector<SizeCondition> &conditions,
                        SizeCondition condition) {
  auto same = std::find(conditions.begin(), conditions.end(), condition);
  if (same == conditions.end())
    conditions.push_back(std::move(condition));
  else if (same->label.empty())
    same->label = std::move(condition.label);
}

std::string glow::sizeName(const Binding &binding, size_t dimension) {
  if (dimension < binding.dimensions.size() &&
      !binding.dimensions[dimension].empty())
    return binding.dimensions[dimension];
  return binding.name + "." + std::to_string(dimension);
}

bool glow::hasLengths(const std::vector<Binding> &bindings) {
  return std::any_of(
      bindings.begin(), bindings.end(),
      [](const Binding &binding) { return !binding.lengths.empty(); });
}

std::vector<Binding> glow::symbolicBindings(std::vector<Binding> bindings) {
  for (Binding &binding : bindings) {
    for (size_t dim = 0; dim < binding.lengths.size(); ++dim)
      if (!binding.lengths[dim].isFixed())
        binding.type.shape[dim] = -1;
    binding.lengths.clear();
  }
  return bindings;
}

//===- LengthTable.cpp - sizes of buffers and lists in runs ---------------===//
// SPDX-License-Identifier: MIT

#include "LengthTable.h"
#include <algorithm>

using namespace glow;

LengthTable::LengthTable(const StepCode &code) {
  for (uint32_t i = 0; i < code.buffers.size(); ++i) {
    const std::vector<Length> &of = code.buffers[i].lengths;
    for (uint32_t axis = 0; axis < of.size(); ++axis)
      if (!of[axis].isFixed())
        dimensions.push_back({i, axis, numberOf(of[axis])});
  }
  for (uint32_t i = 0; i < code.steps.size(); ++i)
    for (const LengthList &list : code.steps[i].lists)
      for (uint32_t index = 0; index < list.lengths.size(); ++index)
        elements.push_back(
            {i, list.attribute, index, numberOf(list.lengths[index])});
}

uint32_t LengthTable::numberOf(const Length &length) {
  auto known = std::ranges::find(lengths, length);
  if (known == lengths.end())
    known = lengths.insert(known, length);
  return uint32_t(known - lengths.begin());
}

std::vector<TensorType> LengthTable::types(const StepCode &code) {
  std::vector<TensorType> types;
  for (const BufferPlace &buffer : code.buffers)
    types.push_back(buffer.type);
  return types;
}

std::vector<std::vector<AttributeValue>>
LengthTable::lists(const StepCode &code) {
  std::vector<std::vector<AttributeValue>> lists(code.steps.size());
  for (size_t i = 0; i < code.steps.size(); ++i) {
    const Step &step = code.steps[i];
    if (step.lists.empty())
      continue;
    lists[i] = step.attributes;
    for (const LengthList &list : step.lists)
      lists[i][list.attribute] = Ints(list.lengths.size());
  }
  return lists;
}

void LengthTable::set(const SizeValues &sizes, Ints &values,
                      std::vector<TensorType> &types,
                      std::vector<std::vector<AttributeValue>> &lists) const {
  values.resize(lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i)
    values[i] = sizes.at(lengths[i]);
  for (const Dimension &one : dimensions)
    types[one.buffer].shape[one.axis] = values[one.length];
  for (const Element &one : elements)
    std::get<Ints>(lists[one.step][one.attribute])[one.index] =
        values[one.length];
}

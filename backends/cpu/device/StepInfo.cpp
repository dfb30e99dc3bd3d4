//===- StepInfo.cpp - description of a step -------------------------------===//
// SPDX-License-Identifier: MIT

#include "StepInfo.h"

using namespace glow;
using namespace glow::cpu;

const int64_t *OwnedStepInfo::keep(Ints list) {
  lists.push_back(std::move(list));
  return lists.back().data();
}

OwnedStepInfo::OwnedStepInfo(const Step &step,
                             const std::vector<BufferPlace> &buffers) {
  for (uint32_t buffer : step.buffers)
    addShape(buffers[buffer].type, keep(buffers[buffer].type.shape));
  addAttributes(step.attributes, /*areKept=*/false);
  finish(step);
}

OwnedStepInfo::OwnedStepInfo(const Step &step,
                             std::span<const TensorType> types,
                             std::span<const AttributeValue> attributes,
                             const int64_t *sizes) {
  for (uint32_t buffer : step.buffers)
    addShape(types[buffer], types[buffer].shape.data());
  addAttributes(attributes, /*areKept=*/true);
  finish(step);
  info.sizes = sizes;
}

void OwnedStepInfo::addShape(const TensorType &type, const int64_t *sizes) {
  shapes.push_back({sizes, int64_t(type.shape.size()), int64_t(type.kind)});
}

void OwnedStepInfo::addAttributes(std::span<const AttributeValue> values,
                                  bool areKept) {
  for (const AttributeValue &value : values) {
    Attribute attribute{};
    if (auto *list = std::get_if<Ints>(&value)) {
      attribute.ints = areKept ? list->data() : keep(*list);
      attribute.count = int64_t(list->size());
    } else if (auto *list = std::get_if<Reals>(&value)) {
      attribute.reals = reals.emplace_back(*list).data();
      attribute.count = int64_t(list->size());
    } else if (auto *text = std::get_if<std::string>(&value)) {
      attribute.text = texts.emplace_back(*text).c_str();
      attribute.count = int64_t(text->size());
    } else if (auto *real = std::get_if<double>(&value)) {
      attribute.real = *real;
    } else if (auto *integer = std::get_if<int64_t>(&value)) {
      attribute.integer = *integer;
    } else if (auto *flag = std::get_if<bool>(&value)) {
      attribute.integer = *flag;
    } else {
      attribute.integer = int64_t(std::get<ElementKind>(value));
    }
    attributes.push_back(attribute);
  }
}

void OwnedStepInfo::finish(const Step &step) {
  info = {shapes.data(), attributes.data(),
          keep(Ints(step.segments.begin(), step.segments.end())),
          int64_t(step.buffers.size())};
}

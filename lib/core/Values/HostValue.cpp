//===- HostValue.cpp - values between nodes of a graph --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Values/HostValue.h"

using namespace glow;

template <typename T>
Result<HostValue> HostValue::counted(T value, uint64_t bytes) {
  Result<MemoryBudget::Share> share = MemoryBudget::take(bytes);
  if (!share)
    return share.status();
  struct Kept {
    T value;
    MemoryBudget::Share share;
  };
  auto kept = std::make_shared<Kept>(Kept{std::move(value), share.take()});
  HostValue result;
  result.held = std::shared_ptr<const T>(kept, &kept->value);
  return result;
}

Result<HostValue> HostValue::counted(Strings strings) {
  uint64_t bytes = sizeof(Strings);
  for (const std::string &text : strings.elements)
    bytes += bytesOf(text);
  return counted<Strings>(std::move(strings), bytes);
}

Result<HostValue> HostValue::counted(Sequence sequence) {
  uint64_t bytes = sizeof(Sequence) + sequence.size() * sizeof(HostValue);
  return counted<Sequence>(std::move(sequence), bytes);
}

HostValue HostValue::emptySequence(int64_t dataType) {
  HostValue value{Sequence()};
  value.ofElements = dataType;
  return value;
}

int64_t HostValue::dataType() const {
  if (const Tensor *found = tensor())
    return onnxDataType(found->type().kind);
  if (strings())
    return onnxStrings;
  const Sequence *found = sequence();
  return found && !found->empty() ? found->front().dataType() : ofElements;
}

bool glow::isOfKind(const HostValue &value, const HostValue &other) {
  const Tensor *tensor = value.tensor(), *like = other.tensor();
  if (tensor && like)
    return tensor->type().kind == like->type().kind;
  return (value.strings() && other.strings()) ||
         (value.sequence() && other.sequence()) || (value.map() && other.map());
}

int64_t glow::countOf(const HostValue &value) {
  if (value.tensor())
    return value.tensor()->type().elements();
  return value.strings() ? int64_t(value.strings()->elements.size()) : -1;
}

std::string HostValue::text() const {
  if (const Tensor *found = tensor())
    return found->type().text();
  if (const Sequence *found = sequence())
    return "a sequence of " + std::to_string(found->size());
  if (const Map *found = map())
    return "a map of " + std::to_string(found->size());
  const Strings *found = strings();
  if (!found)
    return "nothing";
  std::string sizes;
  for (int64_t size : found->shape)
    sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  return "strings[" + sizes + "]";
}

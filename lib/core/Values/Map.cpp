//===- Map.cpp - maps from keys to values ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Values/HostValue.h"
#include "glow/Values/Texts.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace glow;

int64_t Map::size() const { return countOf(keys); }

HostValue::HostValue(Map map)
    : held(std::make_shared<const Map>(std::move(map))) {}

Result<HostValue> glow::elementsOr(const HostValue &value, const Ints &places,
                                   Ints shape, const HostValue &other) {
  if (const Strings *strings = value.strings()) {
    TextList texts;
    const std::string missing =
        other.strings() ? other.strings()->elements.front() : "";
    for (int64_t place : places)
      if (Status status =
              texts.add(place < 0 ? missing : strings->elements[size_t(place)]);
          !status.ok())
        return status;
    return HostValue::counted(Strings{std::move(shape), texts.take()});
  }
  const ElementKind kind = value.tensor()->type().kind;
  Result<Tensor> result = Tensor::zeros({kind, std::move(shape)});
  if (!result)
    return result.status();
  const size_t bytes = byteSize(kind);
  auto *to = static_cast<char *>(result->data());
  auto *from = static_cast<const char *>(value.tensor()->data());
  const void *missing = other.tensor() ? other.tensor()->data() : nullptr;
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0)
      std::memcpy(to + i * bytes, from + size_t(places[i]) * bytes, bytes);
    else if (missing)
      std::memcpy(to + i * bytes, missing, bytes);
  return HostValue(result.take());
}

Result<HostValue> glow::elementsAt(const HostValue &value, const Ints &places,
                                   Ints shape) {
  const int64_t count = countOf(value);
  for (int64_t place : places)
    if (place < 0 || place >= count)
      return failure(Code::InvalidArgument, "element ", place, " of ",
                     value.text(), " is not there");
  return elementsOr(value, places, std::move(shape), HostValue());
}

/// The elements at the given indices, as a list.
static Result<HostValue> listAt(const HostValue &value, const Ints &places) {
  return elementsOr(value, places, {int64_t(places.size())}, HostValue());
}

/// The indices of keys in rising order.
template <typename Key> static Result<Ints> orderOf(std::span<const Key> keys) {
  Ints order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  auto keyAt = [&](int64_t place) -> const Key & {
    return keys[size_t(place)];
  };
  std::ranges::sort(order, {}, keyAt);
  auto twice = std::ranges::adjacent_find(order, {}, keyAt);
  if (twice != order.end())
    return failure(Code::InvalidArgument, "key '", keyAt(*twice),
                   "' is there twice");
  return order;
}

Result<Map> Map::of(const HostValue &keys, const HostValue &values) {
  const Tensor *numbers = keys.tensor();
  const bool known =
      keys.strings() || (numbers && numbers->type().kind == ElementKind::I64);
  if (!known || countOf(keys) != countOf(values))
    return failure(Code::InvalidArgument, "keys ", keys.text(), " and values ",
                   values.text(), " make no map");
  Result<Ints> order =
      numbers ? orderOf(numbers->elements<int64_t>())
              : orderOf(std::span<const std::string>(keys.strings()->elements));
  if (!order)
    return order.status();
  Result<HostValue> sorted = listAt(keys, *order);
  Result<HostValue> its = sorted ? listAt(values, *order) : sorted.status();
  if (!its)
    return its.status();
  return Map{sorted.take(), its.take()};
}

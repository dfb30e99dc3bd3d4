//===- Slices.cpp - parts of tensors, and tensors of parts ----------------===//
// SPDX-License-Identifier: MIT

#include "Slices.h"
#include <cstring>
#include <numeric>

using namespace glow;

Result<int64_t> glow::resolveAxis(int64_t axis, int64_t rank) {
  int64_t resolved = axis < 0 ? axis + rank : axis;
  if (resolved >= 0 && resolved < rank)
    return resolved;
  return failure(Code::InvalidArgument, "axis is ", axis, ", but there are ",
                 rank, " axes");
}

Status glow::checkPlaces(int64_t size) {
  constexpr int64_t most = int64_t(1) << 28;
  constexpr uint64_t lists = 8;
  if (size <= most)
    return MemoryBudget::check(uint64_t(size) * sizeof(int64_t) * lists);
  return failure(Code::OutOfMemory, "an axis has ", size,
                 " places, more than the ", most, " that are supported");
}

AxisView glow::aroundAxis(const TensorType &type, int64_t axis) {
  AxisView view;
  view.inner = byteSize(type.kind);
  view.size = type.shape[size_t(axis)];
  for (size_t i = 0; i < type.shape.size(); ++i)
    if (int64_t(i) < axis)
      view.outer *= type.shape[i];
    else if (int64_t(i) > axis)
      view.inner *= uint64_t(type.shape[i]);
  return view;
}

Result<Tensor> glow::slicesAt(TensorView tensor, int64_t axis,
                              const Ints &places) {
  TensorType type = *tensor.type;
  AxisView from = aroundAxis(type, axis);
  type.shape[size_t(axis)] = int64_t(places.size());
  Result<Tensor> result = Tensor::zeros(type);
  if (!result || !type.bytes())
    return result;
  auto *to = static_cast<char *>(result->data());
  auto *data = static_cast<const char *>(tensor.data);
  for (int64_t outer = 0; outer < from.outer; ++outer)
    for (int64_t place : places) {
      std::memcpy(to, data + uint64_t(outer * from.size + place) * from.inner,
                  from.inner);
      to += from.inner;
    }
  return result;
}

Result<Tensor> glow::sliceOf(const Tensor &tensor, int64_t axis, int64_t start,
                             int64_t count, bool keep) {
  Ints places(size_t(count), 0);
  std::iota(places.begin(), places.end(), start);
  Result<Tensor> result = slicesAt(tensor.view(), axis, places);
  if (!result || keep || count != 1)
    return result;
  Ints shape = result->type().shape;
  shape.erase(shape.begin() + axis);
  Status status = result->reshape(shape);
  return status.ok() ? std::move(result) : Result<Tensor>(status);
}

/// The type of the concatenation: `axis` has the sum of all sizes.
static Result<TensorType> typeOfAll(const HostValue::Sequence &values,
                                    int64_t axis) {
  TensorType type;
  int64_t size = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor *tensor = values[i].tensor();
    if (!tensor)
      return failure(Code::InvalidArgument, "element ", i, " is ",
                     values[i].text(), ", it should be a tensor");
    TensorType other = tensor->type();
    if (axis >= int64_t(other.shape.size()))
      return failure(Code::InvalidArgument, "element ", i, " is ", other.text(),
                     ", which has no axis ", axis);
    if (__builtin_add_overflow(size, other.shape[size_t(axis)], &size))
      return failure(Code::OutOfMemory, "the result would have more slices "
                                        "than fit in 63 bits");
    other.shape[size_t(axis)] = 0;
    if (i && other != type)
      return failure(Code::ShapeMismatch, "element ", i, " is ",
                     tensor->type().text(),
                     ", which does not go with element 0, ",
                     values[0].tensor()->type().text());
    type = std::move(other);
  }
  type.shape[size_t(axis)] = size;
  return type;
}

/// Concatenates the parts of all values at each of `outer` positions.
static Result<Tensor> joined(const HostValue::Sequence &values,
                             const TensorType &type, int64_t outer) {
  Result<Tensor> result = Tensor::zeros(type);
  if (!result || !type.bytes())
    return result;
  auto *to = static_cast<char *>(result->data());
  for (int64_t i = 0; i < outer; ++i)
    for (const HostValue &value : values) {
      const Tensor &tensor = *value.tensor();
      uint64_t bytes = tensor.type().bytes() / uint64_t(outer);
      if (!bytes)
        continue;
      std::memcpy(
          to, static_cast<const char *>(tensor.data()) + uint64_t(i) * bytes,
          bytes);
      to += bytes;
    }
  return result;
}

Result<Tensor> glow::concatenated(const HostValue::Sequence &values,
                                  int64_t axis) {
  if (values.empty())
    return Tensor();
  Result<TensorType> type = typeOfAll(values, axis);
  if (!type)
    return type.status();
  return joined(values, *type, aroundAxis(*type, axis).outer);
}

Result<Tensor> glow::stacked(const HostValue::Sequence &values, int64_t axis) {
  if (values.empty())
    return Tensor();
  TensorType type;
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor *tensor = values[i].tensor();
    if (!tensor)
      return failure(Code::InvalidArgument, "element ", i, " is ",
                     values[i].text(), ", it should be a tensor");
    if (i && tensor->type() != type)
      return failure(Code::ShapeMismatch, "element ", i, " is ",
                     tensor->type().text(),
                     ", which does not go with element 0, ", type.text());
    type = tensor->type();
  }
  Result<int64_t> at = resolveAxis(axis, int64_t(type.shape.size()) + 1);
  if (!at)
    return at.status();
  type.shape.insert(type.shape.begin() + *at, int64_t(values.size()));
  return joined(values, type, aroundAxis(type, *at).outer);
}

//===- Indexing.cpp - elements at places that other tensors tell ----------===//

#include "KernelSupport.h"
#include <cstring>

namespace glow::kernels {

/// Adds `coordinates` of `indices`, the `row`th, to `at`. False if one of them
/// is out of range; negative ones count from the end.
static bool walk(Position &at, const TensorView &indices, int64_t row,
                 int64_t coordinates) {
  for (int64_t j = 0; j < coordinates; ++j) {
    int64_t index = loadInteger(indices, row * coordinates + j);
    at.step(index < 0 ? index + *at.dims : index);
  }
  return at.inside;
}

static int64_t product(std::span<const int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

Status gatherND(const KernelCall &call) {
  Operands operands(call);
  const TensorView &out = operands.view(0), &in = operands.view(1),
                   &indices = operands.view(2);
  std::span shape(in.type->shape), places(indices.type->shape);
  size_t batchRank = size_t(operands.attribute<int64_t>(0));
  int64_t coordinates = places.back();
  int64_t batches = product(places.first(batchRank));
  int64_t rows = product(places.first(places.size() - 1));
  int64_t bytes = product(shape.subspan(batchRank + size_t(coordinates))) *
                  int64_t(byteSize(in.type->kind));
  for (int64_t row = 0; row < rows; ++row) {
    Position at(*in.type);
    at.dims += batchRank;
    at.offset = row / (rows / batches);
    if (!walk(at, indices, row, coordinates))
      return outOfRange("in", at);
    if (bytes)
      std::memcpy(static_cast<char *>(out.data) + row * bytes,
                  static_cast<const char *>(in.data) + at.offset * bytes,
                  size_t(bytes));
  }
  return Status();
}

template <typename T> static bool holds(int64_t mode, T value, T bound) {
  return mode == 1   ? value <= bound
         : mode == 2 ? value < bound
         : mode == 3 ? value >= bound
         : mode == 4 ? value > bound
         : mode == 5 ? value == bound
                     : value != bound;
}

/// Whether the value of a row goes to `whenTrue` at node `at`.
template <typename T>
static bool branches(const Operands &operands, int64_t at, T element) {
  auto value = load(element);
  if (value != value && operands.data<const int64_t>(7)[at] != 0)
    return true;
  int64_t mode = operands.data<const int64_t>(4)[at];
  auto *bounds = operands.data<const T>(3);
  if (mode != 7)
    return holds(mode, value, load(bounds[at]));
  if (!operands.has(9) || !operands.has(10))
    return false;
  int64_t count = operands.view(9).type->shape[0];
  auto *sets = operands.data<const T>(9);
  for (int64_t i = std::max<int64_t>(operands.data<const int64_t>(10)[at], 0);
       i < count && load(sets[i]) == load(sets[i]); ++i)
    if (load(sets[i]) == value)
      return true;
  return false;
}

/// Fails when a number of a tree leads out of it, or in circles.
template <typename T> static Status findLeaves(const Operands &operands) {
  std::span sizes(operands.view(1).type->shape);
  int64_t nodes = operands.view(2).type->shape[0];
  int64_t roots = operands.view(8).type->shape[0];
  auto *out = operands.data<int64_t>(0);
  auto *in = operands.data<const T>(1);
  auto column = [&](size_t i) { return operands.data<const int64_t>(i); };
  for (int64_t i = 0; i < sizes[0] * roots; ++i) {
    const T *row = in + i / roots * sizes[1];
    int64_t at = column(8)[i % roots], steps = 0;
    while (true) {
      if (at < 0 || at >= nodes || steps++ > nodes)
        return failure(Code::InvalidArgument, "a tree leads to node ", at,
                       " of ", nodes, at < nodes ? ", again and again" : "");
      if (column(4)[at] == 0)
        break;
      int64_t feature = column(2)[at];
      if (feature < 0 || feature >= sizes[1])
        return failure(Code::InvalidArgument, "a tree asks for feature ",
                       feature, " of ", sizes[1]);
      at = column(branches(operands, at, row[feature]) ? 5 : 6)[at];
    }
    out[i] = at;
  }
  return Status();
}

Status treeLeaves(const KernelCall &call) {
  Operands operands(call);
  return visitKind(operands.view(1).type->kind,
                   [&]<typename T>(std::type_identity<T>) -> Status {
                     return findLeaves<T>(operands);
                   });
}

template <typename T> using Reduce = T (*)(T, T);

/// The value after an update, by the word that names the reduction.
template <typename T> static Reduce<T> reduction(const std::string &word) {
  auto by = []<Compute<T> (*F)(Compute<T>, Compute<T>)>() -> Reduce<T> {
    return [](T a, T b) { return store<T>(F(load(a), load(b))); };
  };
  using C = Compute<T>;
  if (word == "add")
    return by.template operator()<scalar::add<C>>();
  if (word == "mul")
    return by.template operator()<scalar::multiply<C>>();
  if (word == "max")
    return by.template operator()<scalar::max<C>>();
  if (word == "min")
    return by.template operator()<scalar::min<C>>();
  return [](T, T update) { return update; };
}

static void copyOf(const TensorView &in, const TensorView &out) {
  if (in.data != out.data && out.type->bytes())
    std::memcpy(out.data, in.data, out.type->bytes());
}

Status scatterElements(const KernelCall &call) {
  Operands operands(call);
  const TensorView &in = operands.view(1), &indices = operands.view(2);
  int64_t axis = operands.attribute<int64_t>(0);
  copyOf(in, operands.view(0));
  return visitKind(in.type->kind, [&]<typename T>(std::type_identity<T>) {
    Reduce<T> reduce = reduction<T>(operands.attribute<std::string>(1));
    auto *out = operands.data<T>(0);
    auto *updates = operands.data<const T>(3);
    int64_t row = 0;
    for (Odometer places(Index<-1>(indices.type->shape)); places.more();
         places.next(), ++row) {
      Index<-1> place = places.index;
      int64_t index = loadInteger(indices, row);
      place[int(axis)] =
          index < 0 ? index + in.type->shape[size_t(axis)] : index;
      Position at(*in.type);
      at.steps(place);
      if (!at.inside)
        return outOfRange("in", at);
      out[at.offset] = reduce(out[at.offset], updates[row]);
    }
    return Status();
  });
}

Status scatterND(const KernelCall &call) {
  Operands operands(call);
  const TensorView &in = operands.view(1), &indices = operands.view(2);
  std::span shape(in.type->shape), places(indices.type->shape);
  int64_t coordinates = places.back();
  int64_t rows = product(places.first(places.size() - 1));
  int64_t length = product(shape.subspan(size_t(coordinates)));
  copyOf(in, operands.view(0));
  return visitKind(in.type->kind, [&]<typename T>(std::type_identity<T>) {
    Reduce<T> reduce = reduction<T>(operands.attribute<std::string>(0));
    auto *out = operands.data<T>(0);
    auto *updates = operands.data<const T>(3);
    for (int64_t row = 0; row < rows; ++row) {
      Position at(*in.type);
      if (!walk(at, indices, row, coordinates))
        return outOfRange("in", at);
      for (int64_t i = 0; i < length; ++i) {
        T &element = out[at.offset * length + i];
        element = reduce(element, updates[row * length + i]);
      }
    }
    return Status();
  });
}

} // namespace glow::kernels

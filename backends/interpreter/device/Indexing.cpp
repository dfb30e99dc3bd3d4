//===- Indexing.cpp - elements at places that other tensors tell ----------===//
//
// Places come from other tensors, so each is compared with the sizes before
// anything is read or written there; one that is outside ends the run with the
// node's name.
//
//===----------------------------------------------------------------------===//

#include "KernelSupport.h"
#include <cstring>

using namespace glow;
using namespace glow::kernels;

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

Status kernels::gatherND(const GatherNDCall &call) {
  const TensorView &in = call.in;
  std::span shape(in.type->shape), places(call.indices.type->shape);
  size_t batchRank = size_t(call.batch);
  int64_t coordinates = places.back();
  int64_t batches = product(places.first(batchRank));
  int64_t rows = product(places.first(places.size() - 1));
  int64_t bytes = product(shape.subspan(batchRank + size_t(coordinates))) *
                  int64_t(byteSize(in.type->kind));
  for (int64_t row = 0; row < rows; ++row) {
    Position at(*in.type);
    at.dims += batchRank;
    at.offset = row / (rows / batches);
    if (!walk(at, call.indices, row, coordinates))
      return outOfRange("in", at);
    if (bytes)
      std::memcpy(dataOf<char>(call.out) + row * bytes,
                  dataOf<const char>(in) + at.offset * bytes, size_t(bytes));
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
static bool branches(const TreeLeavesCall &call, int64_t at, T element) {
  auto value = load(element);
  // Only NaN is missing.
  if (value != value && dataOf<const int64_t>(call.missingTrue)[at] != 0)
    return true;
  int64_t mode = dataOf<const int64_t>(call.modes)[at];
  auto *bounds = dataOf<const T>(call.bounds);
  if (mode != 7)
    return holds(mode, value, load(bounds[at]));
  if (!call.sets || !call.begins)
    return false;
  int64_t count = call.sets->type->shape[0];
  auto *sets = dataOf<const T>(call.sets);
  for (int64_t i = std::max<int64_t>(dataOf<const int64_t>(call.begins)[at], 0);
       i < count && load(sets[i]) == load(sets[i]); ++i)
    if (load(sets[i]) == value)
      return true;
  return false;
}

/// Fails when a number of a tree leads out of it, or in circles.
template <typename T> static Status findLeaves(const TreeLeavesCall &call) {
  std::span sizes(call.in.type->shape);
  int64_t nodes = call.features.type->shape[0];
  int64_t roots = call.roots.type->shape[0];
  auto *out = dataOf<int64_t>(call.out);
  auto *in = dataOf<const T>(call.in);
  auto number = [](const TensorView &column, int64_t i) {
    return dataOf<const int64_t>(column)[i];
  };
  for (int64_t i = 0; i < sizes[0] * roots; ++i) {
    const T *row = in + i / roots * sizes[1];
    int64_t at = number(call.roots, i % roots), steps = 0;
    while (true) {
      // More steps than nodes: it has been somewhere twice.
      if (at < 0 || at >= nodes || steps++ > nodes)
        return failure(Code::InvalidArgument, "a tree leads to node ", at,
                       " of ", nodes, at < nodes ? ", again and again" : "");
      if (number(call.modes, at) == 0)
        break;
      int64_t feature = number(call.features, at);
      if (feature < 0 || feature >= sizes[1])
        return failure(Code::InvalidArgument, "a tree asks for feature ",
                       feature, " of ", sizes[1]);
      at = number(branches(call, at, row[feature]) ? call.whenTrue
                                                   : call.whenFalse,
                  at);
    }
    out[i] = at;
  }
  return Status();
}

Status kernels::treeLeaves(const TreeLeavesCall &call) {
  return visitKind(call.in.type->kind,
                   [&]<typename T>(std::type_identity<T>) -> Status {
                     return findLeaves<T>(call);
                   });
}

template <typename T> using Reduce = T (*)(T, T);

/// The value after an update.
template <typename T> static Reduce<T> functionOf(ScatterReduction reduction) {
  auto by = []<Compute<T> (*F)(Compute<T>, Compute<T>)>() -> Reduce<T> {
    return [](T a, T b) { return store<T>(F(load(a), load(b))); };
  };
  using C = Compute<T>;
  switch (reduction) {
  case ScatterReduction::Add:
    return by.template operator()<scalar::add<C>>();
  case ScatterReduction::Mul:
    return by.template operator()<scalar::multiply<C>>();
  case ScatterReduction::Max:
    return by.template operator()<scalar::max<C>>();
  case ScatterReduction::Min:
    return by.template operator()<scalar::min<C>>();
  case ScatterReduction::None:
    break;
  }
  return [](T, T update) { return update; };
}

static void copyOf(const TensorView &in, const TensorView &out) {
  // The planner may give both one memory.
  if (in.data != out.data && out.type->bytes())
    std::memcpy(out.data, in.data, out.type->bytes());
}

Status kernels::scatterND(const ScatterNDCall &call) {
  const TensorView &in = call.in, &indices = call.indices;
  std::span shape(in.type->shape), places(indices.type->shape);
  int64_t coordinates = places.back();
  int64_t rows = product(places.first(places.size() - 1));
  int64_t length = product(shape.subspan(size_t(coordinates)));
  copyOf(in, call.out);
  return visitKind(in.type->kind, [&]<typename T>(std::type_identity<T>) {
    Reduce<T> reduce = functionOf<T>(call.reduction);
    auto *out = dataOf<T>(call.out);
    auto *updates = dataOf<const T>(call.updates);
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

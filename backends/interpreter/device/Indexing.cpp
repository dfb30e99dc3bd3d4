//===- Indexing.cpp - elements at indices that other tensors have ---------===//
// SPDX-License-Identifier: MIT
//
// Indices come from other tensors, so each is compared with the sizes before an
// element is read or written. An index out of range ends the run with an error
// that names the node.
//
//===----------------------------------------------------------------------===//

#include "KernelSupport.h"
#include "glow/Base/Kernels/BoxSelection.h"
#include "glow/Base/Places.h"
#include "glow/Base/Trees.h"
#include "glow/Values/Tensor.h"
#include <algorithm>
#include <cstring>
#include <limits>

using namespace glow;
using namespace glow::kernels;

/// Calls `visit` with the elements of a tensor of indices.
template <typename Visitor>
static Status visitIndices(const TensorView &indices, Visitor &&visit) {
  if (indices.type->kind == ElementKind::I32)
    return visit(dataOf<const int32_t>(indices));
  return visit(dataOf<const int64_t>(indices));
}

static Status outside() { return outOfRange("in", Position(TensorType{})); }

/// Copies slices; fails if an index is out of range.
template <typename I>
static Status gather(const GatherNDCall &call, const I *indices) {
  const Ints &in = call.in.type->shape, &at = call.indices.type->shape;
  places::Gathered gathered(in.data(), int64_t(in.size()), at.data(),
                            int64_t(at.size()), call.batch);
  size_t bytes = size_t(gathered.length) * byteSize(call.in.type->kind);
  for (int64_t row = 0; row < gathered.rows; ++row) {
    int64_t slice = gathered.slice(indices, row);
    if (slice < 0)
      return outside();
    if (bytes)
      std::memcpy(dataOf<char>(call.out) + size_t(row) * bytes,
                  dataOf<const char>(call.in) + size_t(slice) * bytes, bytes);
  }
  return Status();
}

Status kernels::gatherND(const GatherNDCall &call) {
  return visitIndices(
      call.indices, [&](const auto *indices) { return gather(call, indices); });
}

Status kernels::nonMaxSuppression(const NonMaxSuppressionCall &call) {
  const Ints &shape = call.scores.type->shape;
  const BoxSelection selection = {call.most,
                                  call.overlap,
                                  call.score,
                                  call.isLimited,
                                  call.byCentre,
                                  shape[0],
                                  shape[1],
                                  shape[2],
                                  dataOf<double>(call.corners),
                                  dataOf<double>(call.numbers),
                                  dataOf<int64_t>(call.order)};
  auto *rows = dataOf<int64_t>(call.kept);
  auto elements = [](const TensorView &tensor) {
    return [&tensor](int64_t i) {
      double element = 0;
      visitKind(tensor.type->kind, [&]<typename T>(std::type_identity<T>) {
        element = static_cast<double>(dataOf<const T>(tensor)[i]);
      });
      return element;
    };
  };
  const int64_t count =
      selection.select(elements(call.boxes), elements(call.scores), rows);
  *dataOf<int64_t>(call.count) = count;
  std::fill(rows + count * 3, rows + call.kept.type->elements(), 0);
  return Status();
}

/// Copies table entries. The first entry belongs to the least integer.
template <typename Q, typename T>
static Status lookUp(const IntLookupTableCall &call) {
  auto *table = dataOf<const T>(call.table);
  auto *in = dataOf<const Q>(call.in);
  auto *out = dataOf<T>(call.out);
  for (int64_t i = 0, size = call.in.type->elements(); i < size; ++i)
    out[i] = table[int64_t(in[i]) - std::numeric_limits<Q>::lowest()];
  return Status();
}
Status kernels::intLookupTable(const IntLookupTableCall &call) {
  ElementKind kind = call.in.type->kind;
  return visitSize(call.table.type->kind,
                   [&]<typename T>(std::type_identity<T>) {
                     switch (kind) {
                     case ElementKind::I8:
                       return lookUp<int8_t, T>(call);
                     case ElementKind::U8:
                       return lookUp<uint8_t, T>(call);
                     case ElementKind::I16:
                       return lookUp<int16_t, T>(call);
                     case ElementKind::U16:
                       return lookUp<uint16_t, T>(call);
                     default:
                       return wrongKind("int_lookup_table", kind);
                     }
                   });
}

/// Fails if a child index of a tree is out of range, or leads to a cycle.
template <typename T> static Status findLeaves(const TreeLeavesCall &call) {
  std::span sizes(call.in.type->shape);
  int64_t roots = call.roots.type->shape[0];
  auto forest = trees::forestOf<T>(
      call, call.features.type->shape[0],
      call.sets ? call.sets->type->shape[0] : 0,
      []<typename E>(const auto &operand) { return dataOf<E>(operand); });
  auto *out = dataOf<int64_t>(call.out);
  auto *in = dataOf<const T>(call.in);
  for (int64_t i = 0; i < sizes[0] * roots; ++i) {
    trees::End end =
        trees::follow(forest, in + i / roots * sizes[1], sizes[1],
                      dataOf<const int64_t>(call.roots)[i % roots], load<T>);
    if (end.what == trees::End::NoNode)
      return failure(Code::InvalidArgument, "a tree leads to node ", end.node,
                     " of ", forest.nodes,
                     end.node < forest.nodes ? ", again and again" : "");
    if (end.what == trees::End::NoFeature)
      return failure(Code::InvalidArgument, "a tree asks for feature ",
                     end.feature, " of ", sizes[1]);
    out[i] = end.node;
  }
  return Status();
}

Status kernels::treeLeaves(const TreeLeavesCall &call) {
  return visitKind(call.in.type->kind,
                   [&]<typename T>(std::type_identity<T>) -> Status {
                     return findLeaves<T>(call);
                   });
}

template <typename C> using Reduce = C (*)(C, C);

/// The value after an update.
template <typename C> static Reduce<C> functionOf(ScatterReduction reduction) {
  switch (reduction) {
  case ScatterReduction::Add:
    return scalar::add<C>;
  case ScatterReduction::Mul:
    return scalar::multiply<C>;
  case ScatterReduction::Max:
    return scalar::max<C>;
  case ScatterReduction::Min:
    return scalar::min<C>;
  case ScatterReduction::None:
    break;
  }
  return [](C, C update) { return update; };
}

static void copyOf(const TensorView &in, const TensorView &out) {
  // The planner may give both one memory.
  if (in.data != out.data && out.type->bytes())
    std::memcpy(out.data, in.data, out.type->bytes());
}

template <typename T, typename I>
static Status scatter(const ScatterNDCall &call, const I *indices) {
  const Ints &in = call.in.type->shape, &at = call.indices.type->shape;
  places::Gathered scattered(in.data(), int64_t(in.size()), at.data(),
                             int64_t(at.size()), /*batch=*/0);
  using C = Compute<T>;
  Reduce<C> reduce = functionOf<C>(call.reduction);
  const int64_t length = scattered.length;
  auto *out = dataOf<T>(call.out);
  auto *updates = dataOf<const T>(call.updates);
  // Several updates of one element are rounded once.
  constexpr ElementKind wide = !isIntegral<T>                ? ElementKind::F64
                               : std::is_same_v<C, uint64_t> ? ElementKind::U64
                                                             : ElementKind::I64;
  Result<Tensor> made = Tensor::zeros({wide, call.out.type->shape});
  if (!made)
    return made.status();
  auto *values = static_cast<C *>(made->data());
  const int64_t count = call.out.type->elements();
  std::transform(out, out + count, values, load<T>);
  for (int64_t row = 0; row < scattered.rows; ++row) {
    int64_t slice = scattered.slice(indices, row);
    if (slice < 0)
      return outside();
    for (int64_t i = 0; i < length; ++i) {
      C &value = values[slice * length + i];
      value = reduce(value, load(updates[row * length + i]));
    }
  }
  std::transform(values, values + count, out, store<T, C>);
  return Status();
}

Status kernels::scatterND(const ScatterNDCall &call) {
  copyOf(call.in, call.out);
  return visitKind(call.in.type->kind, [&]<typename T>(std::type_identity<T>) {
    return visitIndices(call.indices, [&](const auto *indices) {
      return scatter<T>(call, indices);
    });
  });
}

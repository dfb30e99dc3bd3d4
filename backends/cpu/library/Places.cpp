//===- Places.cpp - elements at coordinates of several axes ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Places.h"
#include "support/Calls.h"
#include "support/Support.h"
#include "vector/Narrow.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::cpu::library;
using places::Gathered;

static Gathered gatheredBy(const Shape &in, const Shape &indices,
                           int64_t batch) {
  return {in.sizes, in.rank, indices.sizes, indices.rank, batch};
}

/// The slice of a row of indices of either kind, or -1.
GLOW_INLINE static int64_t sliceOf(const Gathered &gathered,
                                   const Buffer &indices, int64_t row) {
  return indices.kind() == ElementKind::I32
             ? gathered.slice(indices.as<const int32_t>(), row)
             : gathered.slice(indices.as<const int64_t>(), row);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

static Rows rowsOf(const GatherNDCall &call) {
  Gathered gathered = gatheredBy(call.in.shape, call.indices.shape, call.batch);
  return {gathered.rows, gathered.length};
}

template <int64_t Bytes>
GLOW_INLINE static void gather(const GatherNDCall &call, int64_t begin,
                               int64_t end, const Failure &failure) {
  Gathered gathered = gatheredBy(call.in.shape, call.indices.shape, call.batch);
  Rows rows = rowsOf(call);
  int64_t bytes = gathered.length * Bytes;
  for (int64_t row = rows.first(begin); row < rows.last(end); ++row) {
    int64_t slice = sliceOf(gathered, call.indices, row);
    if (slice < 0)
      failure.report();
    else
      __builtin_memcpy(call.out.as<char>() + row * bytes,
                       call.in.as<const char>() + slice * bytes, size_t(bytes));
  }
}

#define GLOW_GATHER_ND(bytes)                                                  \
  GLOW_WORK(gather_nd_##bytes) { rowsOf(call).cut(work); }                     \
  GLOW_KERNEL(gather_nd_##bytes) { gather<bytes>(call, begin, end, failure); }
GLOW_GATHER_ND(1)
GLOW_GATHER_ND(2)
GLOW_GATHER_ND(4)
GLOW_GATHER_ND(8)

//===----------------------------------------------------------------------===//
// Writes, in order: of several updates of one element the last one stays
//===----------------------------------------------------------------------===//

/// Combines an element with its update, by a reduction known at compile time.
template <ScatterReduction reduction> struct Reduced {
  template <typename T> GLOW_INLINE static T of(T before, T update) {
    auto a = wide(before), b = wide(update);
    if constexpr (reduction == ScatterReduction::Add)
      return narrow<T>(a + b);
    else if constexpr (reduction == ScatterReduction::Mul)
      return narrow<T>(a * b);
    else if constexpr (reduction == ScatterReduction::Max)
      return a > b || a != a ? before : update;
    else if constexpr (reduction == ScatterReduction::Min)
      return a < b || a != a ? before : update;
    else
      return update;
  }
  template <Vector V> GLOW_INLINE static V of(V a, V b) {
    if constexpr (reduction == ScatterReduction::Add)
      return a + b;
    else if constexpr (reduction == ScatterReduction::Mul)
      return a * b;
    else if constexpr (reduction == ScatterReduction::Max)
      return ((a > b) | (a != a)) ? a : b;
    else if constexpr (reduction == ScatterReduction::Min)
      return ((a < b) | (a != a)) ? a : b;
    else
      return b;
  }
};

/// The same by a reduction that is known at run time.
struct AnyReduced {
  ScatterReduction reduction;

  template <typename T> GLOW_INLINE T of(T before, T update) const {
    using enum ScatterReduction;
    switch (reduction) {
    case Add:
      return Reduced<Add>().of(before, update);
    case Mul:
      return Reduced<Mul>().of(before, update);
    case Max:
      return Reduced<Max>().of(before, update);
    case Min:
      return Reduced<Min>().of(before, update);
    case None:
      break;
    }
    return update;
  }
};

/// Whether there is a vectorised loop for each reduction; other kinds have one
/// small loop.
template <typename T> inline constexpr bool fillsVectors = __is_same(T, float);

/// Updates a slice.
template <typename Reduction, typename T>
GLOW_INLINE static void updateSlice(const Reduction &reduction, T *slice,
                                    const T *update, int64_t length) {
  int64_t i = 0;
  if constexpr (fillsVectors<T>) {
    using V = T __attribute__((vector_size(16 * sizeof(T))));
    for (; i + lanes <= length; i += lanes)
      store(slice + i, reduction.of(load<V>(slice + i), load<V>(update + i)));
  }
  for (; i < length; ++i)
    slice[i] = reduction.of(slice[i], update[i]);
}

/// Updates single elements of one dimension; false if an index is out of range.
template <typename Reduction, typename T, typename I>
GLOW_INLINE static bool updateElements(const Reduction &reduction, T *out,
                                       const Gathered &scattered,
                                       const I *indices, const T *updates) {
  const int64_t size = scattered.dims[0];
  for (int64_t row = 0; row < scattered.rows; ++row) {
    int64_t at = indices[row];
    at += at < 0 ? size : 0;
    if (uint64_t(at) >= uint64_t(size))
      return false;
    out[at] = reduction.of(out[at], updates[row]);
  }
  return true;
}

/// Updates the slices of all rows; false if an index is out of range.
template <typename Reduction, typename T>
GLOW_INLINE static bool updateAll(const Reduction &reduction,
                                  const ScatterNDCall &call, T *out) {
  Gathered scattered = gatheredBy(call.in.shape, call.indices.shape, 0);
  auto *updates = call.updates.as<const T>();
  const int64_t length = scattered.length;
  if (length == 1 && scattered.coordinates == 1)
    return call.indices.kind() == ElementKind::I32
               ? updateElements(reduction, out, scattered,
                                call.indices.as<const int32_t>(), updates)
               : updateElements(reduction, out, scattered,
                                call.indices.as<const int64_t>(), updates);
  for (int64_t row = 0; row < scattered.rows; ++row) {
    int64_t slice = sliceOf(scattered, call.indices, row);
    if (slice < 0)
      return false;
    updateSlice(reduction, out + slice * length, updates + row * length,
                length);
  }
  return true;
}

template <typename T>
GLOW_INLINE static bool scattered(const ScatterNDCall &call, T *out) {
  using enum ScatterReduction;
  if constexpr (fillsVectors<T>) {
    switch (call.reduction) {
    case Add:
      return updateAll(Reduced<Add>(), call, out);
    case Mul:
      return updateAll(Reduced<Mul>(), call, out);
    case Max:
      return updateAll(Reduced<Max>(), call, out);
    case Min:
      return updateAll(Reduced<Min>(), call, out);
    case None:
      return updateAll(Reduced<None>(), call, out);
    }
  } else {
    return updateAll(AnyReduced{call.reduction}, call, out);
  }
}

template <typename T>
GLOW_INLINE static void scatter(const ScatterNDCall &call,
                                const Failure &failure) {
  T *out = call.out.as<T>();
  const T *in = call.in.as<const T>();
  // The planner may give both one memory.
  if (out != in)
    __builtin_memcpy(out, in, size_t(elements(call.in.shape)) * sizeof(T));
  if (!scattered(call, out))
    failure.report();
}

#define GLOW_SCATTER_ND(kind, T)                                               \
  GLOW_WORK(scatter_nd_##kind) { *work = {1, 0}; }                             \
  GLOW_KERNEL(scatter_nd_##kind) { scatter<T>(call, failure); }
GLOW_SCATTER_ND(f32, float)
GLOW_SCATTER_ND(f64, double)
GLOW_SCATTER_ND(f16, F16)
GLOW_SCATTER_ND(bf16, BF16)
GLOW_SCATTER_ND(i8, int8_t)
GLOW_SCATTER_ND(i16, int16_t)
GLOW_SCATTER_ND(i32, int32_t)
GLOW_SCATTER_ND(i64, int64_t)
GLOW_SCATTER_ND(u8, uint8_t)
GLOW_SCATTER_ND(u16, uint16_t)
GLOW_SCATTER_ND(u32, uint32_t)
GLOW_SCATTER_ND(u64, uint64_t)
GLOW_SCATTER_ND(bool, bool)

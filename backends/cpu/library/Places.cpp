//===- Places.cpp - elements at places of several coordinates -------------===//

#include "glow/Base/Places.h"
#include "Calls.h"
#include "Narrow.h"
#include "Support.h"

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
      failure.tell();
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
// Writes, one after the other: of several to one place the last stays
//===----------------------------------------------------------------------===//

template <typename T>
GLOW_INLINE static T reduced(ScatterReduction reduction, T before, T update) {
  auto a = wide(before), b = wide(update);
  switch (reduction) {
  case ScatterReduction::Add:
    return narrow<T>(a + b);
  case ScatterReduction::Mul:
    return narrow<T>(a * b);
  case ScatterReduction::Max:
    return a > b || a != a ? before : update;
  case ScatterReduction::Min:
    return a < b || a != a ? before : update;
  case ScatterReduction::None:
    break;
  }
  return update;
}

template <typename T>
GLOW_INLINE static void scatter(const ScatterNDCall &call,
                                const Failure &failure) {
  Gathered scattered = gatheredBy(call.in.shape, call.indices.shape, 0);
  T *out = call.out.as<T>();
  const T *in = call.in.as<const T>(), *updates = call.updates.as<const T>();
  // The planner may give both one memory.
  if (out != in)
    __builtin_memcpy(out, in, size_t(elements(call.in.shape)) * sizeof(T));
  for (int64_t row = 0; row < scattered.rows; ++row) {
    int64_t slice = sliceOf(scattered, call.indices, row);
    if (slice < 0)
      return failure.tell();
    for (int64_t i = 0; i < scattered.length; ++i) {
      T &element = out[slice * scattered.length + i];
      element =
          reduced(call.reduction, element, updates[row * scattered.length + i]);
    }
  }
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

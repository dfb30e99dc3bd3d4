//===- ArgSort.cpp - indices in the order of their elements ---------------===//
// SPDX-License-Identifier: MIT
//
// Equal elements stay in their order. A long line is sorted by the digits of
// its keys (Radix.h), and the places of a short line are counted (Ranks.h). A
// line with more elements than the places of keys is merged from runs, from
// single elements up to the whole line.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"
#include "support/Order.h"
#include "support/Radix.h"
#include "support/Ranks.h"
#include "vector/Narrow.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Lines along the axis, and the memory to sort one.
template <typename T> struct Lines {
  Around in;
  Rows rows = {in.outer * in.inner, in.count * 8};

  explicit Lines(const ArgSortCall &call) : in(call.in.shape, call.axis) {}

  bool isRanked() const { return in.count < leastOfRadix; }
  void cut(StepWork *work) const {
    rows.cut(work);
    work->scratchBytes = sortsByDigits(in.count) ? radixBytes<T>(in.count)
                         : isRanked() ? Ranks<T>::bytes(in.count)
                                      : 2 * in.count * int64_t(sizeof(int64_t));
  }
};

/// One line whose elements are `step` apart.
template <typename T> struct Line {
  const T *in;
  int64_t count, step;
  bool descending;

  /// [first, middle) and [middle, end) of `from`, both in order, as one.
  void merge(const int64_t *from, int64_t *to, int64_t first, int64_t middle,
             int64_t end) const {
    int64_t left = first, right = middle;
    for (int64_t i = first; i < end; ++i) {
      bool takesRight =
          left == middle ||
          (right < end && isBefore(wide(in[from[right] * step]),
                                   wide(in[from[left] * step]), descending));
      to[i] = takesRight ? from[right++] : from[left++];
    }
  }

  /// The places in order, in one half of the memory.
  const int64_t *sort(int64_t *from, int64_t *to) const {
    for (int64_t i = 0; i < count; ++i)
      from[i] = i;
    for (int64_t width = 1; width < count; width *= 2) {
      for (int64_t first = 0; first < count; first += 2 * width)
        merge(from, to, first, smaller(first + width, count),
              smaller(first + 2 * width, count));
      int64_t *merged = to;
      to = from, from = merged;
    }
    return from;
  }
};

template <typename T>
GLOW_INLINE void argSort(const ArgSortCall &call, int64_t begin, int64_t end,
                         char *scratch) {
  Lines<T> lines(call);
  int64_t count = lines.in.count, step = lines.in.inner;
  auto *memory = reinterpret_cast<int64_t *>(scratch);
  for (int64_t r = lines.rows.first(begin); r < lines.rows.last(end); ++r) {
    int64_t at = r / step * count * step + r % step;
    const T *in = call.in.as<const T>() + at;
    int64_t *out = call.out.as<int64_t>() + at;
    if (sortsByDigits(count)) {
      Radix<KeyOf<T>> radix(scratch, count);
      for (int64_t i = 0; i < count; ++i)
        radix.items[i] = {keyOf(in[i * step], call.descending), uint32_t(i)};
      auto *items = radix.sort(count);
      for (int64_t i = 0; i < count; ++i)
        out[i * step] = items[i].place;
      continue;
    }
    if (lines.isRanked()) {
      Ranks<T>(scratch, count).order(in, step, call.descending, count, out);
      continue;
    }
    Line<T> line{in, count, step, call.descending};
    const int64_t *order = line.sort(memory, memory + count);
    for (int64_t i = 0; i < count; ++i)
      out[i * step] = order[i];
  }
}

} // namespace

#define GLOW_ARG_SORT(kind, T)                                                 \
  GLOW_WORK(arg_sort_##kind) { Lines<T>(call).cut(work); }                     \
  GLOW_KERNEL(arg_sort_##kind) { argSort<T>(call, begin, end, scratch); }
GLOW_ARG_SORT(f32, float)
GLOW_ARG_SORT(f64, double)
GLOW_ARG_SORT(f16, F16)
GLOW_ARG_SORT(bf16, BF16)
GLOW_ARG_SORT(i8, int8_t)
GLOW_ARG_SORT(i16, int16_t)
GLOW_ARG_SORT(i32, int32_t)
GLOW_ARG_SORT(i64, int64_t)
GLOW_ARG_SORT(u8, uint8_t)
GLOW_ARG_SORT(u16, uint16_t)
GLOW_ARG_SORT(u32, uint32_t)
GLOW_ARG_SORT(u64, uint64_t)

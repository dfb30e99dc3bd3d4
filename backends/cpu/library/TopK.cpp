//===- TopK.cpp - the first elements of an order and their indices --------===//
// SPDX-License-Identifier: MIT
//
// A small k of many elements is kept in a heap, with the worst on top. An
// element enters only if it comes before the worst. Nearly all elements do not,
// and 64 are compared at a time. For a large k, only the keys whose first bits
// are among the first k are sorted (Radix.h). In a short line the places of all
// elements are counted (Ranks.h).
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"
#include "support/Order.h"
#include "support/Radix.h"
#include "support/Ranks.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Lines along the axis, and the memory for one of them.
template <typename T> struct Lines {
  Around in;
  int64_t k;
  Rows rows = {in.outer * in.inner, in.count};

  explicit Lines(const TopKCall &call)
      : in(call.in.shape, call.axis), k(call.k) {}

  /// Whether elements are compared with all others: their number is less than
  /// what a heap waits for with `k` of them.
  bool isRanked() const {
    return in.count <= 64 || (in.count < leastOfRadix && k > in.count / 10);
  }
  /// Whether lines are sorted: sorting reads a line a few times, and insertion
  /// into a heap costs more than a read.
  bool isSorted() const { return sortsByDigits(in.count) && k > in.count / 32; }
  bool isCopied() const { return in.inner > 1 && !isRanked(); }

  int64_t workBytes() const {
    int64_t bytes = isRanked()   ? Ranks<T>::bytes(in.count)
                    : isSorted() ? radixBytes<T>(in.count)
                                 : k * int64_t(sizeof(int64_t));
    return dividedUp(bytes, 64) * 64;
  }
  void cut(StepWork *work) const {
    rows.cut(work);
    work->scratchBytes =
        workBytes() + (isCopied() ? in.count * int64_t(sizeof(T)) : 0);
  }
};

/// Places of elements of one line.
template <typename T> struct Heap {
  const T *in;
  bool largest;
  int64_t *places;

  /// The order of elements; of equal elements the first one comes first.
  GLOW_INLINE bool comesFirst(int64_t a, int64_t b) const {
    T x = in[a], y = in[b];
    return isBefore(x, y, largest) || (!isBefore(y, x, largest) && a < b);
  }

  /// Sinks `place` from position `at` of the heap, until no child comes after
  /// it. Position `at` is free.
  void sink(int64_t place, int64_t at, int64_t count) const {
    for (int64_t next; (next = 2 * at + 1) < count; at = next) {
      if (next + 1 < count && comesFirst(places[next], places[next + 1]))
        ++next;
      if (!comesFirst(place, places[next]))
        break;
      places[at] = places[next];
    }
    places[at] = place;
  }

  /// Inserts element `i` if it comes before the worst element, `worst`.
  GLOW_INLINE void offer(int64_t i, int64_t k, T &worst) const {
    // A later element that is equal to the worst does not come first.
    if (!isBefore(in[i], worst, largest))
      return;
    sink(i, 0, k);
    worst = in[places[0]];
  }

  using Vector = T __attribute__((vector_size(16 * sizeof(T))));

  GLOW_INLINE MaskOf<Vector> before(const T *from, T worst) const {
    Vector x = load<Vector>(from), limit = splat<Vector>(worst);
    MaskOf<Vector> isBetter = largest ? x > limit : x < limit;
    return worst != worst ? MaskOf<Vector>{} : isBetter | (x != x);
  }

  /// Offers elements `first` to `count`.
  GLOW_INLINE void offerAll(int64_t first, int64_t count, int64_t k) const {
    constexpr int64_t vectors = 4;
    T worst = in[places[0]];
    int64_t i = first;
    // The code for integers is small.
    if constexpr (__is_same(T, float))
      for (; i + vectors * lanes <= count; i += vectors * lanes) {
        MaskOf<Vector> found = before(in + i, worst);
        for (int64_t v = 1; v < vectors; ++v)
          found |= before(in + i + v * lanes, worst);
        if (!any(found))
          continue;
        for (int64_t v = 0; v < vectors; ++v)
          offerVector(i + v * lanes, k, worst);
      }
    for (; i < count; ++i)
      offer(i, k, worst);
  }

  void offerVector(int64_t i, int64_t k, T &worst) const {
    Mask better = __builtin_convertvector(before(in + i, worst), Mask);
    unsigned bits = __builtin_bit_cast(uint16_t, better);
    for (; bits; bits &= bits - 1)
      offer(i + __builtin_ctz(bits), k, worst);
  }

  /// The first `k` of `count` elements, in their order.
  void select(int64_t count, int64_t k) const {
    if (k == 0)
      return;
    for (int64_t i = 0; i < k; ++i)
      places[i] = i;
    for (int64_t i = k / 2; i-- > 0;)
      sink(places[i], i, k);
    offerAll(k, count, k);
    for (int64_t last = k; last-- > 1;) {
      int64_t place = places[last];
      places[last] = places[0];
      sink(place, 0, last);
    }
  }
};

template <typename T>
GLOW_INLINE void topK(const TopKCall &call, int64_t begin, int64_t end,
                      char *scratch) {
  Lines<T> lines(call);
  int64_t count = lines.in.count, step = lines.in.inner, k = lines.k;
  T *copy = reinterpret_cast<T *>(scratch + lines.workBytes());
  auto *places = reinterpret_cast<int64_t *>(scratch);
  for (int64_t r = lines.rows.first(begin); r < lines.rows.last(end); ++r) {
    int64_t outer = r / step, inner = r % step;
    const T *in = call.in.as<const T>() + outer * count * step + inner;
    if (lines.isCopied()) {
      for (int64_t i = 0; i < count; ++i)
        copy[i] = in[i * step];
      in = copy;
    }
    int64_t to = outer * k * step + inner;
    auto put = [&](int64_t i, int64_t place) {
      call.places.as<int64_t>()[to + i * step] = place;
      call.values.as<T>()[to + i * step] = in[place];
    };
    if (lines.isRanked()) {
      int64_t *found = call.places.as<int64_t>() + to;
      Ranks<T>(scratch, count).order(in, step, call.largest, k, found);
      for (int64_t i = 0; i < k; ++i)
        call.values.as<T>()[to + i * step] = in[found[i * step] * step];
    } else if (lines.isSorted()) {
      auto *items =
          Radix<KeyOf<T>>(scratch, count).select(in, count, k, call.largest);
      for (int64_t i = 0; i < k; ++i)
        put(i, items[i].place);
    } else {
      Heap<T>{in, call.largest, places}.select(count, k);
      for (int64_t i = 0; i < k; ++i)
        put(i, places[i]);
    }
  }
}

} // namespace

#define GLOW_TOP_K(kind, T)                                                    \
  GLOW_WORK(top_k_##kind) { Lines<T>(call).cut(work); }                        \
  GLOW_KERNEL(top_k_##kind) { topK<T>(call, begin, end, scratch); }
GLOW_TOP_K(f32, float)
GLOW_TOP_K(i32, int32_t)
GLOW_TOP_K(i64, int64_t)

//===- TopK.cpp - the first elements of an order and their indices --------===//
// SPDX-License-Identifier: MIT
//
// Up to 16 of many floats are kept in a vector, a small k in a heap, with the
// worst on top. An element enters only if it comes before the worst. Nearly all
// elements do not, and 64 are compared at a time. For a large k, only the keys
// whose first bits are among the first k are sorted (Radix.h). In a short line
// the places of all elements are counted (Ranks.h).
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

  /// Whether the first elements fit into a vector.
  bool isFew() const {
    return __is_same(T, float) && k >= 4 && k <= 16 && in.count > 64 &&
           in.count < mostOfRadix;
  }
  /// Whether elements are compared with all others: their number is less than
  /// what a heap waits for with `k` of them.
  bool isRanked() const {
    if (isFew())
      return false;
    return in.count <= 64 || (in.count < leastOfRadix && k > in.count / 10);
  }
  /// Whether lines are sorted, which costs time for each element, and not for
  /// insertions into a heap: k (1 + ln(n / k)) of them, for elements in any
  /// order, each of which passes log2(k) levels.
  bool isSorted() const {
    if (!sortsByDigits(in.count) || k == 0)
      return false;
    const int64_t levels = 64 - __builtin_clzll(uint64_t(k));
    const int64_t share = 64 - __builtin_clzll(uint64_t(in.count / k));
    return 4 * k * levels * share > (isSampled() ? in.count / 4 : 3 * in.count);
  }
  /// Whether a sample of the elements shows which ones need not be sorted.
  bool isSampled() const {
    return __is_same(T, float) && in.count >= 4096 && k <= in.count / 16;
  }
  bool isCopied() const { return in.inner > 1 && !isRanked(); }

  int64_t workBytes() const {
    int64_t bytes = isRanked()   ? Ranks<T>::bytes(in.count)
                    : isFew()    ? 0
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

using V16f = glow::vector::V16f;
using V16i = glow::vector::V16i;

/// A bit for each of 16 elements that comes before the worst kept element.
GLOW_INLINE uint64_t bitsOfBetter(const float *from, float worst,
                                  bool largest) {
  const V16f x = load<V16f>(from), limit = splat<V16f>(worst);
  const MaskOf<V16f> isBetter = largest ? x > limit : x < limit;
  const MaskOf<V16f> comesFirst =
      worst != worst ? MaskOf<V16f>{} : isBetter | (x != x);
  return __builtin_bit_cast(uint16_t,
                            __builtin_convertvector(comesFirst, Mask));
}

/// The first 64 elements, from `from` on, of which some come before `worst`,
/// and the bits of these; no bits behind the last such element. All users share
/// its code.
[[gnu::noinline]] int64_t findBetter(const float *in, int64_t from,
                                     int64_t count, float worst, bool largest,
                                     uint64_t &bits) {
  int64_t i = from;
  for (; i + 64 <= count; i += 64) {
    bits = 0;
    for (int64_t v = 0; v < 4; ++v)
      bits |= bitsOfBetter(in + i + 16 * v, worst, largest) << (16 * v);
    if (bits)
      return i;
  }
  bits = 0;
  for (int64_t j = i; j < count; ++j)
    bits |= uint64_t(isBefore(in[j], worst, largest)) << (j - i);
  return i;
}

/// Calls `offer(i)` for elements `first` to `count` that come before `worst`,
/// which it may change.
template <typename T, typename Offer>
GLOW_INLINE void offerBetter(const T *in, int64_t first, int64_t count,
                             bool largest, const T &worst, Offer offer) {
  if constexpr (__is_same(T, float)) {
    uint64_t bits = 0;
    for (int64_t i = first; i < count; i += 64) {
      i = findBetter(in, i, count, worst, largest, bits);
      for (; bits; bits &= bits - 1)
        if (const int64_t at = i + __builtin_ctzll(bits);
            isBefore(in[at], worst, largest))
          offer(at);
    }
  } else {
    // The code for integers is small.
    for (int64_t i = first; i < count; ++i)
      if (isBefore(in[i], worst, largest))
        offer(i);
  }
}

/// The first `k` of a line in their order. The last of them, or a later
/// element, is probably among the first of a sample, and elements behind that
/// one need not be sorted. Null if the others are fewer than `k`.
static const Item<uint32_t> *selectSampled(const Radix<uint32_t> &radix,
                                           const float *in, int64_t count,
                                           int64_t k, bool largest) {
  constexpr int64_t step = 16;
  const int64_t ofSample = k / step + k / (4 * step) + 8;
  const uint32_t last =
      radix.select(in, count, ofSample, largest, step)[ofSample - 1].key;
  const float limit = elementOf(last + 1, largest);
  if (last + 1 == 0 || limit != limit)
    return nullptr;
  int64_t found = 0;
  offerBetter(in, 0, count, largest, limit, [&](int64_t i) {
    radix.items[found++] = {keyOf(in[i], largest), uint32_t(i)};
  });
  return found < k ? nullptr : radix.sort(found);
}

/// The first elements of a line, at most as many as a vector has, in its last
/// lanes.
struct Few {
  const float *in;
  bool largest;
  V16i keys, places = {};

  /// A number whose order is that of the elements, from the first on. NaN has
  /// the least number.
  GLOW_INLINE int32_t numberOf(int64_t i) const {
    return int32_t(keyOf(in[i], largest) ^ 0x80000000u);
  }

  /// Shifts the lanes behind the new element by one. Elements that are equal to
  /// it have earlier places, and stay before it.
  GLOW_INLINE void insert(int64_t i) {
    const V16i key = splat<V16i>(numberOf(i));
    const V16i stays = keys <= key;
    const V16i behind = shifted(splat<V16i>(-1), stays);
    const V16i place = splat<V16i>(int32_t(i));
    places = stays ? places : behind ? place : shifted(place, places);
    keys = stays ? keys : behind ? key : shifted(key, keys);
  }

  /// Each lane has the element of the lane before, and the first one `first`.
  GLOW_INLINE static V16i shifted(V16i first, V16i lanes) {
    return __builtin_shufflevector(first, lanes, 0, 16, 17, 18, 19, 20, 21, 22,
                                   23, 24, 25, 26, 27, 28, 29, 30);
  }

  void select(int64_t count, int64_t k) {
    // Lanes that are not used stay before all others.
    const V16i lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    keys = lane < splat<V16i>(int32_t(lanes - k)) ? splat<V16i>(INT32_MIN)
                                                  : splat<V16i>(INT32_MAX);
#pragma clang loop unroll(disable)
    for (int64_t i = 0; i < k; ++i)
      insert(i);
    float worst = in[places[lanes - 1]];
    offerBetter(in, k, count, largest, worst, [&](int64_t i) {
      insert(i);
      worst = in[places[lanes - 1]];
    });
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

  /// Offers elements `first` to `count`. A later element that is equal to the
  /// worst does not come first.
  GLOW_INLINE void offerAll(int64_t first, int64_t count, int64_t k) const {
    T worst = in[places[0]];
    offerBetter(in, first, count, largest, worst, [&](int64_t i) {
      sink(i, 0, k);
      worst = in[places[0]];
    });
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
#pragma clang loop unroll(disable)
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
#pragma clang loop unroll(disable)
      for (int64_t i = 0; i < k; ++i)
        call.values.as<T>()[to + i * step] = in[found[i * step] * step];
    } else if (lines.isFew()) {
      if constexpr (__is_same(T, float)) {
        Few few{in, call.largest, {}};
        few.select(count, k);
#pragma clang loop unroll(disable)
        for (int64_t i = 0; i < k; ++i)
          put(i, few.places[lanes - k + i]);
      }
    } else if (lines.isSorted()) {
      const Radix<KeyOf<T>> radix(scratch, count);
      const Item<KeyOf<T>> *items = nullptr;
      if constexpr (__is_same(T, float))
        if (lines.isSampled())
          items = selectSampled(radix, in, count, k, call.largest);
      if (!items)
        items = radix.select(in, count, k, call.largest);
#pragma clang loop unroll(disable)
      for (int64_t i = 0; i < k; ++i)
        put(i, items[i].place);
    } else {
      Heap<T>{in, call.largest, places}.select(count, k);
#pragma clang loop unroll(disable)
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

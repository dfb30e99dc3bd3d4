//===- TopK.cpp - the first elements of an order, and their places --------===//
//
// A heap of the k best so far, the worst of them on top, which an element must
// be before to come in: of many elements nearly all are told to stay out by
// that.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Order.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Lines along the axis, and the memory for the places of one heap.
struct Lines {
  Around in;
  int64_t k;
  Rows rows = {in.outer * in.inner, in.count};

  explicit Lines(const TopKCall &call)
      : in(call.in.shape, call.axis), k(call.k) {}

  void cut(StepWork *work) const {
    rows.cut(work);
    work->scratchBytes = k * int64_t(sizeof(int64_t));
  }
};

/// Places of elements of one line, which are `step` apart.
template <typename T> struct Heap {
  const T *in;
  int64_t step;
  bool largest;
  int64_t *places;

  GLOW_INLINE T element(int64_t place) const { return in[place * step]; }

  /// Of equal elements the first is before the others.
  GLOW_INLINE bool comesFirst(int64_t a, int64_t b) const {
    T x = element(a), y = element(b);
    return isBefore(x, y, largest) || (!isBefore(y, x, largest) && a < b);
  }

  /// Puts `place` where nothing below it in the heap comes after it; `at` and
  /// what is above it are free.
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

  /// The first `k` of `count` elements, in their order.
  void select(int64_t count, int64_t k) const {
    if (k == 0)
      return;
    for (int64_t i = 0; i < k; ++i)
      places[i] = i;
    for (int64_t i = k / 2; i-- > 0;)
      sink(places[i], i, k);
    // A later element that is equal to the worst does not come first.
    T worst = element(places[0]);
    for (int64_t i = k; i < count; ++i)
      if (isBefore(element(i), worst, largest)) {
        sink(i, 0, k);
        worst = element(places[0]);
      }
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
  Lines lines(call);
  int64_t count = lines.in.count, step = lines.in.inner, k = lines.k;
  auto *places = reinterpret_cast<int64_t *>(scratch);
  for (int64_t r = lines.rows.first(begin); r < lines.rows.last(end); ++r) {
    int64_t outer = r / step, inner = r % step;
    const T *in = call.in.as<const T>() + outer * count * step + inner;
    Heap<T>{in, step, call.largest, places}.select(count, k);
    int64_t to = outer * k * step + inner;
    for (int64_t i = 0; i < k; ++i) {
      call.places.as<int64_t>()[to + i * step] = places[i];
      call.values.as<T>()[to + i * step] = in[places[i] * step];
    }
  }
}

} // namespace

GLOW_WORK(top_k_f32) { Lines(call).cut(work); }
GLOW_KERNEL(top_k_f32) { topK<float>(call, begin, end, scratch); }
GLOW_WORK(top_k_i32) { Lines(call).cut(work); }
GLOW_KERNEL(top_k_i32) { topK<int32_t>(call, begin, end, scratch); }
GLOW_WORK(top_k_i64) { Lines(call).cut(work); }
GLOW_KERNEL(top_k_i64) { topK<int64_t>(call, begin, end, scratch); }

//===- Marks.cpp - the places of marks ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

constexpr int64_t marksAtOnce = 64;

/// A bit for each of 64 marks, the first one lowest.
GLOW_INLINE uint64_t bitsOf(const char *marks) {
  using Bytes = char __attribute__((vector_size(marksAtOnce)));
  using Bits = bool __attribute__((ext_vector_type(marksAtOnce)));
  const auto isMarked = __builtin_convertvector(load<Bytes>(marks) != 0, Bits);
  return __builtin_bit_cast(uint64_t, isMarked);
}

/// Writes places of marks one after the other.
struct PlacesOfMarks {
  int64_t *out;
  int64_t count, most;

  /// The marks of a block from `first` on; false if there are too many.
  GLOW_INLINE bool write(uint64_t bits, int64_t first) {
    if (count + __builtin_popcountll(bits) > most)
      return false;
    for (; bits; bits &= bits - 1)
      out[count++] = first + __builtin_ctzll(bits);
    return true;
  }
};

} // namespace

GLOW_WORK(marked_places) { *work = {1, 0}; }
GLOW_KERNEL(marked_places) {
  const char *marks = call.marks.as<const char>();
  const int64_t size = elements(call.marks.shape);
  PlacesOfMarks places = {call.out.as<int64_t>(), 0, elements(call.out.shape)};
  bool fits = true;
  int64_t i = 0;
  for (; fits && i + marksAtOnce <= size; i += marksAtOnce)
    fits = places.write(bitsOf(marks + i), i);
  for (; fits && i < size; ++i)
    fits = places.write(marks[i] != 0, i);
  if (!fits)
    failure.report();
  for (int64_t rest = places.count; rest < places.most; ++rest)
    places.out[rest] = 0;
}

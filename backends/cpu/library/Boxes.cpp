//===- Boxes.cpp - non-maximum suppression --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Kernels/BoxSelection.h"
#include "support/Calls.h"
#include "vector/Narrow.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

template <typename T, typename Call>
GLOW_INLINE static void selectBoxes(const Call &call) {
  const glow::cpu::Shape &shape = call.scores.shape;
  const glow::BoxSelection selection = {call.most,
                                        call.overlap,
                                        call.score,
                                        bool(call.isLimited),
                                        bool(call.byCentre),
                                        shape.sizes[0],
                                        shape.sizes[1],
                                        shape.sizes[2],
                                        call.corners.template as<double>(),
                                        call.numbers.template as<double>(),
                                        call.order.template as<int64_t>()};
  auto *boxes = call.boxes.template as<const T>();
  auto *scores = call.scores.template as<const T>();
  auto *rows = call.kept.template as<int64_t>();
  const int64_t count = selection.select(
      [=](int64_t i) { return double(wide(boxes[i])); },
      [=](int64_t i) { return double(wide(scores[i])); }, rows);
  *call.count.template as<int64_t>() = count;
  const glow::cpu::Shape &kept = call.kept.shape;
  for (int64_t i = count * 3, end = product(kept, 0, kept.rank); i < end; ++i)
    rows[i] = 0;
}

#define GLOW_BOXES(kind, T)                                                    \
  GLOW_WORK(non_max_suppression_##kind) { *work = {1, 0}; }                    \
  GLOW_KERNEL(non_max_suppression_##kind) { selectBoxes<T>(call); }
GLOW_BOXES(f32, float)
GLOW_BOXES(f64, double)
GLOW_BOXES(f16, F16)
GLOW_BOXES(bf16, BF16)

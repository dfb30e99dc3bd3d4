//===- Normalization.cpp - rows brought to a common scale -----------------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// A tensor as rows, which span the dimensions from the axis on, with the
/// optional operands.
struct Normalization {
  Rows rows;
  float epsilon;
  const float *in = nullptr, *scale = nullptr, *bias = nullptr;
  float *out = nullptr;

  template <typename Call>
  explicit Normalization(const Call &call)
      : rows(rowsOf(call.in.shape, call.axis)), epsilon(float(call.epsilon)),
        in(call.in.template as<const float>()),
        scale(call.scale.template as<const float>()),
        out(call.out.template as<float>()) {
    if constexpr (__is_same(Call, LayerNormCall))
      bias = call.bias.template as<const float>();
  }
  static Rows rowsOf(const Shape &shape, int64_t axis) {
    return {product(shape, 0, axis), product(shape, axis, shape.rank)};
  }

  /// (x - mean) * factor * scale + bias
  template <bool hasScale, bool hasBias>
  GLOW_INLINE void finish(int64_t row, V16f mean, V16f factor) const {
    auto element = [&](V16f x, int64_t i, int64_t count) {
      V16f y = (x - mean) * factor;
      if constexpr (hasScale)
        y *= loadPart(scale + i, count);
      if constexpr (hasBias)
        y += loadPart(bias + i, count);
      return y;
    };
    mapRow(out + row * rows.length, in + row * rows.length, rows.length,
           element);
  }
  GLOW_INLINE void finish(int64_t row, V16f mean, V16f factor) const {
    if (scale && bias)
      finish<true, true>(row, mean, factor);
    else if (scale)
      finish<true, false>(row, mean, factor);
    else if (bias)
      finish<false, true>(row, mean, factor);
    else
      finish<false, false>(row, mean, factor);
  }
};

} // namespace

GLOW_WORK(layer_norm_f32) {
  Normalization::rowsOf(call.in.shape, call.axis).cut(work);
}
GLOW_KERNEL(layer_norm_f32) {
  Normalization norm(call);
  int64_t length = norm.rows.length;
  for (int64_t r = norm.rows.first(begin); r < norm.rows.last(end); ++r) {
    const float *row = norm.in + r * length;
    V16f sum = reduceRow<Sum>(row, length, 0, [](V16f x) { return x; });
    V16f mean = sum / float(length);
    // Squares of differences from the mean: the difference of two large sums
    // would lose precision. Lanes beyond the end load the mean, and add 0.
    V16f squares = reduceRow<Sum>(
        row, length, mean[0], [&](V16f x) { return (x - mean) * (x - mean); });
    V16f variance = squares / float(length);
    norm.finish(r, mean, 1.0f / sqrt(variance + norm.epsilon));
  }
}

GLOW_WORK(rms_norm_f32) {
  Normalization::rowsOf(call.in.shape, call.axis).cut(work);
}
GLOW_KERNEL(rms_norm_f32) {
  Normalization norm(call);
  int64_t length = norm.rows.length;
  for (int64_t r = norm.rows.first(begin); r < norm.rows.last(end); ++r) {
    V16f squares = reduceRow<Sum>(norm.in + r * length, length, 0,
                                  [](V16f x) { return x * x; });
    norm.finish(r, splat<V16f>(0),
                1.0f / sqrt(squares / float(length) + norm.epsilon));
  }
}

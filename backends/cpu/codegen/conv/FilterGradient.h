//===- FilterGradient.h - sizes of the gradient of a filter -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_CONV_FILTERGRADIENT_H
#define GLOW_BACKENDS_CPU_CODEGEN_CONV_FILTERGRADIENT_H

#include "ConvSizes.h"

namespace glow::cpu {

/// Sizes along an axis.
struct GradientAxis {
  int64_t in, out, taps, stride, pad, dilation;

  /// The results for which a tap reads inside of the image.
  std::pair<int64_t, int64_t> inside(int64_t tap) const {
    const int64_t at = tap * dilation - pad; // of result 0
    const int64_t first = at < 0 ? (-at + stride - 1) / stride : 0;
    const int64_t end = at < in ? (in - at + stride - 1) / stride : 0;
    return {std::min(first, out), std::clamp(end, std::min(first, out), out)};
  }

  /// The results for which all taps read inside of the image.
  std::pair<int64_t, int64_t> inner() const {
    int64_t first = 0, end = out;
    for (int64_t tap = 0; tap < taps; ++tap) {
      auto [begin, last] = inside(tap);
      first = std::max(first, begin), end = std::min(end, last);
    }
    return first < end ? std::pair(first, end) : std::pair<int64_t, int64_t>();
  }
  /// The number of all other results.
  int64_t edges() const {
    auto [first, end] = inner();
    return out - (end - first);
  }
};

/// The rows, axis 0, or the columns, axis 1. A row is a plane of one row.
inline GradientAxis gradientAxis(const calls::CpuConvFilterGradientCall &call,
                                 size_t axis) {
  const size_t axes = call.strides.size();
  if (axes == 1 && axis == 0)
    return {1, 1, 1, 1, 0, 1};
  const size_t i = axes == 1 ? 0 : axis;
  const Ints in = call.in.shape(), out = call.gradient.shape();
  return {in[i + 2],       out[i + 2],   call.window[i],
          call.strides[i], call.pads[i], call.dilations[i]};
}

/// The input channels of a tile, of so many in a block: with more, loads take
/// longer than products.
inline int64_t gradientWidth(const Target &target, int64_t channels,
                             int64_t panel) {
  int64_t width = channels;
  while (!target.fits(width, panel) || width > 8)
    width = (width + 1) / 2;
  return width;
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_CONV_FILTERGRADIENT_H

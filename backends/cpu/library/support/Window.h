//===- Window.h - windows along one dimension of an image -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_WINDOW_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_WINDOW_H

#include "Support.h"

namespace glow::cpu {

/// The sizes of a window along one dimension of the image.
struct Axis {
  int64_t in = 1, out = 1, window = 1, stride = 1, pad = 0, dilation = 1;

  bool isPlain() const { return window == 1 && stride == 1 && in == out; }
  /// The taps of a window that lie in the image: [first, last).
  int64_t first(int64_t y) const {
    int64_t before = pad - y * stride;
    return before <= 0 ? 0 : smaller(window, dividedUp(before, dilation));
  }
  int64_t last(int64_t y) const {
    int64_t left = in + pad - y * stride;
    if (left > (window - 1) * dilation) // nearly always; a division is slow
      return window;
    return left <= 0 ? 0 : dividedUp(left, dilation);
  }
  int64_t at(int64_t y, int64_t tap) const {
    return y * stride + tap * dilation - pad;
  }
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_WINDOW_H

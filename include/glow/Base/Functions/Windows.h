//===- Windows.h - functions on windows over images -----------*- C++ -*-===//
//
// Pads of convolutions and pools, sizes of resized images. See Functions.h.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_WINDOWS_H
#define GLOW_BASE_FUNCTIONS_WINDOWS_H

#include "glow/Base/Functions/Lists.h"
#include <string>

namespace glow::expr {

/// Pads, all begins, then all ends, that are `total` together; the odd pixel at
/// the begin if `lower`.
inline Ints sharedPads(const Ints &total, bool lower) {
  Ints smaller = divide(total, 2), larger = subtract(total, smaller);
  return lower ? ints(larger, smaller) : ints(smaller, larger);
}
inline Ints windowPads(const std::string &mode, const Ints &image,
                       const Ints &extents, const Ints &strides,
                       const Ints &pads) {
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    // As many windows as strides in the image, the last one not full.
    Ints windows = divide(subtract(add(image, strides), 1), strides);
    Ints reach = add(multiply(subtract(windows, 1), strides), extents);
    Ints total = maximum(subtract(reach, image), repeat(0, size(image)));
    return sharedPads(total, mode == "SAME_LOWER");
  }
  return pads.empty() || mode == "VALID" ? repeat(0, 2 * size(image)) : pads;
}
/// Pads with more at the end, so that the last window that begins in the image
/// or the pad before it is full.
inline Ints ceilPads(const Ints &image, const Ints &extents,
                     const Ints &strides, const Ints &pads) {
  int64_t rank = size(image);
  Ints begins = take(pads, rank), ends = drop(pads, rank);
  Ints padded = add(add(image, begins), ends);
  Ints rest = subtract(padded, extents);
  Ints steps = divide(subtract(add(rest, strides), 1), strides);
  // The last window must not begin behind the image.
  for (int64_t i = 0; i < min(size(steps), rank); ++i)
    if (multiply(at(steps, i), at(strides, i)) >=
        add(at(image, i), at(begins, i)))
      steps[size_t(i)] = subtract(steps[size_t(i)], 1);
  Ints more = subtract(multiply(steps, strides), rest);
  return ints(begins, add(ends, maximum(more, repeat(0, rank))));
}
/// `full` are the sizes of a transposed convolution without pads.
inline Ints transposePads(const std::string &mode, const Ints &full,
                          const Ints &wanted, const Ints &, const Ints &pads) {
  if (!wanted.empty())
    return sharedPads(subtract(full, wanted), mode != "SAME_UPPER");
  return pads.empty() || mode != "NOTSET" ? repeat(0, 2 * size(full)) : pads;
}

inline Ints scaled(const Ints &shape, const Reals &scales) {
  Ints result;
  for (size_t i = 0; i < std::min(shape.size(), scales.size()); ++i)
    result.push_back(floor(double(shape[i]) * scales[i]));
  return result;
}
inline Ints roundScaled(const Ints &sizes, const Reals &scales) {
  Ints result;
  for (size_t i = 0; i < std::min(sizes.size(), scales.size()); ++i)
    result.push_back(floor(double(sizes[i]) * scales[i] + 0.5));
  return result;
}
inline double aspectScale(const Ints &sizes, const Ints &wanted, bool most) {
  double scale = 0;
  for (size_t i = 0; i < std::min(sizes.size(), wanted.size()); ++i) {
    double ratio = double(wanted[i]) / double(max(sizes[i], int64_t(1)));
    scale = i == 0 ? ratio : most ? min(scale, ratio) : max(scale, ratio);
  }
  return scale;
}
inline Reals ratios(const Ints &a, const Ints &b) {
  Reals result;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double ofNone = a[i] ? 0 : 1;
    result.push_back(b[i] ? double(a[i]) / double(b[i]) : ofNone);
  }
  return result;
}

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_WINDOWS_H

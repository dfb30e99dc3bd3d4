//===- ConvShape.h - shape of a CpuConv's reduction -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMMON_CONVSHAPE_H
#define GLOW_BACKENDS_CPU_COMMON_CONVSHAPE_H

#include "glow/Base/Ints.h"

namespace glow::cpu {

/// The shape of what is summed up for the result `shape`, before its pool.
inline Ints convolvedShape(Ints shape, const Ints &in, const Ints &filter,
                           const Ints &strides, const Ints &pads,
                           const Ints &dilations) {
  size_t spatial = strides.size();
  for (size_t i = 0; i < spatial; ++i)
    shape[i + 2] = (in[i + 2] + pads[i] + pads[i + spatial] -
                    dilations[i] * (filter[i + 2] - 1) - 1) /
                       strides[i] +
                   1;
  return shape;
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_CONVSHAPE_H

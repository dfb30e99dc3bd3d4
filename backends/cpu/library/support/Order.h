//===- Order.h - order of elements in a sort --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_ORDER_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_ORDER_H

#include "Support.h"

namespace glow::cpu::library {

/// NaN is before all others.
template <typename T> GLOW_INLINE bool isBefore(T a, T b, bool descending) {
  if (b != b)
    return false;
  return a != a || (descending ? a > b : a < b);
}

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_ORDER_H

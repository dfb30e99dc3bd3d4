//===- Elementwise.cpp - conversion between element kinds -----------------===//
// SPDX-License-Identifier: MIT

#include "KernelSupport.h"

using namespace glow;
using namespace glow::kernels;

/// A float as an integer: the nearest that fits, and 0 for NaN. Between
/// integers, the low bits.
template <typename To, typename From> static To converted(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_integral_v<To> && std::is_same_v<From, double>) {
    if (std::isnan(value))
      return 0;
    // The largest integer may round up as a double, hence >=.
    if (value >= static_cast<double>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    if (value <= static_cast<double>(std::numeric_limits<To>::lowest()))
      return std::numeric_limits<To>::lowest();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

Status kernels::cast(const CastCall &call) {
  visitKind(call.out.type->kind, [&]<typename To>(std::type_identity<To>) {
    visitKind(call.in.type->kind, [&]<typename From>(std::type_identity<From>) {
      auto *to = dataOf<To>(call.out);
      auto *from = dataOf<const From>(call.in);
      for (int64_t i = 0, count = call.out.type->elements(); i < count; ++i)
        to[i] = converted<To>(load(from[i]));
    });
  });
  return Status();
}

//===- Ints.h - lists of numbers --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_INTS_H
#define GLOW_BASE_INTS_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// Shapes, axes, strides, pads.
using Ints = std::vector<int64_t>;

/// Scales and other real attributes.
using Reals = std::vector<double>;

/// The product of the sizes; 1 for no sizes. Nothing if a size is negative or
/// the product does not fit. A size of 0 gives 0, even where the product of the
/// other sizes does not fit.
std::optional<int64_t> checkedProduct(std::span<const int64_t> sizes);

/// A shape as a user writes it: "1x3x224x224", "scalar" when there are no
/// dimensions, "?" for a negative size.
std::string shapeText(std::span<const int64_t> shape);

} // namespace glow

#endif // GLOW_BASE_INTS_H

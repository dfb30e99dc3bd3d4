//===- LayerKind.h - number formats of layers -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_LAYERKIND_H
#define GLOW_QUANTIZATION_LAYERKIND_H

#include <vector>

namespace glow {

/// The number format that a layer reads.
struct LayerKind {
  unsigned bits = 0;   ///< of integers, or 16 for bf16; 0: the model's floats
  bool isBF16 = false; ///< bf16 inputs, and then bf16 results as well

  bool isInteger() const { return bits && !isBF16; }
  bool operator==(const LayerKind &) const = default;
};

/// The kind of numbers that each layer reads. If activations stay floats, the
/// kind is that of its weights.
using LayerKinds = std::vector<LayerKind>;

constexpr LayerKind floats, bf16{16, true};

} // namespace glow

#endif // GLOW_QUANTIZATION_LAYERKIND_H

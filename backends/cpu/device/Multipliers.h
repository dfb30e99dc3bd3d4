//===- Multipliers.h - the fastest products of a processor ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_CPU_MULTIPLIERS_H
#define GLOW_CPU_MULTIPLIERS_H

#include "glow/Base/ElementKind.h"
#include <cstdint>
#include <vector>

namespace glow::cpu {

/// Multiplies in registers, as fast as this processor can, and adds up.
struct Multiplier {
  ElementKind kind; ///< element kind of the factors
  double productsOfRound;
  int64_t (*multiply)(int64_t rounds); ///< result depends on every product
};

/// A multiplier for f32, and one each for i8 and bf16 if the processor has
/// instructions for these kinds. Each uses the instruction of the backend's
/// code.
std::vector<Multiplier> multipliers();

} // namespace glow::cpu

#endif // GLOW_CPU_MULTIPLIERS_H

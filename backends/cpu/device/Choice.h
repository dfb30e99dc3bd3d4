//===- Choice.h - choices of code for a step --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_DEVICE_CHOICE_H
#define GLOW_BACKENDS_CPU_DEVICE_CHOICE_H

#include <string>

namespace glow::cpu {

/// The choices for a step, as text for reports.
struct StepChoice {
  std::string algorithm, tile, layout; ///< "" without a choice
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_CHOICE_H

//===- Choice.h - what was chosen for a step ------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_CHOICE_H
#define GLOW_BACKENDS_CPU_DEVICE_CHOICE_H

#include <string>

namespace glow::cpu {

/// For people.
struct StepChoice {
  std::string algorithm, tile, layout; ///< "" where there is no choice
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_CHOICE_H

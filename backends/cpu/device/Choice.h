//===- Choice.h - what was chosen for a step ------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_CHOICE_H
#define GLOW_BACKENDS_CPU_DEVICE_CHOICE_H

#include <string>

namespace glow::cpu {

/// For people, and for the prediction of the step's time.
struct StepChoice {
  std::string algorithm, tile, layout; ///< "" where there is no choice
  /// Vectors of 16 that are multiplied and added, with what tiles waste.
  double vectorProducts = 0;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_CHOICE_H

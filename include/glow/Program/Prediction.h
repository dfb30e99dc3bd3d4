//===- Prediction.h - predicted times of steps ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_PREDICTION_H
#define GLOW_PROGRAM_PREDICTION_H

#include "glow/Program/Program.h"

namespace glow {

/// Predicted seconds on one core of this processor, by its clock; 0 if unknown.
double predictedSeconds(const StepReport &step);
/// The same for all steps of a program, or for the steps of one node.
double predictedSeconds(const std::vector<StepReport> &steps);

} // namespace glow

#endif // GLOW_PROGRAM_PREDICTION_H

//===- Prediction.h - how long steps should take ----------------*- C++ -*-===//

#ifndef GLOW_PROGRAM_PREDICTION_H
#define GLOW_PROGRAM_PREDICTION_H

#include "glow/Program/Program.h"

namespace glow {

/// Seconds of one core of this processor, by its clock; 0 if nothing is known.
double predictedSeconds(const StepReport &step);
/// The same of all steps of a program, or of those that one node became.
double predictedSeconds(const std::vector<StepReport> &steps);

} // namespace glow

#endif // GLOW_PROGRAM_PREDICTION_H

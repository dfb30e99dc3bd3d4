//===- Prediction.cpp - predicted times of steps --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Prediction.h"
#include "glow/Base/Clock.h"

using namespace glow;

double glow::predictedSeconds(const StepReport &step) {
  return step.predictedCycles * double(step.runs.value_or(1)) /
         cyclesPerSecond();
}

double glow::predictedSeconds(const std::vector<StepReport> &steps) {
  double seconds = 0;
  for (const StepReport &step : steps)
    seconds += predictedSeconds(step);
  return seconds;
}

//===- Schedule.cpp - the learning rate of each step ----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Trainer/Trainer.h"
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace glow;

double RateSchedule::at(int64_t step, int64_t steps, int64_t perEpoch) const {
  if (step < warmUp)
    return rate * double(step + 1) / double(warmUp);
  if (name == "cosine") {
    const double done =
        double(step - warmUp) / double(std::max<int64_t>(1, steps - warmUp));
    return rate * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
  if (name == "step" && every > 0)
    return rate *
           std::pow(factor,
                    double(step / std::max<int64_t>(1, perEpoch) / every));
  return rate;
}

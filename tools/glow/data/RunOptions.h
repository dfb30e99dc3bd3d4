//===- RunOptions.h - options of glow run -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_DATA_RUNOPTIONS_H
#define GLOW_TOOLS_GLOW_DATA_RUNOPTIONS_H

#include "Inputs.h"
#include "cli/Tool.h"
#include "glow/Runtime/Compare.h"

namespace glow::tool {

struct RunOptions {
  ModelOptions model;
  InputOptions inputs;
  std::string dataSet, session, compare, outputDir, trace, json, stopAfter;
  std::optional<double> atol, rtol;
  unsigned repeat = 1;
  bool stages = false;

  Tolerance tolerance() const {
    Tolerance tolerance;
    if (model.code.math == Math::Fast)
      tolerance = tolerance.forFastMath();
    tolerance.atol = atol.value_or(tolerance.atol);
    tolerance.rtol = rtol.value_or(tolerance.rtol);
    if (rtol) // said for all kinds
      tolerance.rtolOfHalves = *rtol;
    return tolerance;
  }
};

/// Adds --specialize, whose word is `when`.
void addSpecializeOption(CLI::App &app, std::string &when);

/// Adds the flags of the above, but for those of the model. `phases` are the
/// words of --stop-after.
void addRunFlags(CLI::App &app, RunOptions &options,
                 const std::vector<std::string> &phases);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_DATA_RUNOPTIONS_H

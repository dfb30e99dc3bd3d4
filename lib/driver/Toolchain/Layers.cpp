//===- Layers.cpp - choices and times of layers ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Toolchain/Layers.h"
#include "glow/Base/Clock.h"
#include "glow/Program/Prediction.h"
#include "glow/Program/States.h"
#include "glow/Program/Updates.h"
#include "glow/Toolchain/Calibrate.h"
#include <algorithm>
#include <cmath>

using namespace glow;

void ChosenLayers::add(const Program &program) {
  arenaBytes = std::max(arenaBytes, program.arenaBytes);
  weightBytes += program.constantBytes();
  if (program.states)
    for (const StatePair &pair : *program.states)
      states.push_back(
          {pair,
           std::ranges::find(program.inputs, pair.input, &Binding::name)->type,
           growsInRuns(program, pair), updatesInPlace(program, pair)});
  std::vector<StepReport> reports = reportOf(program);
  std::vector<StepTypes> types = typesOf(program);
  types.resize(reports.size());
  for (size_t i = 0; i < reports.size(); ++i) {
    double predicted = predictedSeconds(reports[i]) * 1000;
    rows.push_back({std::move(reports[i]), std::move(types[i]), predicted});
  }
}

void ChosenLayers::addArithmetic(const std::map<std::string, double> &known,
                                 const CompileRequest &request) {
  std::map<std::string, std::pair<double, size_t>> nodes; // time and steps
  for (const ChosenLayer &layer : rows) {
    auto &[time, steps] = nodes[layer.report.node];
    time += layer.time(), ++steps;
  }
  operations = 0;
  for (const auto &[node, count] : known)
    operations += count;
  const double perMillisecond = cyclesPerSecond() / 1000;
  for (ChosenLayer &layer : rows) {
    auto found = known.find(layer.report.node);
    // A step that moves elements may have the name of a node whose arithmetic
    // is part of another step.
    if (found == known.end() || layer.report.moves)
      continue;
    auto [time, steps] = nodes[layer.report.node];
    double part = time > 0 ? layer.time() / time : 1 / double(steps);
    layer.operations = found->second * part;
    if (layer.types.operands.empty())
      continue;
    // A multiplication and an addition are two operations.
    double products = productsOf(request, layer.types.operands[0].kind);
    if (products > 0)
      layer.least = layer.operations / 2 / products / perMillisecond;
  }
}

Accuracy glow::accuracyOf(const std::vector<ChosenLayer> &layers) {
  Accuracy all;
  std::vector<std::pair<double, double>> errors; // and times
  for (const ChosenLayer &layer : layers)
    if (layer.isCompared()) {
      all.predicted += layer.predicted, all.measured += layer.measured;
      errors.emplace_back(std::abs(layer.ratio() - 1), layer.measured);
    }
  if (errors.empty())
    return all;
  std::sort(errors.begin(), errors.end());
  all.error = errors[errors.size() / 2].first;
  double time = 0;
  for (const auto &[error, own] : errors) {
    all.errorOfTime = error;
    if ((time += own) >= all.measured / 2)
      break;
  }
  return all;
}

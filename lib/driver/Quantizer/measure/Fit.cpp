//===- Fit.cpp - weights in blocks that fit data --------------------------===//
// SPDX-License-Identifier: MIT

#include "Fit.h"
#include "Shadow.h"
#include <algorithm>
#include <set>

using namespace glow;

namespace {

/// Layers whose moments are computed in the same runs.
class Fitting {
public:
  Fitting(ModelVersions &versions, const QuantizationRun &run)
      : versions(versions), run(run) {}

  Status fit(const std::vector<const GraphLayer *> &layers,
             const ForEachRun &runs);

private:
  Status count(const ForEachRun &runs);

  ModelVersions &versions;
  const QuantizationRun &run;
  std::map<std::string, Moments> moments; ///< of values, by name
};

} // namespace

Status Fitting::count(const ForEachRun &runs) {
  std::vector<std::string> shown;
  for (const auto &[value, own] : moments)
    shown.push_back(value);
  Result<std::unique_ptr<ModelRun>> ready =
      ModelRun::of(versions.floats(shown), run);
  if (!ready)
    return ready.status();
  return runs([&](std::span<const NamedTensor> inputs) {
    Result<Floats> values = runOnce(**ready, inputs);
    if (!values)
      return values.status();
    for (const NamedTensor &input : inputs)
      if (moments.contains(input.name))
        values->emplace(input.name, floatsOf(input.tensor).value());
    for (auto &[name, own] : moments)
      own.add(values->at(name), run.threads);
    return Status();
  });
}

Status Fitting::fit(const std::vector<const GraphLayer *> &layers,
                    const ForEachRun &runs) {
  for (const GraphLayer *layer : layers)
    moments[layer->activations.front()] = {
        layer->inner, 0, std::vector<double>(layer->inner * layer->inner)};
  if (Status status = count(runs); !status.ok())
    return status;
  std::map<std::string, Moments> ofWeights;
  for (const GraphLayer *layer : layers) {
    const Moments &own = moments.at(layer->activations.front());
    auto [found, isFirst] = ofWeights.try_emplace(layer->blocks, own);
    // Weights of several products fit the sum of their moments.
    if (isFirst)
      continue;
    found->second.rows += own.rows;
    for (size_t i = 0; i < own.sums.size(); ++i)
      found->second.sums[i] += own.sums[i];
  }
  return versions.fit(ofWeights);
}

Status glow::fitWeights(ModelVersions &versions, const ForEachRun &runs,
                        const QuantizationRun &run) {
  constexpr size_t limit = size_t(1) << 30; // bytes of moments
  std::set<std::string> fitted = {""};
  std::vector<const GraphLayer *> layers;
  size_t bytes = 0;
  const auto fit = [&] {
    Status status = Fitting(versions, run).fit(layers, runs);
    layers.clear(), bytes = 0;
    return status;
  };
  for (const GraphLayer &first : versions.layers()) {
    if (!fitted.insert(first.blocks).second)
      continue;
    const size_t more = first.inner * first.inner * sizeof(double);
    if (!layers.empty() && bytes + more > limit)
      if (Status status = fit(); !status.ok())
        return status;
    bytes += more;
    for (const GraphLayer &layer : versions.layers())
      if (layer.blocks == first.blocks)
        layers.push_back(&layer);
  }
  return layers.empty() ? Status() : fit();
}

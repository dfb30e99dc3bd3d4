//===- Shadow.cpp - integers beside floats --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Shadow.h"
#include <algorithm>
#include <cmath>

using namespace glow;

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

void Noise::add(std::span<const float> expected,
                std::span<const float> actual) {
  for (size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    const double a = double(expected[i]), b = double(actual[i]);
    signal += a * a, other += b * b, product += a * b;
    noise += (a - b) * (a - b);
    largest = std::max(largest, std::abs(a - b));
  }
}

double Noise::decibels() const {
  return noise > 0 ? 10 * std::log10(signal / noise)
                   : std::numeric_limits<double>::infinity();
}

double Noise::relative() const {
  if (noise == 0)
    return 0;
  return signal > 0 ? std::sqrt(noise / signal)
                    : std::numeric_limits<double>::infinity();
}

double Noise::cosine() const {
  const double size = std::sqrt(signal * other);
  return size > 0 ? product / size : signal == other ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// Layer by layer
//===----------------------------------------------------------------------===//

namespace {

/// The two models that are compared, and their runs.
class Measurement {
public:
  Measurement(ModelVersions &versions, const LayerKinds &kinds,
              std::vector<QuantizedLayer> &layers)
      : versions(versions), kinds(kinds), layers(layers),
        clipped(layers.size()) {}

  Status prepare(const QuantizationRun &run);
  Status add(std::span<const NamedTensor> inputs);
  void finish(std::vector<OutputNoise> &outputs);

private:
  void addClipped(const Floats &values);

  ModelVersions &versions;
  const LayerKinds &kinds;
  std::vector<QuantizedLayer> &layers;
  std::vector<std::string> copies; ///< results of layers by themselves
  std::unique_ptr<ModelRun> floats, whole;
  std::map<std::string, Noise> noise; ///< of outputs
  /// By layer and value: the number of elements out of range, and of all
  /// elements.
  std::vector<std::map<std::string, std::pair<double, double>>> clipped;
};

} // namespace

Result<Floats> glow::runOnce(ModelRun &run,
                             std::span<const NamedTensor> inputs) {
  std::vector<NamedTensor> outputs;
  if (Status status = run.run(inputs, outputs); !status.ok())
    return status;
  Floats values;
  for (const NamedTensor &output : outputs)
    if (std::optional<std::vector<float>> floats = floatsOf(output.tensor))
      values[output.name] = std::move(*floats);
  return values;
}

Status Measurement::prepare(const QuantizationRun &run) {
  std::vector<std::string> results;
  for (const GraphLayer &layer : versions.layers())
    results.push_back(layer.result);
  std::vector<std::string> shown = results;
  if (versions.options().activationBits)
    for (const GraphLayer &layer : versions.layers())
      shown.insert(shown.end(), layer.activations.begin(),
                   layer.activations.end());
  for (const std::string &output : versions.outputs())
    noise[output];
  Result<std::unique_ptr<ModelRun>> ready =
      ModelRun::of(versions.beside(kinds, shown, copies), run);
  if (!ready)
    return ready.status();
  floats = ready.take();
  ready = ModelRun::of(versions.quantized(kinds, results), run);
  if (ready)
    whole = ready.take();
  return ready.status();
}

void Measurement::addClipped(const Floats &values) {
  for (size_t i = 0; i < layers.size(); ++i)
    for (const std::string &value : versions.layers()[i].activations) {
      const auto found = values.find(value);
      if (!kinds[i].isInteger() || found == values.end())
        continue;
      const Parameters own = versions.parametersOf(value, kinds[i].bits);
      auto &[outside, all] = clipped[i][value];
      outside += double(std::ranges::count_if(
          found->second, [&](float element) { return own.clips(element); }));
      all += double(found->second.size());
    }
}

Status Measurement::add(std::span<const NamedTensor> inputs) {
  Result<Floats> exact = runOnce(*floats, inputs);
  if (!exact)
    return exact.status();
  Result<Floats> rounded = runOnce(*whole, inputs);
  if (!rounded)
    return rounded.status();
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::string &result = versions.layers()[i].result;
    layers[i].alone.add((*exact)[result], (*exact)[copies[i]]);
    layers[i].upTo.add((*exact)[result], (*rounded)[result]);
  }
  for (auto &[name, one] : noise)
    one.add((*exact)[name], (*rounded)[name]);
  if (!versions.options().activationBits)
    return Status();
  for (const NamedTensor &input : inputs)
    if (std::optional<std::vector<float>> values = floatsOf(input.tensor))
      exact->try_emplace(input.name, std::move(*values));
  addClipped(*exact);
  return Status();
}

void Measurement::finish(std::vector<OutputNoise> &outputs) {
  outputs.clear();
  for (const auto &[name, one] : noise)
    if (one.signal > 0 || one.noise > 0)
      outputs.push_back({name, one});
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i].clipped = 0;
    for (const auto &[name, counts] : clipped[i])
      layers[i].clipped = std::max(layers[i].clipped,
                                   counts.first / std::max(1.0, counts.second));
  }
}

Status glow::measureLayers(ModelVersions &versions, const LayerKinds &kinds,
                           std::vector<QuantizedLayer> &layers,
                           std::vector<OutputNoise> &outputs,
                           const ForEachRun &runs, const QuantizationRun &run) {
  Measurement measurement(versions, kinds, layers);
  Status status = measurement.prepare(run);
  if (status.ok())
    status = runs([&](std::span<const NamedTensor> inputs) {
      return measurement.add(inputs);
    });
  if (status.ok())
    measurement.finish(outputs);
  return status;
}

//===- Shadow.cpp - integers beside floats --------------------------------===//

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

static void show(ModelEdit &model, const std::vector<Layer> &layers) {
  std::set<std::string> shown;
  for (const Layer &layer : layers)
    if (!model.isOutput(layer.result) && shown.insert(layer.result).second)
      model.graph().add_output()->set_name(layer.result);
}

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

Status glow::measureLayers(const Source &source, const LayerBits &bits,
                           std::vector<QuantizedLayer> &layers,
                           const ForEachRun &runs, const QuantizationRun &run) {
  std::vector<std::string> copies;
  ModelEdit beside = shadowed(source, bits, copies);
  show(beside, source.layers);
  ModelEdit integers = quantized(source, bits);
  show(integers, source.layers);
  Result<std::unique_ptr<ModelRun>> floats = ModelRun::of(beside.proto, run);
  if (!floats)
    return floats.status();
  Result<std::unique_ptr<ModelRun>> whole = ModelRun::of(integers.proto, run);
  if (!whole)
    return whole.status();
  return runs([&](std::span<const NamedTensor> inputs) {
    Result<Floats> exact = runOnce(**floats, inputs);
    if (!exact)
      return exact.status();
    Result<Floats> rounded = runOnce(**whole, inputs);
    if (!rounded)
      return rounded.status();
    for (size_t i = 0; i < layers.size(); ++i) {
      const std::string &result = source.layers[i].result;
      layers[i].alone.add((*exact)[result], (*exact)[copies[i]]);
      layers[i].upTo.add((*exact)[result], (*rounded)[result]);
    }
    return Status();
  });
}

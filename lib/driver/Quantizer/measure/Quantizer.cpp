//===- Quantizer.cpp - from floats to integers ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Fit.h"
#include "Shadow.h"
#include "insert/Drawing.h"
#include "insert/Prepare.h"
#include <algorithm>
#include <array>

using namespace glow;

namespace {

class ModelQuantizer final : public Quantizer {
public:
  Status open(const std::string &path, const Profile *profile,
              const QuantizeOptions &options, const QuantizationRun &how);

  const std::vector<QuantizedLayer> &layers() const override { return reports; }
  const std::vector<std::string> &notes() const override { return remarks; }
  const std::vector<OutputNoise> &outputs() const override { return results; }
  Status fit(const ForEachRun &runs) override;
  Status measure(const ForEachRun &runs) override;
  Result<BoundReport> meet(double bound, const ForEachRun &runs,
                           const TimeOf &timeOf) override;
  Result<std::string> model() override;
  std::string drawing() const override { return drawingOf(source, reports); }

private:
  void raise();
  Status readConstants();
  void keepUsable();
  void report();
  bool isUsable(Layer &layer);
  bool isUsable(const std::string &value, const Layer &layer);
  bool isUsable(const Layer &layer, const Operand &operand);
  LayerKinds kinds() const;

  Source source;
  QuantizationRun run;
  std::vector<QuantizedLayer> reports;
  std::vector<OutputNoise> results;
  std::vector<std::string> remarks;
};

} // namespace

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Whether a value is floats with a range for which a float scale is precise
/// enough.
bool ModelQuantizer::isUsable(const std::string &value, const Layer &layer) {
  auto found = source.values.find(value);
  if (found == source.values.end() || found->second.kind != ElementKind::F32)
    return false;
  const ValueProfile &profile = found->second;
  const bool fits = hasScale(std::array{profile.low, profile.high});
  if (!fits)
    remarks.push_back("'" + layer.name + "' stays in floats: '" + value +
                      "' has elements beyond 1e30");
  return fits;
}

/// The same for a constant.
bool ModelQuantizer::isUsable(const Layer &layer, const Operand &operand) {
  auto found = source.constants.find(operand.value);
  if (found == source.constants.end() ||
      found->second.type().kind != ElementKind::F32 ||
      found->second.type().elements() == 0)
    return false;
  const bool isFinite = hasScale(found->second.elements<float>());
  if (!isFinite)
    remarks.push_back("'" + layer.name + "' stays in floats: its constant '" +
                      operand.value + "' has elements that are not finite");
  return isFinite;
}

bool ModelQuantizer::isUsable(Layer &layer) {
  const QuantizeOptions &options = source.options;
  const Wish wish =
      options.wish ? options.wish(layer.name, layer.op) : Wish::None;
  layer.isAsked = wish == Wish::Integers;
  if (wish == Wish::Floats)
    return false;
  auto isFloat = [&](const Operand &operand) {
    return isUsable(layer, operand);
  };
  if (options.activationBits == 0)
    return layer.weights && isFloat(*layer.weights) &&
           (!layer.activations.empty() ||
            std::ranges::all_of(layer.others, isFloat));
  return std::ranges::all_of(layer.activations,
                             [&](const Operand &operand) {
                               return isUsable(operand.value, layer);
                             }) &&
         std::ranges::all_of(layer.others, isFloat) &&
         (!layer.weights || isFloat(*layer.weights)) &&
         (!layer.bias || isFloat(*layer.bias));
}

Status ModelQuantizer::readConstants() {
  std::set<std::string> names;
  for (const Layer &layer : source.layers) {
    for (const Operand &operand : layer.others)
      names.insert(operand.value);
    if (layer.weights)
      names.insert(layer.weights->value);
    if (layer.bias)
      names.insert(layer.bias->value);
  }
  Result<std::map<std::string, Tensor>> constants =
      constantsOf(source.model, names, run);
  if (!constants)
    return constants.status();
  source.constants = constants.take();
  return Status();
}

void ModelQuantizer::keepUsable() {
  std::erase_if(source.layers, [&](Layer &layer) { return !isUsable(layer); });
}

/// Adds remarks on values of a profile that are 0 in all runs.
static void remarkZeros(const Source &source,
                        std::vector<std::string> &remarks) {
  std::set<std::string> reported;
  for (const Layer &layer : source.layers)
    for (const Operand &operand : layer.activations) {
      auto found = source.values.find(operand.value);
      if (found != source.values.end() && found->second.low == 0 &&
          found->second.high == 0 && reported.insert(operand.value).second)
        remarks.push_back("all " + std::to_string(found->second.count) +
                          " elements of '" + operand.value +
                          "' are 0; its scale is 1");
    }
}

/// Raises the opset: integer operators exist from opset 10 on, axes of scales
/// from 13.
void ModelQuantizer::raise() {
  constexpr int64_t least = 10, wanted = 13;
  const int64_t opset = source.model.opset("");
  if (opset == 0 || opset >= least || source.options.block)
    return;
  const std::string blocker = raiseOpset(source.model, least, wanted);
  if (!blocker.empty())
    remarks.push_back("the model stays in opset " + std::to_string(opset) +
                      ", since " + blocker +
                      " may mean something else in opset 10: other runtimes "
                      "may refuse the file");
}

Status ModelQuantizer::open(const std::string &path, const Profile *profile,
                            const QuantizeOptions &options,
                            const QuantizationRun &how) {
  Result<ModelEdit> model = ModelEdit::read(path, how);
  if (!model)
    return model.status();
  if (profile && profile->model != model->hash.text())
    return failure(Code::InvalidArgument,
                   "the profile is of a model with hash ", profile->model,
                   ", but ", path, " has hash ", model->hash.text());
  if (profile && profile->what == Counted::Steps)
    return Status(Code::InvalidArgument,
                  "the profile is of what nodes are lowered to, it should be "
                  "of the model's values: leave out --after-lowering");
  source.model = model.take(), source.options = options, run = how;
  source.model.tidy();
  raise();
  source.layers = layersOf(source.model);
  if (profile)
    source.values = profile->values;
  if (Status status = readConstants(); !status.ok())
    return status;
  if (profile)
    if (Status status = foldAffine(source, run); !status.ok())
      return status;
  if (options.equalize && profile)
    remarks.push_back(std::to_string(glow::equalize(source)) +
                      " pairs of neighbours are equalized");
  keepUsable();
  if (const size_t gone = keepBetween(source))
    remarks.push_back(std::to_string(gone) +
                      " nodes without weights stay in floats: what they read, "
                      "or what reads them, does");
  if (source.layers.empty())
    return failure(Code::NotFound, path,
                   ": no node can be integers, or is asked to be");
  if (options.activationBits)
    remarkZeros(source, remarks);
  report();
  return Status();
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

/// Channels whose range is many times the median range.
static std::vector<int64_t> outliersOf(const ValueProfile &value) {
  std::vector<float> sizes, sorted;
  for (const ChannelRange &channel : value.channels)
    sizes.push_back(std::max(-channel.low, channel.high));
  sorted = sizes;
  std::ranges::sort(sorted);
  std::vector<int64_t> outliers;
  constexpr float times = 8;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > times * sorted[sorted.size() / 2])
      outliers.push_back(int64_t(i));
  return outliers;
}

static double elementsOf(const ValueProfile &value) {
  double count = 1;
  for (int64_t size : value.shape)
    count *= double(size);
  return count;
}

/// The number of products in a run; for a layer without weights, its elements.
static double workOf(const Source &source, const Layer &layer) {
  auto result = source.values.find(layer.result);
  const double elements =
      result == source.values.end() ? 1 : elementsOf(result->second);
  if (!layer.weights)
    return elements;
  const Tensor &weights = source.constants.at(layer.weights->value);
  const Ints &shape = weights.type().shape;
  const int64_t out = wrapped(layer.weights->axis, shape.size());
  const double channels = out < 0 ? 1 : double(shape[size_t(out)]);
  return elements * double(weights.type().elements()) / std::max(1.0, channels);
}

void ModelQuantizer::report() {
  const unsigned bits = source.options.activationBits;
  for (const Layer &layer : source.layers) {
    QuantizedLayer row;
    row.name = layer.name, row.op = layer.op;
    row.kind.bits = bits ? bits : source.options.weightBits;
    row.work = workOf(source, layer);
    for (const Operand &operand : layer.activations) {
      auto found = source.values.find(operand.value);
      if (!bits || found == source.values.end())
        continue;
      const ValueProfile &value = found->second;
      const Range range = rangeOf(value, source.options, bits);
      const double outside =
          double(value.histogram.outside(range.low, range.high));
      row.clipped = std::max(row.clipped, outside / double(value.count));
      const std::vector<int64_t> outliers = outliersOf(value);
      row.outliers.insert(row.outliers.end(), outliers.begin(), outliers.end());
    }
    reports.push_back(std::move(row));
  }
}

LayerKinds ModelQuantizer::kinds() const {
  LayerKinds kinds;
  for (const QuantizedLayer &layer : reports)
    kinds.push_back(layer.kind);
  return kinds;
}

Result<std::string> ModelQuantizer::model() {
  std::string bytes;
  if (!quantized(source, kinds()).proto.SerializeToString(&bytes))
    return failure(Code::Unsupported, source.model.path,
                   ": the quantised model would have more than 2 GB");
  return bytes;
}

Status ModelQuantizer::fit(const ForEachRun &runs) {
  return fitWeights(source, runs, run);
}

Status ModelQuantizer::measure(const ForEachRun &runs) {
  return measureLayers(source, kinds(), reports, results, runs, run);
}

Result<BoundReport> ModelQuantizer::meet(double bound, const ForEachRun &runs,
                                         const TimeOf &timeOf) {
  return meetBound(source, reports, bound, runs, run, timeOf);
}

Result<std::unique_ptr<Quantizer>>
Quantizer::open(const std::string &model, const Profile *profile,
                const QuantizeOptions &options, const QuantizationRun &run) {
  auto quantizer = std::make_unique<ModelQuantizer>();
  if (Status status = quantizer->open(model, profile, options, run);
      !status.ok())
    return status;
  return std::unique_ptr<Quantizer>(std::move(quantizer));
}

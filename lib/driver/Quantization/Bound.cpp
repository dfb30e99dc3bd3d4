//===- Bound.cpp - as few bits as a bound allows --------------------------===//

#include "Shadow.h"
#include <algorithm>
#include <cmath>

using namespace glow;

namespace {

/// Runs versions of a model, against what floats give.
class Judge {
public:
  Judge(const Source &source, const ForEachRun &runs,
        const QuantizationRun &run)
      : source(source), runs(runs), run(run) {}

  /// Keeps the outputs of floats.
  Status prepare();

  /// The largest relative error of an output over all runs.
  Result<double> errorOf(const LayerBits &bits);

  /// The bytes of a version.
  std::string modelOf(const LayerBits &bits) const {
    return quantized(source, bits).proto.SerializeAsString();
  }

private:
  const Source &source;
  const ForEachRun &runs;
  const QuantizationRun &run;
  std::vector<Floats> exact;
};

} // namespace

Status Judge::prepare() {
  Result<std::unique_ptr<ModelRun>> floats =
      ModelRun::of(source.model.proto, run);
  if (!floats)
    return floats.status();
  return runs([&](std::span<const NamedTensor> inputs) {
    Result<Floats> values = runOnce(**floats, inputs);
    if (values)
      exact.push_back(values.take());
    return values.status();
  });
}

Result<double> Judge::errorOf(const LayerBits &bits) {
  Result<std::unique_ptr<ModelRun>> ready =
      ModelRun::of(quantized(source, bits).proto, run);
  if (!ready)
    return ready.status();
  std::map<std::string, Noise> noise;
  size_t at = 0;
  Status status = runs([&](std::span<const NamedTensor> inputs) {
    Result<Floats> values = runOnce(**ready, inputs);
    if (values)
      for (const auto &[name, expected] : exact[at])
        noise[name].add(expected, (*values)[name]);
    ++at;
    return values.status();
  });
  if (!status.ok())
    return status;
  double largest = 0;
  for (const auto &[name, one] : noise)
    largest = std::max(largest, one.relative());
  return largest;
}

/// Each layer's error by itself.
static Status predict(Judge &judge, std::vector<QuantizedLayer> &layers) {
  for (size_t i = 0; i < layers.size(); ++i) {
    LayerBits bits(layers.size());
    bits[i] = layers[i].bits;
    Result<double> error = judge.errorOf(bits);
    if (!error)
      return error.status();
    layers[i].predicted = *error;
  }
  return Status();
}

/// Errors of layers are taken for independent: their squares add up.
static double predictedError(const std::vector<QuantizedLayer> &layers,
                             const std::vector<size_t> &order, size_t kept) {
  double squares = 0;
  for (size_t i = kept; i < order.size(); ++i)
    squares += std::pow(layers[order[i]].predicted, 2);
  return std::sqrt(squares);
}

/// Layers by the error that each saves for the work that it then takes.
static std::vector<size_t> orderOf(const std::vector<QuantizedLayer> &layers) {
  std::vector<size_t> order(layers.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  auto gain = [&](size_t i) {
    return std::pow(layers[i].predicted, 2) / std::max(1.0, layers[i].work);
  };
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return std::pair(-gain(a), a) < std::pair(-gain(b), b);
  });
  return order;
}

/// Gives the first `kept` of the order other bits. Those that are read by more
/// than one layer are quantized twice then.
static LayerBits bitsWith(const std::vector<QuantizedLayer> &layers,
                          const std::vector<size_t> &order, size_t kept,
                          unsigned other) {
  LayerBits bits;
  for (const QuantizedLayer &layer : layers)
    bits.push_back(layer.bits);
  for (size_t i = 0; i < kept; ++i)
    bits[order[i]] = other;
  return bits;
}

/// The fewest that meet the bound with `other` bits: as many as are predicted,
/// then more until it is so, then fewer as long as it is so. Nothing if not
/// even all do.
static Result<std::optional<std::pair<size_t, double>>>
fewest(Judge &judge, const std::vector<QuantizedLayer> &layers,
       const std::vector<size_t> &order, double bound, unsigned other) {
  std::optional<std::pair<size_t, double>> best;
  size_t low = 0, high = order.size(), next = 0;
  while (next < order.size() && predictedError(layers, order, next) > bound)
    ++next;
  while (true) {
    Result<double> error = judge.errorOf(bitsWith(layers, order, next, other));
    if (!error)
      return error.status();
    if (*error <= bound)
      best = {next, *error}, high = next;
    else
      low = next + 1;
    if (low >= high && best)
      return best;
    if (low > order.size())
      return best;
    next = low + (high - low) / 2;
  }
}

namespace {

/// A version of the model that meets the bound.
struct Candidate {
  LayerBits bits;
  BoundReport report;
  std::optional<double> time;
};

} // namespace

/// More bits than 8 are of use where integers of 16 are faster than floats.
static std::vector<unsigned> choicesOf(const Source &source, const Judge &judge,
                                       size_t layers, const TimeOf &timeOf) {
  // Where activations are floats already, there is nothing in between.
  if (source.options.activationBits != 8)
    return {0};
  if (!timeOf)
    return {16, 0};
  const std::optional<double> floats = timeOf(judge.modelOf(LayerBits(layers))),
                              wide =
                                  timeOf(judge.modelOf(LayerBits(layers, 16u)));
  return floats && wide && *wide >= *floats ? std::vector<unsigned>{0}
                                            : std::vector<unsigned>{16, 0};
}

static bool isFaster(const Candidate &one, const Candidate &other) {
  return one.time && other.time && *one.time < *other.time;
}

Result<BoundReport> glow::meetBound(const Source &source,
                                    std::vector<QuantizedLayer> &layers,
                                    double bound, const ForEachRun &runs,
                                    const QuantizationRun &run,
                                    const TimeOf &timeOf) {
  Judge judge(source, runs, run);
  if (Status status = judge.prepare(); !status.ok())
    return status;
  if (Status status = predict(judge, layers); !status.ok())
    return status;
  const std::vector<size_t> order = orderOf(layers);
  std::optional<Candidate> best;
  for (unsigned other : choicesOf(source, judge, layers.size(), timeOf)) {
    auto found = fewest(judge, layers, order, bound, other);
    if (!found)
      return found.status();
    if (!*found)
      continue;
    const auto [kept, reached] = **found;
    Candidate one{bitsWith(layers, order, kept, other),
                  {predictedError(layers, order, kept), reached, true},
                  std::nullopt};
    if (timeOf)
      one.time = timeOf(judge.modelOf(one.bits));
    if (!best || isFaster(one, *best))
      best = std::move(one);
    // No layer needs another choice, or none can be told to be faster.
    if (kept == 0 || !best->time)
      break;
  }
  if (best) {
    for (size_t i = 0; i < layers.size(); ++i)
      layers[i].bits = best->bits[i];
    return best->report;
  }
  // Without a layer in integers the file is still there.
  Result<double> reached = judge.errorOf(LayerBits(layers.size()));
  if (!reached)
    return reached.status();
  for (QuantizedLayer &layer : layers)
    layer.bits = 0;
  return BoundReport{0, *reached, false};
}

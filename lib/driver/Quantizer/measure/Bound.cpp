//===- Bound.cpp - as few bits as a bound allows --------------------------===//
// SPDX-License-Identifier: MIT

#include "Shadow.h"
#include <algorithm>
#include <cmath>

using namespace glow;

namespace {

/// Runs versions of a model and compares them with the floating-point model.
class Judge {
public:
  Judge(ModelVersions &versions, const ForEachRun &runs,
        const QuantizationRun &run)
      : versions(versions), runs(runs), run(run) {}

  /// Records the outputs of the floating-point model.
  Status prepare();

  /// The largest relative error of an output over all runs.
  Result<double> errorOf(const LayerKinds &kinds);

  /// The bytes of a version of the model.
  Result<std::string> modelOf(const LayerKinds &kinds) const {
    return versions.quantized(kinds, {});
  }

private:
  ModelVersions &versions;
  const ForEachRun &runs;
  const QuantizationRun &run;
  std::vector<Floats> exact;
};

} // namespace

Status Judge::prepare() {
  Result<std::unique_ptr<ModelRun>> floats =
      ModelRun::of(versions.floats({}), run);
  if (!floats)
    return floats.status();
  return runs([&](std::span<const NamedTensor> inputs) {
    Result<Floats> values = runOnce(**floats, inputs);
    if (values)
      exact.push_back(values.take());
    return values.status();
  });
}

Result<double> Judge::errorOf(const LayerKinds &kinds) {
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(modelOf(kinds), run);
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

/// Predicts the error of each layer by itself.
static Status predict(Judge &judge, std::vector<QuantizedLayer> &layers) {
  for (size_t i = 0; i < layers.size(); ++i) {
    LayerKinds kinds(layers.size());
    kinds[i] = layers[i].kind;
    Result<double> error = judge.errorOf(kinds);
    if (!error)
      return error.status();
    layers[i].predicted = *error;
  }
  return Status();
}

/// Errors of layers count as independent: their squares add up.
static double predictedError(const std::vector<QuantizedLayer> &layers,
                             const std::vector<size_t> &order, size_t kept) {
  double squares = 0;
  for (size_t i = kept; i < order.size(); ++i)
    squares += std::pow(layers[order[i]].predicted, 2);
  return std::sqrt(squares);
}

/// Orders layers by the error that each would save, relative to its additional
/// work.
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

namespace {

/// An alternative kind for layers, and the layers that may have it.
struct Choice {
  LayerKind kind;
  std::vector<bool> may; ///< of each layer; the others are floats

  LayerKind of(size_t layer) const { return may[layer] ? kind : floats; }
  LayerKinds ofAll() const {
    LayerKinds kinds;
    for (size_t i = 0; i < may.size(); ++i)
      kinds.push_back(of(i));
    return kinds;
  }
};

} // namespace

/// Gives the first `kept` layers of the order another kind. A value that
/// several layers read is then quantized twice.
static LayerKinds kindsWith(const std::vector<QuantizedLayer> &layers,
                            const std::vector<size_t> &order, size_t kept,
                            const Choice &other) {
  LayerKinds kinds;
  for (const QuantizedLayer &layer : layers)
    kinds.push_back(layer.kind);
  for (size_t i = 0; i < kept; ++i)
    kinds[order[i]] = other.of(order[i]);
  return kinds;
}

/// The smallest number of layers of the other kind that meets the bound. The
/// search starts at the predicted number, goes up until the bound is met, and
/// then down. Nullopt if not even all layers meet the bound.
static Result<std::optional<std::pair<size_t, double>>>
fewest(Judge &judge, const std::vector<QuantizedLayer> &layers,
       const std::vector<size_t> &order, double bound, const Choice &other) {
  std::optional<std::pair<size_t, double>> best;
  size_t low = 0, high = order.size(), next = 0;
  while (next < order.size() && predictedError(layers, order, next) > bound)
    ++next;
  while (true) {
    Result<double> error = judge.errorOf(kindsWith(layers, order, next, other));
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
  LayerKinds kinds;
  BoundReport report;
  std::optional<double> time;
};

/// Chooses the fastest version.
class Chooser {
public:
  Chooser(Judge &judge, const ModelVersions &versions,
          std::vector<QuantizedLayer> &layers, double bound,
          const TimeOf &timeOf)
      : judge(judge), layers(layers), bound(bound), timeOf(timeOf),
        order(orderOf(layers)),
        isWhole(versions.options().activationBits == 8) {
    for (const GraphLayer &layer : versions.layers())
      mayBeBF16.push_back(layer.mayBeBF16);
  }

  /// The best version; nullopt if even floats exceed the bound.
  Result<std::optional<Candidate>> choose();

private:
  std::vector<Choice> choices();
  bool isFasterThanFloats(const Choice &choice, bool ifUnknown);
  Result<std::optional<Candidate>> withOther(const Choice &choice);
  Status refine(Candidate &best);
  Result<std::optional<Candidate>> betterThan(const Candidate *other,
                                              LayerKinds kinds);
  Status tryKind(Candidate &best, size_t layer, LayerKind kind);
  Status tryAllBF16(std::optional<Candidate> &best);
  std::optional<double> timeWith(const LayerKinds &kinds) {
    Result<std::string> model = judge.modelOf(kinds);
    return timeOf && model ? timeOf(*model) : std::nullopt;
  }

  Judge &judge;
  const std::vector<QuantizedLayer> &layers;
  const double bound;
  const TimeOf &timeOf;
  const std::vector<size_t> order;
  std::vector<bool> mayBeBF16;
  const bool isWhole; ///< of activations, too
  std::optional<double> timeOfFloats;
  bool triesBF16 = false;
};

} // namespace

static bool isFaster(std::optional<double> one, std::optional<double> other) {
  return one && other && *one < *other;
}

bool Chooser::isFasterThanFloats(const Choice &choice, bool ifUnknown) {
  const std::optional<double> time = timeWith(choice.ofAll());
  return time && timeOfFloats ? *time < *timeOfFloats : ifUnknown;
}

/// The kinds that are worth trying: kinds other than floats must be faster.
std::vector<Choice> Chooser::choices() {
  std::vector<Choice> all;
  // If activations are floats already, no kind lies in between.
  if (isWhole) {
    timeOfFloats = timeWith(LayerKinds(layers.size()));
    const Choice wide{{16}, std::vector<bool>(layers.size(), true)};
    if (isFasterThanFloats(wide, /*ifUnknown=*/true))
      all.push_back(wide);
    const Choice half{bf16, mayBeBF16};
    triesBF16 = std::ranges::count(mayBeBF16, true) &&
                isFasterThanFloats(half, /*ifUnknown=*/false);
    if (triesBF16)
      all.push_back(half);
  }
  all.push_back({floats, std::vector<bool>(layers.size())});
  return all;
}

Result<std::optional<Candidate>> Chooser::withOther(const Choice &choice) {
  auto found = fewest(judge, layers, order, bound, choice);
  if (!found)
    return found.status();
  if (!*found)
    return std::optional<Candidate>();
  const auto [kept, reached] = **found;
  Candidate made{kindsWith(layers, order, kept, choice),
                 {predictedError(layers, order, kept), reached, true},
                 std::nullopt};
  made.time = timeWith(made.kinds);
  return std::optional(std::move(made));
}

/// The candidate of these kinds, if it meets the bound and is faster than
/// `other`, which may be null.
Result<std::optional<Candidate>> Chooser::betterThan(const Candidate *other,
                                                     LayerKinds kinds) {
  const std::optional<double> time = timeWith(kinds);
  if (other && !isFaster(time, other->time))
    return std::optional<Candidate>();
  Result<double> reached = judge.errorOf(kinds);
  if (!reached)
    return reached.status();
  if (*reached > bound)
    return std::optional<Candidate>();
  return std::optional(Candidate{std::move(kinds), {0, *reached, true}, time});
}

/// Gives a layer another kind, if the model is then faster and meets the bound.
Status Chooser::tryKind(Candidate &best, size_t layer, LayerKind kind) {
  if (best.kinds[layer] == kind)
    return Status();
  LayerKinds kinds = best.kinds;
  kinds[layer] = kind;
  Result<std::optional<Candidate>> found = betterThan(&best, std::move(kinds));
  if (found && *found)
    best = std::move(**found);
  return found.status();
}

/// Tries bf16 layer by layer, until the time no longer falls, as the cost of a
/// layer depends on its neighbours. Floats replace bf16 where they are faster.
/// They also replace integers, as long as the model is slower than in floats.
Status Chooser::refine(Candidate &best) {
  for (std::optional<double> before; before != best.time;) {
    before = best.time;
    for (size_t i = 0; i < layers.size(); ++i) {
      if (triesBF16 && mayBeBF16[i])
        if (Status status = tryKind(best, i, bf16); !status.ok())
          return status;
      if (best.kinds[i] == bf16 || isFaster(timeOfFloats, best.time))
        if (Status status = tryKind(best, i, floats); !status.ok())
          return status;
    }
  }
  double squares = 0;
  for (size_t i = 0; i < layers.size(); ++i)
    if (best.kinds[i] == layers[i].kind)
      squares += std::pow(layers[i].predicted, 2);
  best.report.predicted = std::sqrt(squares);
  return Status();
}

/// Makes every layer bf16 that may be; the error decides about the others.
Status Chooser::tryAllBF16(std::optional<Candidate> &best) {
  for (const bool asFloats : {false, true}) {
    LayerKinds kinds(layers.size());
    for (size_t i = 0; i < layers.size(); ++i)
      kinds[i] = mayBeBF16[i] ? bf16 : asFloats ? floats : layers[i].kind;
    Result<std::optional<Candidate>> found =
        betterThan(best ? &*best : nullptr, std::move(kinds));
    if (!found)
      return found.status();
    if (*found)
      best = std::move(*found);
  }
  return Status();
}

Result<std::optional<Candidate>> Chooser::choose() {
  std::optional<Candidate> best;
  for (const Choice &choice : choices()) {
    Result<std::optional<Candidate>> found = withOther(choice);
    if (!found)
      return found.status();
    if (!*found)
      continue;
    const LayerKinds asked = kindsWith(layers, order, 0, choice);
    const bool isLast = (*found)->kinds == asked || !(*found)->time;
    if (!best || isFaster((*found)->time, best->time))
      best = std::move(*found);
    // No layer needs another choice, or no time is known for comparison.
    if (isLast)
      break;
  }
  if (triesBF16)
    if (Status status = tryAllBF16(best); !status.ok())
      return status;
  if (best && timeOfFloats)
    if (Status status = refine(*best); !status.ok())
      return status;
  return best;
}

Result<BoundReport> glow::meetBound(ModelVersions &versions,
                                    std::vector<QuantizedLayer> &layers,
                                    double bound, const ForEachRun &runs,
                                    const QuantizationRun &run,
                                    const TimeOf &timeOf) {
  Judge judge(versions, runs, run);
  if (Status status = judge.prepare(); !status.ok())
    return status;
  if (Status status = predict(judge, layers); !status.ok())
    return status;
  Result<std::optional<Candidate>> best =
      Chooser(judge, versions, layers, bound, timeOf).choose();
  if (!best)
    return best.status();
  if (*best) {
    for (size_t i = 0; i < layers.size(); ++i)
      layers[i].kind = (*best)->kinds[i];
    return (*best)->report;
  }
  // If the bound cannot be met, the file has no layer in integers.
  Result<double> reached = judge.errorOf(LayerKinds(layers.size()));
  if (!reached)
    return reached.status();
  for (QuantizedLayer &layer : layers)
    layer.kind = floats;
  return BoundReport{0, *reached, false};
}

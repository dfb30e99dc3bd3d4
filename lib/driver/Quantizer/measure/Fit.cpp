//===- Fit.cpp - rounding that makes up for rounding ----------------------===//
// SPDX-License-Identifier: MIT
//
// Let w be a column of a matrix and r its rounded form. The result of a product
// then changes by (r - w)' H (r - w), where H has the moments of the other
// factor. G = H (r - w) is kept up to date, so the best change of a single
// weight is -G[k] / H[k][k].
//
//===----------------------------------------------------------------------===//

#include "Fit.h"
#include "Shadow.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>

using namespace glow;

/// Calls `use` with each number below `count`, on `threads` threads.
static void forEach(size_t count, unsigned threads,
                    const std::function<void(size_t)> &use) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next++) < count;)
      use(i);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
}

namespace {

/// Moments as floats, padded to whole blocks.
class Weighting {
public:
  Weighting(const Moments &moments, size_t whole);
  const float *row(size_t k) const { return &values[k * size]; }
  float own(size_t k) const { return row(k)[k]; }
  const size_t size;

private:
  std::vector<float> values;
};

/// Columns that are fitted together.
class Panel {
public:
  Panel(const Weighting &weighting, std::span<const float> values, size_t block,
        Integers &integers, size_t first, size_t count);
  void fitCodes();
  void fitScales();

  static constexpr size_t columns = 16; ///< at most

private:
  using Lane = std::array<float, columns>;

  Parameters &parametersOf(size_t column, size_t k) const {
    return integers.parameters[((first + column) * weighting.size + k) / block];
  }
  int64_t &code(size_t column, size_t k) const {
    return integers.values[(first + column) * weighting.size + k];
  }
  float steps(size_t column, size_t k) const {
    return float(code(column, k) - parametersOf(column, k).zero);
  }
  void add(size_t k, const Lane &change);

  const Weighting &weighting;
  const size_t block;
  Integers &integers;
  const size_t first, count;
  std::vector<Lane> gradient; ///< G by weights
};

} // namespace

/// Moments of few rows are unreliable, so a part of their mean is added to the
/// diagonal: the fewer rows, the larger the part.
Weighting::Weighting(const Moments &moments, size_t whole)
    : size(whole), values(whole * whole) {
  const size_t columns = moments.columns;
  double mean = 0;
  for (size_t k = 0; k < columns; ++k)
    mean += moments.sums[k * columns + k] / double(columns);
  // If all inputs are 0, all weights count alike.
  const double scale = mean > 0 ? 1 / mean : 0;
  const double share =
      mean > 0 ? 0.1 + double(columns) / std::max(1.0, moments.rows) : 1;
  for (size_t k = 0; k < columns; ++k)
    for (size_t j = 0; j < columns; ++j)
      values[k * whole + j] = float(moments.sums[k * columns + j] * scale);
  for (size_t k = 0; k < whole; ++k)
    values[k * whole + k] += float(share);
}

Panel::Panel(const Weighting &weighting, std::span<const float> values,
             size_t block, Integers &integers, size_t first, size_t count)
    : weighting(weighting), block(block), integers(integers), first(first),
      count(count), gradient(weighting.size) {
  for (size_t k = 0; k < weighting.size; ++k) {
    Lane change = {};
    for (size_t c = 0; c < count; ++c)
      change[c] = steps(c, k) * parametersOf(c, k).scale -
                  values[(first + c) * weighting.size + k];
    add(k, change);
  }
}

/// Updates the gradient after weights k of the columns have changed.
void Panel::add(size_t k, const Lane &change) {
  if (std::ranges::all_of(change, [](float one) { return one == 0; }))
    return;
  const float *row = weighting.row(k);
  for (size_t j = 0; j < weighting.size; ++j)
    for (size_t c = 0; c < columns; ++c)
      gradient[j][c] += row[j] * change[c];
}

void Panel::fitCodes() {
  for (size_t k = 0; k < weighting.size; ++k) {
    Lane change = {};
    for (size_t c = 0; c < count; ++c) {
      const Parameters &own = parametersOf(c, k);
      const float before = steps(c, k) * own.scale;
      code(c, k) =
          own.quantized(double(before - gradient[k][c] / weighting.own(k)));
      change[c] = steps(c, k) * own.scale - before;
    }
    add(k, change);
  }
}

void Panel::fitScales() {
  for (size_t b = 0; b < weighting.size; b += block) {
    Lane slope = {}, curve = {};
    for (size_t k = b; k < b + block; ++k) {
      const float *row = weighting.row(k);
      for (size_t c = 0; c < count; ++c) {
        const float step = steps(c, k);
        slope[c] += step * gradient[k][c];
        for (size_t j = b; j < b + block; ++j)
          curve[c] += step * row[j] * steps(c, j);
      }
    }
    Lane growth = {};
    for (size_t c = 0; c < count; ++c) {
      float &scale = parametersOf(c, b).scale;
      const float fitted = scale - slope[c] / curve[c];
      // Weights of zero have no curve.
      if (!std::isnormal(fitted))
        continue;
      growth[c] = fitted - scale;
      scale = fitted;
    }
    for (size_t k = b; k < b + block; ++k) {
      Lane change = {};
      for (size_t c = 0; c < count; ++c)
        change[c] = steps(c, k) * growth[c];
      add(k, change);
    }
  }
}

Integers glow::fitBlocks(std::span<const float> values, size_t block,
                         Scheme scheme, unsigned bits, const Moments &moments,
                         unsigned threads) {
  Integers integers =
      quantizeBlocks(values, block, scheme, bits, scheme == Scheme::Asymmetric);
  const size_t whole = (moments.columns + block - 1) / block * block;
  const size_t columns = values.size() / whole;
  const Weighting weighting(moments, whole);
  forEach((columns + Panel::columns - 1) / Panel::columns, threads,
          [&](size_t at) {
            const size_t first = at * Panel::columns;
            Panel panel(weighting, values, block, integers, first,
                        std::min(Panel::columns, columns - first));
            // More rounds change hardly any code.
            for (int round = 0; round < 2; ++round) {
              panel.fitCodes();
              if (scheme != Scheme::PowerOfTwo)
                panel.fitScales();
            }
          });
  return integers;
}

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

namespace {

/// Layers whose moments are computed in the same runs.
class Fitting {
public:
  Fitting(Source &source, const QuantizationRun &run)
      : source(source), run(run) {}

  Status fit(const std::vector<const Layer *> &layers, const ForEachRun &runs);

private:
  Status count(const ForEachRun &runs);

  Source &source;
  const QuantizationRun &run;
  std::map<std::string, Moments> moments; ///< of values, by name
};

} // namespace

static size_t innerOf(const Source &source, const Layer &layer) {
  return size_t(source.constants.at(layer.weights->value).type().shape[0]);
}

static const std::string &inputOf(const Layer &layer) {
  return layer.activations.front().value;
}

/// Adds the rows of a value to its moments.
static void add(Moments &moments, std::span<const float> rows,
                unsigned threads) {
  const size_t columns = moments.columns, count = rows.size() / columns;
  moments.rows += double(count);
  forEach(columns, threads, [&](size_t k) {
    double *sums = &moments.sums[k * columns];
    for (size_t r = 0; r < count; ++r) {
      const float *row = &rows[r * columns];
      const double own = double(row[k]);
      for (size_t j = 0; own != 0 && j < columns; ++j)
        sums[j] += own * double(row[j]);
    }
  });
}

Status Fitting::count(const ForEachRun &runs) {
  ModelEdit model = source.model;
  for (const auto &[value, own] : moments)
    if (!model.isOutput(value) && model.producerOf(value) >= 0)
      model.graph().add_output()->set_name(value);
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(model.proto, run);
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
      add(own, values->at(name), run.threads);
    return Status();
  });
}

Status Fitting::fit(const std::vector<const Layer *> &layers,
                    const ForEachRun &runs) {
  for (const Layer *layer : layers) {
    const size_t columns = innerOf(source, *layer);
    moments[inputOf(*layer)] = {columns, 0,
                                std::vector<double>(columns * columns)};
  }
  if (Status status = count(runs); !status.ok())
    return status;
  std::map<std::string, Moments> ofWeights;
  for (const Layer *layer : layers) {
    const Moments &own = moments.at(inputOf(*layer));
    auto [found, isFirst] = ofWeights.try_emplace(layer->weights->value, own);
    // Weights of several products fit the sum of their moments.
    if (isFirst)
      continue;
    found->second.rows += own.rows;
    for (size_t i = 0; i < own.sums.size(); ++i)
      found->second.sums[i] += own.sums[i];
  }
  const QuantizeOptions &options = source.options;
  for (const auto &[name, own] : ofWeights)
    source.fitted[name] = fitBlocks(
        columnsOf(source.constants.at(name), options.block), options.block,
        options.scheme, options.weightBits, own, run.threads);
  return Status();
}

Status glow::fitWeights(Source &source, const ForEachRun &runs,
                        const QuantizationRun &run) {
  constexpr size_t limit = size_t(1) << 30; // bytes of moments
  std::set<std::string> fitted;
  std::vector<const Layer *> layers;
  size_t bytes = 0;
  const auto fit = [&] {
    Status status = Fitting(source, run).fit(layers, runs);
    layers.clear(), bytes = 0;
    return status;
  };
  for (const Layer &first : source.layers) {
    if (!hasBlocks(source, first) ||
        !fitted.insert(first.weights->value).second)
      continue;
    const size_t inner = innerOf(source, first);
    const size_t more = inner * inner * sizeof(double);
    if (!layers.empty() && bytes + more > limit)
      if (Status status = fit(); !status.ok())
        return status;
    bytes += more;
    for (const Layer &layer : source.layers)
      if (hasBlocks(source, layer) &&
          layer.weights->value == first.weights->value)
        layers.push_back(&layer);
  }
  return layers.empty() ? Status() : fit();
}

//===- LayerTables.cpp - layers and their times as text and JSON ----------===//
// SPDX-License-Identifier: MIT
//
// Times are measured times where available. A rate counts operations on
// elements, as in the model's records. For a step that computes less than it
// moves, the rate counts the bytes that it reads and writes. A rate above the
// processor's peak has a mark, and a line below the table gives the reason.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Clock.h"
#include "glow/Base/Counted.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/SortByKey.h"
#include "glow/Base/TimeText.h"
#include "glow/Toolchain/Layers.h"
#include <algorithm>
#include <cstdio>

using namespace glow;

static std::string numberText(const char *format, double number) {
  char text[48];
  std::snprintf(text, sizeof text, format, number);
  return number ? text : "";
}

static std::string percent(double part) {
  return numberText("%.1f %%", part * 100);
}

static double bytesMoved(const ChosenLayer &layer) {
  double bytes = 0;
  for (const auto *list : {&layer.types.operands, &layer.types.results})
    for (const TensorType &type : *list)
      bytes += double(type.bytes());
  return bytes;
}

/// The bytes of all times that a run executes the layer.
static double bytesOfRun(const ChosenLayer &layer) {
  return bytesMoved(layer) * double(layer.report.runs.value_or(1));
}

static constexpr const char *abovePeakMark = " *";

/// "81.2 GFLOP/s" or "12.3 GB/s": the rate for a time in milliseconds.
static std::string rateText(double operations, double bytes, double time) {
  if (time <= 0)
    return "";
  bool computes = operations > bytes;
  return numberText(computes ? "%.1f GFLOP/s" : "%.1f GB/s",
                    (computes ? operations : bytes) / time / 1e6);
}

static std::string sizesText(const std::vector<TensorType> &types) {
  std::string text;
  for (const TensorType &type : types) {
    text += text.empty() ? "" : ", ";
    for (size_t d = 0; d < type.shape.size(); ++d)
      text += (d ? "x" : "") + std::to_string(type.shape[d]);
    text += type.shape.empty() ? "scalar" : "";
  }
  return text;
}

/// "1x224x224x3, 64x3x7x7 -> 1x112x112x64".
static std::string shapesText(const StepTypes &types) {
  if (types.results.empty())
    return "";
  return sizesText(types.operands) + " -> " + sizesText(types.results);
}

double glow::timeOf(const std::vector<ChosenLayer> &layers) {
  double sum = 0;
  for (const ChosenLayer &layer : layers)
    sum += layer.time();
  return sum;
}

static bool isMeasured(const std::vector<ChosenLayer> &layers) {
  return std::ranges::any_of(
      layers, [](const ChosenLayer &layer) { return layer.measured > 0; });
}

//===----------------------------------------------------------------------===//
// Tables of a model
//===----------------------------------------------------------------------===//

/// The share of peak: the least possible time for the operations of all layers,
/// divided by their actual time.
static double shareOfPeak(const std::vector<ChosenLayer> &layers) {
  double least = 0, time = timeOf(layers);
  for (const ChosenLayer &layer : layers)
    least += layer.least;
  return time > 0 ? least / time : 0;
}

/// The distinct algorithms of layers that exceed the peak.
static std::vector<std::string>
algorithmsAbovePeak(const std::vector<ChosenLayer> &layers) {
  std::vector<std::string> names;
  for (const ChosenLayer &layer : layers)
    if (layer.isAbovePeak() &&
        std::ranges::find(names, layer.report.algorithm) == names.end())
      names.push_back(layer.report.algorithm);
  return names;
}

static std::string listText(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// "53 steps, 8.2 GFLOP, weights 97.5 MiB, arena 9.2 MiB, predicted 12.3 ms on
/// one thread, 61 % of the peak", without unknown parts.
static std::string summaryAsText(const ChosenLayers &layers) {
  const std::vector<ChosenLayer> &rows = layers.rows;
  std::string text;
  auto add = [&](const std::string &part) {
    text += (text.empty() ? "" : ", ") + part;
  };
  if (!rows.empty())
    add(counted(rows.size(), "step"));
  if (layers.operations > 0)
    add(numberText("%.4g GFLOP", layers.operations / 1e9));
  add("weights " + sizeText(layers.weightBytes));
  add("arena " + sizeText(layers.arenaBytes));
  if (double time = timeOf(rows); time > 0)
    add((isMeasured(rows) ? "measured " : "predicted ") + timeText(time) +
        " on one thread");
  if (double share = shareOfPeak(rows); share > 0) {
    add(numberText("%.0f %% of the peak", std::max(share * 100, 0.01)));
    if (auto names = algorithmsAbovePeak(rows); share > 1 && !names.empty())
      text += " (fewer operations than defined: " + listText(names) + ")";
  }
  return text + "\n";
}

static Json summaryAsJson(const ChosenLayers &layers) {
  Json object = {{"steps", layers.rows.size()},
                 {"weight_bytes", layers.weightBytes},
                 {"arena_bytes", layers.arenaBytes}};
  if (layers.operations > 0)
    object["operations"] = layers.operations;
  if (double time = timeOf(layers.rows); time > 0) {
    object[isMeasured(layers.rows) ? "measured_ms" : "predicted_ms"] = time;
    object["share_of_peak"] = shareOfPeak(layers.rows);
    object["above_peak_by"] = algorithmsAbovePeak(layers.rows);
  }
  return object;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static Json typesAsJson(const std::vector<TensorType> &types) {
  Json array = Json::array();
  for (const TensorType &type : types)
    array.push_back(type.text());
  return array;
}

/// `number` if it is known, else no value.
static Json known(double number) { return number > 0 ? Json(number) : noValue; }

/// A row for each layer, with its share of the time `all`.
static Table layerTable(const std::vector<ChosenLayer> &layers, double all) {
  const bool hasTrips = std::ranges::any_of(
      layers, [](const ChosenLayer &layer) { return layer.report.runs != 1; });
  Table table({{"layer", "layer"},
               {hasTrips ? "trips" : "", "trips"},
               {"instruction", "instruction"},
               {"algorithm", "algorithm"},
               {"tile", "tile"},
               {"layout", "layout"},
               {"", "operands"},
               {"", "results"},
               {"", "bytes"},
               {"", "operations"},
               {"", "predicted_cycles"},
               quantity("predicted us", "predicted_ms", "%.1f", 1000),
               {"", "share_of_peak"},
               {"", "fewer_operations"},
               quantity("measured us", "measured_ms", "%.1f", 1000),
               quantity("ratio", "ratio", "%.2f"),
               quantity("share", "share", "%.1f %%", 100),
               {"rate", "", {}, /*isNumber=*/true},
               {"shapes"}});
  for (const ChosenLayer &layer : layers) {
    const StepReport &report = layer.report;
    table.add(
        {report.node, report.runs ? Json(*report.runs) : noValue,
         report.instruction, report.algorithm, report.tile, report.layout,
         typesAsJson(layer.types.operands), typesAsJson(layer.types.results),
         bytesMoved(layer), layer.operations, report.predictedCycles,
         layer.predicted, layer.least > 0 ? Json(layer.shareOfPeak()) : noValue,
         report.fewerOperations ? Json(true) : noValue, known(layer.measured),
         layer.isCompared() ? Json(layer.ratio()) : noValue,
         all > 0 ? Json(layer.time() / all) : noValue,
         rateText(layer.operations, bytesOfRun(layer), layer.time()) +
             (layer.isAbovePeak() ? abovePeakMark : ""),
         shapesText(layer.types)});
  }
  return table;
}

/// The slowest layers, at most `most`.
static std::string
layersAsText(std::vector<ChosenLayer> layers,
             size_t most = std::numeric_limits<size_t>::max()) {
  const double all = timeOf(layers);
  sortGreatestFirst(layers, &ChosenLayer::time);
  const auto end = layers.begin() + ptrdiff_t(std::min(most, layers.size()));
  const std::vector<ChosenLayer> hidden(end, layers.end());
  layers.erase(end, layers.end());
  std::string text = layerTable(layers, all).text();
  const double rest = timeOf(hidden);
  if (!hidden.empty())
    text += "and " + counted(hidden.size(), "shorter layer") +
            (rest > 0 ? ", " + percent(rest / all) + " of the time" : "") +
            "\n";
  if (auto names = algorithmsAbovePeak(layers); !names.empty())
    text +=
        "* above the peak of the processor: the rate counts the operations of "
        "the definition; there are fewer in " +
        listText(names) + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct Kernel {
  std::string name;
  size_t steps = 0;
  double time = 0, operations = 0, bytes = 0;
};
} // namespace

/// Kernels by time, the longest first.
static std::vector<Kernel> kernelsOf(const std::vector<ChosenLayer> &layers) {
  std::map<std::string, Kernel> sums;
  for (const ChosenLayer &layer : layers) {
    const StepReport &report = layer.report;
    std::string name =
        report.instruction +
        (report.algorithm.empty() ? "" : ", " + report.algorithm);
    Kernel &kernel = sums[name];
    kernel.name = name;
    ++kernel.steps;
    kernel.time += layer.time(), kernel.operations += layer.operations;
    kernel.bytes += bytesOfRun(layer);
  }
  std::vector<Kernel> kernels;
  for (auto &[name, kernel] : sums)
    kernels.push_back(std::move(kernel));
  sortGreatestFirst(kernels, &Kernel::time);
  return kernels;
}

/// The sums over all layers with the same instruction and algorithm.
static Table kernelTable(const std::vector<ChosenLayer> &layers) {
  const double all = timeOf(layers);
  Table table({{"kernel", "kernel"},
               {"steps", "steps", {}, /*isNumber=*/true},
               quantity("us", "ms", "%.1f", 1000),
               quantity("share", "", "%.1f %%", 100),
               quantity("GFLOP", "operations", "%.3g", 1e-9),
               {"", "bytes"},
               {"rate", "", {}, /*isNumber=*/true}});
  for (const Kernel &kernel : kernelsOf(layers))
    table.add({kernel.name, kernel.steps, kernel.time,
               all > 0 ? kernel.time / all : 0, kernel.operations, kernel.bytes,
               rateText(kernel.operations, kernel.bytes, kernel.time)});
  return table;
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

static std::string accuracyAsText(const ChosenLayers &layers) {
  if (layers.numbers.empty())
    return "";
  std::string text = "predicted by the numbers of " + layers.numbers + "\n";
  const Accuracy all = accuracyOf(layers.rows);
  if (all.measured > 0)
    text += "predicted " + timeText(all.predicted) + ", measured " +
            timeText(all.measured) + ": the median error is " +
            percent(all.error) + " of layers, " + percent(all.errorOfTime) +
            " of their time\n";
  return text;
}

static void addAccuracy(Json &object, const ChosenLayers &layers) {
  object["numbers"] = layers.numbers;
  const Accuracy all = accuracyOf(layers.rows);
  if (all.measured > 0)
    object["accuracy"] = {{"predicted_ms", all.predicted},
                          {"measured_ms", all.measured},
                          {"median_error", all.error},
                          {"median_error_of_time", all.errorOfTime}};
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static Table stateTable(const ChosenLayers &layers) {
  Table table({{"state", "input"},
               {"its next value", "output"},
               {"type", "type"},
               memorySize("size", "bytes"),
               {"", "given"},
               {"from"}});
  for (const ChosenLayers::State &state : layers.states) {
    const std::string origin =
        state.pair.isGiven ? "--state" : "names and types";
    table.add({state.pair.input, state.pair.output, state.type.text(),
               state.type.bytes(), state.pair.isGiven,
               origin + (state.grows       ? ", grows"
                         : state.isUpdated ? ", in place"
                                           : "")});
  }
  return table;
}

//===----------------------------------------------------------------------===//
// JSON of all layers
//===----------------------------------------------------------------------===//

void glow::addLayers(Json &object, const ChosenLayers &layers) {
  object["summary"] = summaryAsJson(layers);
  object["cycles_per_ms"] = cyclesPerSecond() / 1000;
  addAccuracy(object, layers);
  object["states"] = stateTable(layers).json();
  object["kernels"] = kernelTable(layers.rows).json();
  object["layers"] = layerTable(layers.rows, timeOf(layers.rows)).json();
}

/// The number of layers shown at first.
static constexpr size_t mostAtFirst = 10;

std::string glow::beginningOf(const ChosenLayers &layers) {
  return summaryAsText(layers) +
         (layers.states.empty() ? "" : "\n" + stateTable(layers).text()) +
         (layers.rows.empty() ? ""
                              : "\n" + layersAsText(layers.rows, mostAtFirst));
}

std::string glow::tablesOf(const ChosenLayers &layers) {
  if (layers.rows.empty())
    return "";
  return (layers.rows.size() > mostAtFirst ? "\n" + layersAsText(layers.rows)
                                           : "") +
         "\n" + kernelTable(layers.rows).text() + "\n" + accuracyAsText(layers);
}

std::string glow::explainedAsText(const std::string &explanation,
                                  const ChosenLayers &layers,
                                  const std::string &between) {
  return beginningOf(layers) + "\n" + between + explanation + tablesOf(layers);
}

Json glow::explainedAsJson(const std::string &explanation,
                           const ChosenLayers &layers) {
  Json all = Json::parse(explanation);
  all["run_arena_bytes"] = layers.arenaBytes;
  addLayers(all, layers);
  return all;
}

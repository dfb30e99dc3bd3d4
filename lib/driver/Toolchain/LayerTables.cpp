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
#include "glow/Base/TextTable.h"
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

/// Aligns columns of numbers to the right.
static void alignRight(std::vector<TextTable::Line> &lines, size_t first,
                       size_t end) {
  for (size_t column = first; column < end; ++column) {
    size_t width = 0;
    for (const TextTable::Line &line : lines)
      width = std::max(width, line[column].size());
    for (TextTable::Line &line : lines)
      line[column].insert(0, width - line[column].size(), ' ');
  }
}

static std::string tableOf(std::vector<TextTable::Line> lines, size_t first,
                           size_t end) {
  alignRight(lines, first, end);
  TextTable table(lines[0]);
  for (size_t i = 1; i < lines.size(); ++i)
    table.add(lines[i]);
  return table.text();
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

std::string glow::summaryAsText(const ChosenLayers &layers) {
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

LayerJson glow::summaryAsJson(const ChosenLayers &layers) {
  LayerJson object = {{"steps", layers.rows.size()},
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

std::string glow::layersAsText(const std::vector<ChosenLayer> &layers,
                               size_t most) {
  std::vector<const ChosenLayer *> sorted;
  for (const ChosenLayer &layer : layers)
    sorted.push_back(&layer);
  sortGreatestFirst(sorted,
                    [](const ChosenLayer *layer) { return layer->time(); });
  const double all = timeOf(layers);
  const size_t shown = std::min(most, sorted.size());
  double rest = 0;
  for (size_t i = shown; i < sorted.size(); ++i)
    rest += sorted[i]->time();
  const size_t hidden = sorted.size() - shown;
  sorted.resize(shown);
  std::vector<TextTable::Line> lines = {
      {"layer", "instruction", "algorithm", "tile", "layout", "predicted us",
       "measured us", "ratio", "share", "rate", "shapes"}};
  for (const ChosenLayer *layer : sorted) {
    const StepReport &report = layer->report;
    lines.push_back(
        {report.node, report.instruction, report.algorithm, report.tile,
         report.layout, numberText("%.1f", layer->predicted * 1000),
         numberText("%.1f", layer->measured * 1000),
         numberText("%.2f", layer->ratio()),
         all > 0 ? percent(layer->time() / all) : "",
         rateText(layer->operations, bytesMoved(*layer), layer->time()) +
             (layer->isAbovePeak() ? abovePeakMark : ""),
         shapesText(layer->types)});
  }
  std::string text = tableOf(std::move(lines), 5, 10);
  if (hidden)
    text += "and " + counted(hidden, "shorter layer") +
            (rest > 0 ? ", " + percent(rest / all) + " of the time" : "") +
            "\n";
  std::vector<ChosenLayer> above;
  for (const ChosenLayer *layer : sorted)
    above.push_back(*layer);
  if (auto names = algorithmsAbovePeak(above); !names.empty())
    text +=
        "* above the peak of the processor: the rate counts the operations of "
        "the definition; there are fewer in " +
        listText(names) + "\n";
  return text;
}

static LayerJson typesAsJson(const std::vector<TensorType> &types) {
  LayerJson array = LayerJson::array();
  for (const TensorType &type : types)
    array.push_back(type.text());
  return array;
}

LayerJson glow::layersAsJson(const std::vector<ChosenLayer> &layers) {
  const double all = timeOf(layers);
  LayerJson array = LayerJson::array();
  for (const ChosenLayer &layer : layers) {
    LayerJson object = {{"layer", layer.report.node},
                        {"instruction", layer.report.instruction},
                        {"algorithm", layer.report.algorithm},
                        {"tile", layer.report.tile},
                        {"layout", layer.report.layout},
                        {"operands", typesAsJson(layer.types.operands)},
                        {"results", typesAsJson(layer.types.results)},
                        {"bytes", bytesMoved(layer)},
                        {"operations", layer.operations},
                        {"predicted_cycles", layer.report.predictedCycles},
                        {"predicted_ms", layer.predicted}};
    if (layer.least > 0)
      object["share_of_peak"] = layer.shareOfPeak();
    if (layer.report.fewerOperations)
      object["fewer_operations"] = true;
    if (layer.measured)
      object["measured_ms"] = layer.measured;
    if (layer.isCompared())
      object["ratio"] = layer.ratio();
    if (all > 0)
      object["share"] = layer.time() / all;
    array.push_back(std::move(object));
  }
  return array;
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
    kernel.bytes += bytesMoved(layer);
  }
  std::vector<Kernel> kernels;
  for (auto &[name, kernel] : sums)
    kernels.push_back(std::move(kernel));
  sortGreatestFirst(kernels, &Kernel::time);
  return kernels;
}

std::string glow::kernelsAsText(const std::vector<ChosenLayer> &layers) {
  const double all = timeOf(layers);
  std::vector<TextTable::Line> lines = {
      {"kernel", "steps", "us", "share", "GFLOP", "rate"}};
  for (const Kernel &kernel : kernelsOf(layers))
    lines.push_back({kernel.name, std::to_string(kernel.steps),
                     numberText("%.1f", kernel.time * 1000),
                     all > 0 ? percent(kernel.time / all) : "",
                     numberText("%.3g", kernel.operations / 1e9),
                     rateText(kernel.operations, kernel.bytes, kernel.time)});
  return tableOf(std::move(lines), 1, 6);
}

LayerJson glow::kernelsAsJson(const std::vector<ChosenLayer> &layers) {
  LayerJson array = LayerJson::array();
  for (const Kernel &kernel : kernelsOf(layers))
    array.push_back({{"kernel", kernel.name},
                     {"steps", kernel.steps},
                     {"ms", kernel.time},
                     {"operations", kernel.operations},
                     {"bytes", kernel.bytes}});
  return array;
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

std::string glow::accuracyAsText(const ChosenLayers &layers) {
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

void glow::addAccuracy(LayerJson &object, const ChosenLayers &layers) {
  object["numbers"] = layers.numbers;
  const Accuracy all = accuracyOf(layers.rows);
  if (all.measured > 0)
    object["accuracy"] = {{"predicted_ms", all.predicted},
                          {"measured_ms", all.measured},
                          {"median_error", all.error},
                          {"median_error_of_time", all.errorOfTime}};
}

//===----------------------------------------------------------------------===//
// JSON of all layers
//===----------------------------------------------------------------------===//

void glow::addLayers(LayerJson &object, const ChosenLayers &layers) {
  object["summary"] = summaryAsJson(layers);
  object["cycles_per_ms"] = cyclesPerSecond() / 1000;
  addAccuracy(object, layers);
  object["kernels"] = kernelsAsJson(layers.rows);
  object["layers"] = layersAsJson(layers.rows);
}

/// The number of layers shown at first.
static constexpr size_t mostAtFirst = 10;

std::string glow::beginningOf(const ChosenLayers &layers) {
  return summaryAsText(layers) +
         (layers.rows.empty() ? ""
                              : "\n" + layersAsText(layers.rows, mostAtFirst));
}

std::string glow::tablesOf(const ChosenLayers &layers) {
  if (layers.rows.empty())
    return "";
  return (layers.rows.size() > mostAtFirst ? "\n" + layersAsText(layers.rows)
                                           : "") +
         "\n" + kernelsAsText(layers.rows) + "\n" + accuracyAsText(layers);
}

std::string glow::explainedAsText(const std::string &explanation,
                                  const ChosenLayers &layers,
                                  const std::string &between) {
  return beginningOf(layers) + "\n" + between + explanation + tablesOf(layers);
}

LayerJson glow::explainedAsJson(const std::string &explanation,
                                const ChosenLayers &layers) {
  LayerJson all = LayerJson::parse(explanation);
  all["run_arena_bytes"] = layers.arenaBytes;
  addLayers(all, layers);
  return all;
}

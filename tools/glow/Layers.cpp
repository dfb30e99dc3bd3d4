//===- Layers.cpp - what was chosen for each layer, and its time ----------===//

#include "Layers.h"
#include "Inputs.h"
#include "glow/Program/Prediction.h"
#include "glow/Toolchain/Calibrate.h"
#include "glow/Toolchain/Toolchain.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

/// Keeps the times of every step of all runs.
class Times final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override {
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(event.end - event.begin)
            .count());
  }
  std::vector<double> milliseconds;
};

/// Gives each layer the least time of its runs: what else the machine does only
/// adds to it.
Status measureLayers(std::shared_ptr<Session> session,
                     const CompileRequest &request, const ModelOptions &options,
                     std::vector<Layer> &layers) {
  InputOptions asked;
  asked.shapes = options.shapes;
  asked.seed = 0;
  Result<std::vector<NamedTensor>> inputs =
      makeInputs(session->inputs(), asked);
  if (!inputs)
    return inputs.status();
  Runner runner(session, request, 1);
  std::vector<NamedTensor> outputs;
  // The first run touches the memory.
  if (Status status = runner.run(*inputs, outputs); !status.ok())
    return status;
  auto times = std::make_shared<Times>();
  runner.collect(times);
  constexpr size_t runs = 9;
  for (size_t i = 0; i < runs; ++i)
    if (Status status = runner.runPrepared(*inputs, outputs); !status.ok())
      return status;
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i].measured = times->milliseconds[i];
    for (size_t at = i; at < times->milliseconds.size(); at += layers.size())
      layers[i].measured =
          std::min(layers[i].measured, times->milliseconds[at]);
  }
  return Status();
}

std::string microseconds(double milliseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", milliseconds * 1000);
  return milliseconds ? text : "";
}

std::string ratioText(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", ratio);
  return ratio ? text : "";
}

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", part * 100);
  return text;
}

} // namespace

Result<Layers> tool::layersOf(std::shared_ptr<Session> session,
                              const ModelOptions &options, bool measure) {
  InputShapes shapes(session->inputs());
  if (Status status = shapes.apply(options.shapes); !status.ok())
    return status;
  CompileRequest request = requestOf(options, shapes.known());
  Result<Program> program = session->compile(request);
  if (!program)
    return program.status();
  Layers layers{{}, program->arenaBytes, numbersOf(request)};
  for (StepReport &report : reportOf(*program)) {
    double predicted = predictedSeconds(report) * 1000;
    layers.rows.push_back({std::move(report), predicted});
  }
  if (measure && !layers.rows.empty())
    if (Status status = measureLayers(session, request, options, layers.rows);
        !status.ok())
      return status;
  return layers;
}

std::string tool::layersAsText(const std::vector<Layer> &layers) {
  using Cells = std::array<std::string, 8>;
  constexpr size_t widths[] = {32, 18, 20, 8, 9, 12, 12, 6};
  std::string text;
  auto add = [&](const Cells &cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      const size_t size = std::min(cells[i].size(), widths[i]);
      const std::string blanks(widths[i] - size, ' ');
      // Numbers stand at the right.
      text += (i ? " " : "") + (i < 5 ? cells[i] + blanks : blanks + cells[i]);
    }
    text += '\n';
  };
  add({"layer", "instruction", "algorithm", "tile", "layout", "predicted us",
       "measured us", "ratio"});
  for (const Layer &layer : layers)
    add({oneLine(layer.report.node), layer.report.instruction,
         layer.report.algorithm, layer.report.tile, layer.report.layout,
         microseconds(layer.predicted), microseconds(layer.measured),
         ratioText(layer.ratio())});
  return text;
}

Json tool::layersAsJson(const std::vector<Layer> &layers) {
  Json array = Json::array();
  for (const Layer &layer : layers) {
    Json object = {{"layer", layer.report.node},
                   {"instruction", layer.report.instruction},
                   {"algorithm", layer.report.algorithm},
                   {"tile", layer.report.tile},
                   {"layout", layer.report.layout},
                   {"predicted_cycles", layer.report.predictedCycles},
                   {"predicted_ms", layer.predicted}};
    if (layer.measured)
      object["measured_ms"] = layer.measured;
    if (layer.isCompared())
      object["ratio"] = layer.ratio();
    array.push_back(std::move(object));
  }
  return array;
}

Accuracy tool::accuracyOf(const std::vector<Layer> &layers) {
  Accuracy all;
  std::vector<std::pair<double, double>> errors; // and times
  for (const Layer &layer : layers)
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

std::string tool::accuracyAsText(const Layers &layers) {
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

void tool::addAccuracy(Json &object, const Layers &layers) {
  object["numbers"] = layers.numbers;
  const Accuracy all = accuracyOf(layers.rows);
  if (all.measured > 0)
    object["accuracy"] = {{"predicted_ms", all.predicted},
                          {"measured_ms", all.measured},
                          {"median_error", all.error},
                          {"median_error_of_time", all.errorOfTime}};
}

//===- Layers.cpp - what was chosen for each layer, and its time ----------===//

#include "Layers.h"
#include "Inputs.h"
#include "glow/Toolchain/Toolchain.h"
#include <algorithm>
#include <array>
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

/// Gives each layer the median of its times.
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
    std::vector<double> own;
    for (size_t at = i; at < times->milliseconds.size(); at += layers.size())
      own.push_back(times->milliseconds[at]);
    std::sort(own.begin(), own.end());
    layers[i].measured = own[own.size() / 2];
  }
  return Status();
}

std::string microseconds(double milliseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", milliseconds * 1000);
  return milliseconds ? text : "";
}

} // namespace

double tool::cyclesPerMillisecond() {
  constexpr int64_t count = 1000000;
  double best = 1;
  for (int turn = 0; turn < 3; ++turn) {
    Stopwatch watch;
    uint64_t x = 1, y = 3;
    // Some processors add a constant without a cycle, none a register.
    for (int64_t i = 0; i < count; ++i) {
      x += y;
      __asm__ volatile("" : "+r"(x), "+r"(y));
      x ^= y;
      __asm__ volatile("" : "+r"(x), "+r"(y));
    }
    best = std::max(best, 2 * double(count) / watch.milliseconds());
  }
  return best;
}

Result<Layers> tool::layersOf(std::shared_ptr<Session> session,
                              const ModelOptions &options, bool measure) {
  InputShapes shapes(session->inputs());
  if (Status status = shapes.apply(options.shapes); !status.ok())
    return status;
  CompileRequest request = requestOf(options, shapes.known());
  Result<Program> program = session->compile(request);
  if (!program)
    return program.status();
  Layers layers{{}, program->arenaBytes};
  double perMillisecond = cyclesPerMillisecond();
  for (StepReport &report : reportOf(*program)) {
    double predicted = report.predictedCycles / perMillisecond;
    layers.rows.push_back({std::move(report), predicted});
  }
  if (measure && !layers.rows.empty())
    if (Status status = measureLayers(session, request, options, layers.rows);
        !status.ok())
      return status;
  return layers;
}

std::string tool::layersAsText(const std::vector<Layer> &layers) {
  using Cells = std::array<std::string, 7>;
  constexpr size_t widths[] = {32, 18, 20, 8, 9, 12, 12};
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
       "measured us"});
  for (const Layer &layer : layers)
    add({oneLine(layer.report.node), layer.report.instruction,
         layer.report.algorithm, layer.report.tile, layer.report.layout,
         microseconds(layer.predicted), microseconds(layer.measured)});
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
                   {"predicted_ms", layer.predicted}};
    if (layer.measured)
      object["measured_ms"] = layer.measured;
    array.push_back(std::move(object));
  }
  return array;
}

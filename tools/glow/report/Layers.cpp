//===- Layers.cpp - choices and times of layers ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Layers.h"
#include "glow/Toolchain/Calibrate.h"
#include <algorithm>

using namespace glow;
using namespace glow::tool;

namespace {

/// Keeps the times of every step of all runs.
class StepDurations final : public StepObserver {
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
                     const CompileRequest &request,
                     const std::vector<NamedTensor> &inputs,
                     std::vector<Layer> &layers) {
  Runner runner(session, request, 1);
  std::vector<NamedTensor> outputs;
  // The first run touches the memory.
  if (Status status = runner.run(inputs, outputs); !status.ok())
    return status;
  auto times = std::make_shared<StepDurations>();
  runner.collect(times);
  constexpr size_t runs = 9;
  for (size_t i = 0; i < runs; ++i)
    if (Status status = runner.runPrepared(inputs, outputs); !status.ok())
      return status;
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i].measured = times->milliseconds[i];
    for (size_t at = i; at < times->milliseconds.size(); at += layers.size())
      layers[i].measured =
          std::min(layers[i].measured, times->milliseconds[at]);
  }
  return Status();
}

} // namespace

std::string tool::nodeOf(const StepReport &report) {
  const std::string ending = "." + report.instruction;
  return report.node.ends_with(ending)
             ? report.node.substr(0, report.node.size() - ending.size())
             : report.node;
}

void StepTimes::stepDone(const StepEvent &event) {
  milliseconds[{std::string(event.node), std::string(event.instruction)}] +=
      std::chrono::duration<double, std::milli>(event.end - event.begin)
          .count();
}

/// Gives each layer its time. Layers that share a node and an instruction
/// divide their time by the predictions, if there are any.
void StepTimes::giveTo(std::vector<Layer> &layers, unsigned runs) const {
  std::map<std::pair<std::string, std::string>, std::pair<double, size_t>> all;
  auto keyOf = [](const Layer &layer) {
    return std::pair(layer.report.node, layer.report.instruction);
  };
  for (const Layer &layer : layers) {
    auto &[predicted, count] = all[keyOf(layer)];
    predicted += layer.predicted, ++count;
  }
  for (Layer &layer : layers)
    if (auto found = milliseconds.find(keyOf(layer));
        found != milliseconds.end()) {
      auto [predicted, count] = all[keyOf(layer)];
      double part =
          predicted > 0 ? layer.predicted / predicted : 1 / double(count);
      layer.measured = found->second / runs * part;
    }
}

Result<Layers> tool::layersOf(std::shared_ptr<Session> session,
                              const CompileRequest &request,
                              const std::vector<NamedTensor> *inputs) {
  CompileRequest chosen = request;
  chosen.code.reportsOnly = !inputs;
  Result<Program> program = session->compile(chosen);
  if (!program)
    return program.status();
  Layers layers;
  layers.numbers = numbersOf(request);
  layers.add(*program);
  if (inputs && !layers.rows.empty())
    if (Status status = measureLayers(session, request, *inputs, layers.rows);
        !status.ok())
      return status;
  return layers;
}

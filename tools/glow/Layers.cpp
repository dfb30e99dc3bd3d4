//===- Layers.cpp - what was chosen for each layer, and its time ----------===//

#include "Layers.h"
#include "glow/Base/Clock.h"
#include "glow/Program/Prediction.h"
#include "glow/Toolchain/Calibrate.h"
#include <algorithm>
#include <cmath>

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
                     const CompileRequest &request,
                     const std::vector<NamedTensor> &inputs,
                     std::vector<Layer> &layers) {
  Runner runner(session, request, 1);
  std::vector<NamedTensor> outputs;
  // The first run touches the memory.
  if (Status status = runner.run(inputs, outputs); !status.ok())
    return status;
  auto times = std::make_shared<Times>();
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

/// Several that share a node and an instruction are told apart by what is
/// predicted, if anything is.
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

void Layers::add(const Program &program) {
  arenaBytes = std::max(arenaBytes, program.arenaBytes);
  weightBytes += program.constantBytes();
  std::vector<StepReport> reports = reportOf(program);
  std::vector<StepTypes> types = typesOf(program);
  types.resize(reports.size());
  for (size_t i = 0; i < reports.size(); ++i) {
    double predicted = predictedSeconds(reports[i]) * 1000;
    rows.push_back({std::move(reports[i]), std::move(types[i]), predicted});
  }
}

void Layers::addArithmetic(const std::map<std::string, double> &known,
                           const CompileRequest &request) {
  std::map<std::string, std::pair<double, size_t>> nodes; // time and steps
  for (const Layer &layer : rows) {
    auto &[time, steps] = nodes[layer.report.node];
    time += layer.time(), ++steps;
  }
  operations = 0;
  for (const auto &[node, count] : known)
    operations += count;
  const double perMillisecond = cyclesPerSecond() / 1000;
  for (Layer &layer : rows) {
    auto found = known.find(layer.report.node);
    // A step that moves elements may have the name of a node whose arithmetic is
    // part of another step.
    if (found == known.end() || layer.report.moves)
      continue;
    auto [time, steps] = nodes[layer.report.node];
    double part = time > 0 ? layer.time() / time : 1 / double(steps);
    layer.operations = found->second * part;
    if (layer.types.operands.empty())
      continue;
    // A product and its sum are two.
    double products = productsOf(request, layer.types.operands[0].kind);
    if (products > 0)
      layer.least = layer.operations / 2 / products / perMillisecond;
  }
}

Result<Layers> tool::layersOf(std::shared_ptr<Session> session,
                              const CompileRequest &request,
                              const std::vector<NamedTensor> *inputs) {
  Result<Program> program = session->compile(request);
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

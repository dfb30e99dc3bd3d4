//===- Stages.cpp - report of a model in stages ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Stages.h"
#include "data/Inputs.h"
#include "glow/Base/Counted.h"
#include "glow/Toolchain/Calibrate.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

/// "3 nodes, from a to c".
static std::string nodesText(const std::vector<std::string> &nodes) {
  const std::string text = counted(nodes.size(), "node");
  if (nodes.size() == 1)
    return text + ", " + oneLine(nodes[0]);
  return text + ", from " + oneLine(nodes.front()) + " to " +
         oneLine(nodes.back());
}

/// The limit of runs of graphs inside of nodes. A loop may have no end, and few
/// iterations show its behaviour.
static constexpr uint64_t mostGraphs = 1000;

/// The steps and layers of a run.
struct Seen {
  std::vector<StagedModel::Action> steps;
  bool stopped = false;
  Layers layers;
};

static void printText(const Seen &seen, const std::string &backend) {
  size_t stages = 0;
  for (const StagedModel::Action &step : seen.steps)
    stages += step.op.empty();
  std::printf("the model runs in stages; on chance, on backend %s: stages %zu, "
              "nodes on the host %zu\nthe stages have %s\n",
              backend.c_str(), stages, seen.steps.size() - stages,
              beginningOf(seen.layers).c_str());
  for (const StagedModel::Action &step : seen.steps) {
    std::printf("%*s", int(2 * step.depth), "");
    if (step.op.empty())
      std::printf("stage  %s\n", nodesText(step.nodes).c_str());
    else
      std::printf("host   %s, %s: %s\n", oneLine(step.name).c_str(),
                  oneLine(step.op).c_str(), oneLine(step.why).c_str());
  }
  if (seen.stopped)
    std::printf(
        "\nit was stopped after %llu iterations; what comes later is not "
        "here\n",
        static_cast<unsigned long long>(mostGraphs));
  std::fputs(tablesOf(seen.layers).c_str(), stdout);
}

static Json asJson(const Seen &seen, const std::string &backend) {
  Json json = {{"backend", backend},
               {"stopped", seen.stopped},
               {"steps", Json::array()}};
  for (const StagedModel::Action &step : seen.steps) {
    Json row = {{"depth", step.depth}};
    if (step.op.empty())
      row["stage"] = step.nodes;
    else
      row.update(
          {{"host", step.name}, {"operator", step.op}, {"why", step.why}});
    json["steps"].push_back(std::move(row));
  }
  addLayers(json, seen.layers);
  return json;
}

/// Runs what is compiled by now, a few times.
static Status measure(ModelRunner &runner,
                      const std::vector<NamedValue> &values, Layers &layers) {
  auto times = std::make_shared<StepTimes>();
  runner.host().observe(times);
  constexpr unsigned runs = 5;
  for (unsigned i = 0; i < runs; ++i) {
    runner.stages()->stopAfter(mostGraphs);
    std::vector<NamedValue> outputs;
    Status status = runner.runPrepared(values, outputs);
    if (!status.ok() && !runner.stages()->wasStopped())
      return status;
  }
  runner.host().observe(nullptr);
  times->giveTo(layers.rows, runs);
  return Status();
}

Result<std::optional<CompileRequest>>
tool::explainStages(const std::shared_ptr<Session> &session,
                    const ModelOptions &options, const std::string &json,
                    bool measured) {
  InputOptions asked = inputsOf(options, *session);
  asked.seed = 0;
  Result<std::vector<NamedTensor>> inputs =
      makeInputs(session->inputs(), asked);
  if (!inputs)
    return session->withRefusedNodes(
        inputs.status().prefixed("the model runs in stages: "));
  CompileRequest request = requestOf(options);
  Result<std::vector<Constant>> known = smallValues(*inputs);
  if (!known)
    return known.status();
  request.values = known.take();
  for (const NamedTensor &input : *inputs)
    request.shapes[input.name] = input.tensor.type().shape;
  std::vector<NamedValue> values, outputs;
  for (NamedTensor &input : *inputs)
    values.push_back({input.name, std::move(input.tensor)});
  ModelRunner runner(session, requestOf(options), {options.threads});
  if (Status status = runner.prepare(values); !status.ok())
    return status;
  if (!runner.stages())
    return std::optional(std::move(request));
  Seen seen;
  seen.layers.numbers = numbersOf(request);
  StagedModel &stages = *runner.stages();
  stages.observe(&seen.steps);
  stages.observePrograms(
      [&](const Program &program) { seen.layers.add(program); });
  stages.stopAfter(mostGraphs);
  Status status = runner.runPrepared(values, outputs);
  seen.stopped = stages.wasStopped();
  stages.observe(nullptr);
  if (measured && (status.ok() || seen.stopped))
    if (Status again = measure(runner, values, seen.layers); !again.ok())
      return again;
  stages.observePrograms(nullptr);
  if (json != "-")
    printText(seen, options.backend);
  if (Status written = writeJson(json, asJson(seen, options.backend));
      !written.ok())
    return written;
  if (!status.ok() && !seen.stopped)
    return status;
  return std::optional<CompileRequest>();
}

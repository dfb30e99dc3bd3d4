//===- Stages.cpp - what becomes of a model in stages ---------------------===//

#include "Stages.h"
#include "Inputs.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

using Step = StagedModel::Step;

/// "3 nodes, from a to c".
static std::string nodesText(const std::vector<std::string> &nodes) {
  std::string text = std::to_string(nodes.size());
  if (nodes.size() == 1)
    return text + " node, " + oneLine(nodes[0]);
  return text + " nodes, from " + oneLine(nodes.front()) + " to " +
         oneLine(nodes.back());
}

/// How often the graphs inside of nodes are gone through: a loop may have no
/// end, and what it does shows soon.
static constexpr uint64_t mostGraphs = 1000;

static void printText(const std::vector<Step> &steps,
                      const std::string &backend, bool stopped) {
  size_t stages = 0;
  for (const Step &step : steps)
    stages += step.op.empty();
  std::printf("the model runs in stages; on chance, on backend %s: stages %zu, "
              "nodes on the host %zu\n\n",
              backend.c_str(), stages, steps.size() - stages);
  for (const Step &step : steps) {
    std::printf("%*s", int(2 * step.depth), "");
    if (step.op.empty())
      std::printf("stage  %s\n", nodesText(step.nodes).c_str());
    else
      std::printf("host   %s, %s: %s\n", oneLine(step.name).c_str(),
                  oneLine(step.op).c_str(), oneLine(step.why).c_str());
  }
  if (stopped)
    std::printf(
        "\nit was stopped after %llu iterations; what comes later is not "
        "here\n",
        static_cast<unsigned long long>(mostGraphs));
}

static void printJson(const std::vector<Step> &steps,
                      const std::string &backend, bool stopped) {
  Json json = {
      {"backend", backend}, {"stopped", stopped}, {"steps", Json::array()}};
  for (const Step &step : steps) {
    Json row = {{"depth", step.depth}};
    if (step.op.empty())
      row["stage"] = step.nodes;
    else
      row.update(
          {{"host", step.name}, {"operator", step.op}, {"why", step.why}});
    json["steps"].push_back(std::move(row));
  }
  std::printf("%s\n",
              json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

Status tool::explainStages(const std::shared_ptr<Session> &session,
                           const ModelOptions &options, bool json) {
  InputOptions asked;
  asked.shapes = options.shapes;
  asked.memoryLimit = options.memoryLimit;
  asked.seed = 0;
  Result<std::vector<NamedTensor>> inputs =
      makeInputs(session->inputs(), asked);
  if (!inputs)
    return session->withRefusedNodes(
        inputs.status().prefixed("the model runs in stages: "));
  std::vector<NamedValue> values, outputs;
  for (NamedTensor &input : *inputs)
    values.push_back({input.name, std::move(input.tensor)});
  ModelRunner runner(session, requestOf(options), {options.threads});
  if (Status status = runner.prepare(values); !status.ok())
    return status;
  std::vector<Step> steps;
  if (!runner.stages()) {
    if (json)
      printJson(steps, options.backend, false);
    else
      std::printf("on chance, the values of the inputs make one program of the "
                  "model, on backend %s\n",
                  options.backend.c_str());
    return Status();
  }
  runner.stages()->observe(&steps);
  runner.stages()->stopAfter(mostGraphs);
  Status status = runner.runPrepared(values, outputs);
  bool stopped = runner.stages()->wasStopped();
  json ? printJson(steps, options.backend, stopped)
       : printText(steps, options.backend, stopped);
  return stopped ? Status() : status;
}

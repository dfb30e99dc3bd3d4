//===- StagedModel.cpp - a model that the host walks through --------------===//

#include "glow/Stages/StagedModel.h"
#include "GraphRunner.h"

using namespace glow;

struct StagedModel::State {
  State(std::unique_ptr<StagedGraph> graph, const CompileRequest &request,
        Host &host)
      : model(std::move(graph)), compiler(*model, request, host),
        runner(*model, compiler, host) {}

  std::unique_ptr<StagedGraph> model;
  StageCompiler compiler;
  GraphRunner runner;
  double compiling = 0; // in the last run
};

StagedModel::StagedModel(std::unique_ptr<State> state)
    : state(std::move(state)) {}
StagedModel::~StagedModel() = default;

Result<std::unique_ptr<StagedModel>>
StagedModel::open(const CompileRequest &request, Host &host) {
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  Result<std::unique_ptr<StagedGraph>> graph = StagedGraph::open(request.path);
  if (!graph)
    return graph.status();
  return std::unique_ptr<StagedModel>(
      new StagedModel(std::make_unique<State>(graph.take(), request, host)));
}

Status StagedModel::run(std::span<const NamedValue> inputs,
                        std::vector<NamedValue> &outputs) {
  const double before = state->compiler.milliseconds;
  HostValue::Sequence arguments;
  const ModelGraph &graph = state->model->graph();
  std::vector<std::string> names;
  for (const ModelPort &port : state->model->interface().inputs) {
    auto given = std::ranges::find_if(inputs, [&](const NamedValue &input) {
      return input.name == port.name;
    });
    if (given == inputs.end())
      return failure(Code::NotFound, "input '", port.name, "' is not given");
    names.push_back(port.name);
    arguments.push_back(given->value);
  }
  Result<HostValue::Sequence> results =
      state->runner.run(graph, nullptr, names, std::move(arguments));
  state->compiling = state->compiler.milliseconds - before;
  if (!results)
    return results.status();
  outputs.clear();
  for (size_t i = 0; i < results->size(); ++i)
    outputs.push_back({graph.outputs[i], std::move((*results)[i])});
  return Status();
}

void StagedModel::observe(std::vector<Step> *steps) {
  state->runner.steps = steps;
}

double StagedModel::compileTime() const { return state->compiling; }

//===- StagedModel.cpp - a model that the host walks through --------------===//

#include "glow/Stages/StagedModel.h"
#include "GraphRunner.h"

using namespace glow;

struct StagedModel::State {
  State(std::unique_ptr<StagedGraph> graph, const CompileRequest &request,
        Host &host)
      : model(std::move(graph)), compiler(*model, request, host),
        runner(*model, compiler, host), memory(request.memoryLimit) {}

  std::unique_ptr<StagedGraph> model;
  StageCompiler compiler;
  GraphRunner runner;
  MemoryBudget memory;
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

/// The inputs in the model's order.
static Result<HostValue::Sequence>
argumentsOf(const StagedGraph &model, std::span<const NamedValue> inputs) {
  HostValue::Sequence arguments;
  std::map<std::string, Ints> shapes;
  for (const ModelPort &port : model.interface().inputs) {
    auto given = std::ranges::find(inputs, port.name, &NamedValue::name);
    if (given == inputs.end())
      return failure(Code::NotFound, "input '", port.name, "' is not given");
    const Tensor *tensor = given->value.tensor();
    if (port.other.empty() && (!tensor || tensor->type().kind != port.kind))
      return failure(Code::ShapeMismatch, "input '", port.name, "' is ",
                     given->value.text(), ", it should be of ",
                     name(*port.kind));
    if (port.other.empty())
      shapes[port.name] = tensor->type().shape;
    arguments.push_back(given->value);
  }
  Status status = model.checkShapes(shapes);
  return status.ok() ? std::move(arguments)
                     : Result<HostValue::Sequence>(status);
}

Status StagedModel::run(std::span<const NamedValue> inputs,
                        std::vector<NamedValue> &outputs) {
  MemoryBudget::Use use(state->memory);
  const double before = state->compiler.milliseconds;
  const ModelGraph &graph = state->model->graph();
  Result<HostValue::Sequence> arguments = argumentsOf(*state->model, inputs);
  if (!arguments)
    return arguments.status();
  std::vector<std::string> names;
  for (const ModelPort &port : state->model->interface().inputs)
    names.push_back(port.name);
  Result<HostValue::Sequence> results =
      state->runner.run(graph, nullptr, names, arguments.take());
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

void StagedModel::stopAfter(uint64_t graphs) {
  state->runner.graphsLeft = graphs;
}
bool StagedModel::wasStopped() const { return state->runner.wasStopped; }

const MemoryBudget &StagedModel::memory() const { return state->memory; }

double StagedModel::compileTime() const { return state->compiling; }

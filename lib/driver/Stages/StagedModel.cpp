//===- StagedModel.cpp - a model in stages --------------------------------===//
// SPDX-License-Identifier: MIT

#include "GraphRunner.h"
#include "glow/Stages/Stages.h"

using namespace glow;

namespace {

class StagesOfGraph final : public StagedModel {
public:
  StagesOfGraph(std::unique_ptr<StagedGraph> graph,
                const CompileRequest &request, Host &host,
                std::unique_ptr<StageStore> store)
      : model(std::move(graph)),
        compiler(*model, request, host, std::move(store)),
        runner(*model, compiler, host), budget(request.code.memoryLimit) {
    runner.maxIterations = request.maxIterations;
  }

  Status run(std::span<const NamedValue> inputs,
             std::vector<NamedValue> &outputs) override;

  void observe(std::vector<Action> *actions) override {
    runner.actions = actions;
  }
  void observePrograms(
      std::function<void(const Program &program)> observer) override {
    compiler.observer = std::move(observer);
  }
  void stopAfter(uint64_t graphs) override { runner.graphsLeft = graphs; }
  bool wasStopped() const override { return runner.wasStopped; }
  const MemoryBudget &memory() const override { return budget; }
  double compileTime() const override { return compiling; }

private:
  std::unique_ptr<StagedGraph> model;
  StageCompiler compiler;
  GraphRunner runner;
  MemoryBudget budget;
  double compiling = 0; // in the last run
};

} // namespace

Result<std::unique_ptr<StagedModel>>
glow::openStages(ModelFile &file, const CompileRequest &request, Host &host,
                 std::unique_ptr<StageStore> store) {
  if (Status status = checkBackend(request.backend, request.code.settings);
      !status.ok())
    return status;
  Result<std::unique_ptr<StagedGraph>> graph = StagedGraph::open(file);
  if (!graph)
    return graph.status();
  return std::unique_ptr<StagedModel>(
      new StagesOfGraph(graph.take(), request, host, std::move(store)));
}

/// The ports for which a run gives values: the inputs, and overridden
/// initializers.
static std::vector<ModelPort> portsOf(const ModelInterface &interface,
                                      std::span<const NamedValue> inputs) {
  std::vector<ModelPort> ports = interface.inputs;
  for (const ModelPort &port : interface.overridable)
    if (std::ranges::find(inputs, port.name, &NamedValue::name) != inputs.end())
      ports.push_back(port);
  return ports;
}

/// The values of ports, in their order.
static Result<HostValue::Sequence>
argumentsOf(const StagedGraph &model, const std::vector<ModelPort> &ports,
            std::span<const NamedValue> inputs) {
  HostValue::Sequence arguments;
  std::map<std::string, Ints> shapes;
  for (const ModelPort &port : ports) {
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

Status StagesOfGraph::run(std::span<const NamedValue> inputs,
                          std::vector<NamedValue> &outputs) {
  MemoryBudget::Use use(budget);
  const double before = compiler.milliseconds;
  const ModelGraph &graph = model->graph();
  const std::vector<ModelPort> ports = portsOf(model->interface(), inputs);
  Result<HostValue::Sequence> arguments = argumentsOf(*model, ports, inputs);
  if (!arguments)
    return arguments.status();
  std::vector<std::string> names;
  for (const ModelPort &port : ports)
    names.push_back(port.name);
  Result<HostValue::Sequence> results =
      runner.run(graph, nullptr, names, arguments.take());
  compiling = compiler.milliseconds - before;
  if (!results)
    return results.status();
  outputs.clear();
  for (size_t i = 0; i < results->size(); ++i)
    outputs.push_back({graph.outputs[i], std::move((*results)[i])});
  return Status();
}

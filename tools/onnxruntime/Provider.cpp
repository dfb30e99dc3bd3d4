//===- Provider.cpp - Glow in a session of ONNX Runtime -------------------===//
// SPDX-License-Identifier: MIT
//
// ONNX Runtime first asks which nodes the provider takes, then gives the taken
// nodes to it, and later runs them. A part is compiled when it is taken, so
// that ONNX Runtime keeps the nodes of a part that Glow cannot compile.
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include <algorithm>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// A node of the session that was made of a part.
class FusedNode : public ComputeInfo {
public:
  FusedNode(const Host &host, std::shared_ptr<Engine> engine,
            std::vector<size_t> inputs, std::vector<size_t> outputs)
      : ComputeInfo{tableVersion, createState, runNode, releaseState},
        host(host), engine(std::move(engine)), inputs(std::move(inputs)),
        outputs(std::move(outputs)) {}

private:
  static Status *createState(ComputeInfo *info, NodeContext *, void **state) {
    *state = info;
    return nullptr;
  }
  static Status *runNode(ComputeInfo *info, void *, KernelContext *context) {
    auto &node = *static_cast<FusedNode *>(info);
    return node.host.guarded([&] { node.run(context); });
  }
  static void releaseState(ComputeInfo *, void *) {}

  void run(KernelContext *context) const;

  Host host;
  std::shared_ptr<Engine> engine;
  std::vector<size_t> inputs, outputs; ///< the node's, of those of the engine
};
} // namespace

/// A tensor without elements may have no address.
static void *addressOf(void *data) {
  alignas(64) static char nothing[64];
  return data ? data : nothing;
}

void FusedNode::run(KernelContext *context) const {
  std::vector<Argument> arguments;
  for (size_t input : inputs) {
    const Value *value = nullptr;
    host.check(host.api.input()(context, input, &value));
    arguments.push_back({host.typeOf(value), addressOf(host.dataOf(value))});
  }
  engine->run(arguments, [&](size_t i, const std::vector<int64_t> &shape) {
    Value *value = nullptr;
    host.check(host.api.output()(context, outputs[i], shape.data(),
                                 shape.size(), &value));
    return addressOf(host.dataOf(value));
  });
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// All values that a node outside of the part reads, or that leave the graph.
static std::set<std::string>
usedValues(const Host &host, const Graph *graph,
           const std::vector<const Node *> &others) {
  std::set<std::string> used;
  for (const ValueInfo *value : host.list<ValueInfo>(
           host.api.graphOutputCount(), host.api.graphOutputs(), graph))
    used.insert(host.nameOf(value));
  for (const Node *node : others) {
    for (const ValueInfo *value : host.inputsOf(node))
      used.insert(host.nameOf(value));
    for (const ValueInfo *value : host.implicitInputsOf(node))
      used.insert(host.nameOf(value));
  }
  return used;
}

/// Throws Failure for the first value that is no tensor of whole bytes.
static void checkValues(const Host &host, const Part &part) {
  for (const auto *list : {&part.inputs, &part.outputs})
    for (const ValueInfo *value : *list) {
      std::optional<TensorType> type = host.typeOf(value);
      if (!type || !kindOf(type->element))
        throw Failure(NotImplemented,
                      "'" + host.nameOf(value) + "' is " +
                          (type ? type->text() : "no tensor") +
                          ", a provider's inputs and outputs are tensors of "
                          "numbers of whole bytes");
    }
}

std::shared_ptr<Engine> Provider::engineFor(const Part &part) {
  const std::string model = modelOf(host, part);
  const std::pair key(model.size(), std::hash<std::string_view>()(model));
  std::shared_ptr<Engine> &engine = claimed[key];
  if (!engine) {
    std::string name = host.get<const char *>(host.api.modelPath(), part.graph);
    if (name.empty())
      name = host.get<const char *>(host.api.graphName(), part.graph);
    engine = std::make_shared<Engine>(model, name, settings);
  }
  return engine;
}

void Provider::claimPart(Part part, SupportInfo *info) {
  try {
    checkValues(host, part);
    engineFor(part);
  } catch (const std::exception &error) {
    host.log(logger, Warning,
             "Glow leaves " + std::to_string(part.nodes.size()) +
                 " nodes to ONNX Runtime: " + error.what());
    return;
  }
  FusionOptions options;
  options.dropConstants = true;
  host.check(host.api.epApi()()->addNodesToFuse()(info, part.nodes.data(),
                                                  part.nodes.size(), &options));
}

/// Bodies of control flow go with the node that has them.
void Provider::claim(const Graph *graph, SupportInfo *info) {
  if (host.get<const Node *>(host.api.parentNode(), graph))
    return;
  std::vector<const Node *> nodes = host.nodesOf(graph);
  if (nodes.empty())
    return;
  claimPart(partOf(host, graph, nodes, usedValues(host, graph, {})), info);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static size_t placeOf(const std::vector<std::string> &names,
                      const std::string &name) {
  auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Failure(EpFail, "the node of a part has no value '" + name + "'");
  return found - names.begin();
}

static std::vector<size_t>
placesOf(const Host &host, const std::vector<const ValueInfo *> &values,
         const std::vector<api::TensorInfo> &infos) {
  std::vector<std::string> names;
  for (const ValueInfo *value : values)
    names.push_back(host.nameOf(value));
  std::vector<size_t> places;
  for (const api::TensorInfo &info : infos)
    places.push_back(placeOf(names, info.name));
  return places;
}

std::unique_ptr<ComputeInfo> Provider::compilePart(const Graph *graph,
                                                   const Node *fused) {
  const std::vector<const ValueInfo *> inputs = host.inputsOf(fused),
                                       outputs = host.outputsOf(fused);
  std::set<std::string> used;
  for (const ValueInfo *value : outputs)
    used.insert(host.nameOf(value));
  std::shared_ptr<Engine> engine =
      engineFor(partOf(host, graph, host.nodesOf(graph), used));
  return std::make_unique<FusedNode>(
      host, engine, placesOf(host, inputs, engine->inputs()),
      placesOf(host, outputs, engine->outputs()));
}

Provider::Provider(const Api &api, const Logger *logger, Settings settings)
    : Ep{}, host(api), logger(logger), settings(std::move(settings)) {
  version = tableVersion;
  name = [](const Ep *) { return providerName; };
  getCapability = [](Ep *ep, const Graph *graph, SupportInfo *info) {
    auto &self = *static_cast<Provider *>(ep);
    return self.host.guarded([&] { self.claim(graph, info); });
  };
  compile = [](Ep *ep, const Graph **graphs, const Node **fused, size_t count,
               ComputeInfo **infos, Node **) {
    auto &self = *static_cast<Provider *>(ep);
    return self.host.guarded([&] {
      for (size_t i = 0; i < count; ++i)
        infos[i] = self.compilePart(graphs[i], fused[i]).release();
      self.claimed.clear();
    });
  };
  releaseComputeInfos = [](Ep *, ComputeInfo **infos, size_t count) {
    for (size_t i = 0; i < count; ++i)
      delete static_cast<FusedNode *>(infos[i]);
  };
}

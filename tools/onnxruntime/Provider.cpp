//===- Provider.cpp - Glow in a session of ONNX Runtime -------------------===//
// SPDX-License-Identifier: MIT
//
// ONNX Runtime first asks which nodes the provider takes, then gives the taken
// nodes to it, and later runs them. A part is compiled when it is taken, so
// that ONNX Runtime keeps the nodes of a part that Glow cannot compile.
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include "ContextNode.h"
#include <algorithm>
#include <utility>

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
      : ComputeInfo{structureVersion, createState, runNode, releaseState},
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
template <typename T> static T *addressOf(T *data) {
  alignas(64) static char nothing[64];
  return data ? data : nothing;
}

void FusedNode::run(KernelContext *context) const {
  std::vector<Tensor> arguments;
  for (size_t input : inputs) {
    const Value *value = nullptr;
    host.check(host.api.KernelContext_GetInput(context, input, &value));
    Tensor &tensor = arguments.emplace_back(host.tensorOf(value));
    tensor.data = addressOf(tensor.data);
  }
  engine->run(arguments, [&](size_t i, const std::vector<int64_t> &shape) {
    Value *value = nullptr;
    host.check(host.api.KernelContext_GetOutput(
        context, outputs[i], shape.data(), shape.size(), &value));
    return addressOf(host.dataOf(value));
  });
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// A smaller part would take longer to enter and to leave than Glow gains.
static constexpr size_t leastNodes = 4;

/// A session's log has this many reasons for nodes that ONNX Runtime keeps.
static constexpr size_t mostReasons = 5;

/// The part of a graph that has these nodes.
static Part partOfGraph(const Host &host, const Graph *graph,
                        const Nodes &nodes) {
  std::set<std::string> used;
  auto use = [&](const std::vector<const ValueInfo *> &values) {
    for (const ValueInfo *value : values)
      used.insert(host.nameOf(value));
  };
  use(host.list<ValueInfo>(host.api.Graph_GetNumOutputs,
                           host.api.Graph_GetOutputs, graph));
  const std::set<const Node *> inside(nodes.begin(), nodes.end());
  for (const Node *node : host.nodesOf(graph))
    if (!inside.contains(node)) {
      use(host.inputsOf(node));
      use(host.implicitInputsOf(node));
    }
  return partOf(host, graph, nodes, used);
}

/// The names of the outputs, which no other part has.
static std::vector<std::string> keyOf(const Host &host, const Part &part) {
  std::vector<std::string> names;
  for (const ValueInfo *value : part.outputs)
    names.push_back(host.nameOf(value));
  std::ranges::sort(names);
  return names;
}

/// Throws Failure for the first value that cannot pass between ONNX Runtime and
/// Glow.
static void checkValues(const Host &host, const Part &part) {
  for (const auto *list : {&part.inputs, &part.outputs})
    for (const ValueInfo *value : *list) {
      std::optional<TensorType> type = host.typeOf(value);
      if (!type || !kindOf(type->element))
        throw Failure(ORT_NOT_IMPLEMENTED,
                      "'" + host.nameOf(value) + "' is " +
                          (type ? type->text() : "no tensor") +
                          ", it should be a tensor of numbers of whole bytes");
      if (list == &part.inputs && !type->hasRank)
        throw Failure(ORT_NOT_IMPLEMENTED, "'" + host.nameOf(value) + "' is " +
                                               type->text() +
                                               ", an input should have a rank");
    }
}

static std::string nameOf(const Host &host, const Graph *graph) {
  std::string name = host.get<const char *>(host.api.Graph_GetModelPath, graph);
  return name.empty() ? host.get<const char *>(host.api.Graph_GetName, graph)
                      : name;
}

std::shared_ptr<Engine> Provider::engineFor(const Part &part) const {
  return std::make_shared<Engine>(
      api::Model(modelOf(host, part), nameOf(host, part.graph)), settings,
      Compile::Trial);
}

Prepared Provider::prepare(const Part &part) const {
  if (contexts.enabled)
    return compileForContext(modelOf(host, part), nameOf(host, part.graph),
                             settings);
  return {engineFor(part), ""};
}

/// Throws an exception with the reason if Glow does not take the nodes.
void Provider::claimNodes(const Graph *graph, const Nodes &nodes,
                          SupportInfo *info) {
  const Part part = partOfGraph(host, graph, nodes);
  checkValues(host, part);
  claimed[keyOf(host, part)] = prepare(part);
  FusionOptions options;
  options.dropConstants = true;
  host.check(host.api.GetEpApi()->EpGraphSupportInfo_AddNodesToFuse(
      info, nodes.data(), nodes.size(), &options));
}

/// A line or more for each reason, with its first node.
static std::string reasonsOf(const Host &host,
                             const std::vector<Refusal> &refused) {
  std::map<std::string, size_t> counts;
  for (const Refusal &refusal : refused)
    ++counts[refusal.reason];
  std::string text;
  size_t written = 0;
  for (const auto &[node, reason] : refused) {
    const size_t others = std::exchange(counts[reason], 0);
    if (!others || written == mostReasons)
      continue;
    ++written;
    text += std::string("\n") +
            host.get<const char *>(host.api.Node_GetOperatorType, node) + " '" +
            host.get<const char *>(host.api.Node_GetName, node) + "'";
    if (others > 1)
      text += " and " + std::to_string(others - 1) + " more";
    text += ": " + reason;
  }
  if (written < counts.size())
    text += "\nand for " + std::to_string(counts.size() - written) +
            " more reasons";
  return text;
}

/// Claims what can be compiled without the nodes that Glow refuses.
void Provider::claimParts(const Graph *graph, const Nodes &nodes,
                          const std::string &reason, SupportInfo *info) {
  std::vector<Refusal> refused =
      refusals(nodes, reason, [&](const Nodes &some) {
        if (!rangesOf(settings).empty())
          throw Failure(ORT_NOT_IMPLEMENTED, reason); // no part has a program
        const Part part = partOfGraph(host, graph, some);
        checkValues(host, part);
        if (!engineFor(part)->hasPrograms())
          throw Failure(ORT_NOT_IMPLEMENTED,
                        "its sizes are known only in a run");
      });
  size_t taken = 0, parts = 0;
  for (const Nodes &some : partsWithout(refused, nodes, host)) {
    if (some.size() < leastNodes)
      continue;
    try {
      claimNodes(graph, some, info);
      taken += some.size();
      ++parts;
    } catch (const std::exception &error) {
      refused.push_back({some.front(), error.what()});
    }
  }
  std::string text = "Glow takes " + std::to_string(taken) + " of " +
                     std::to_string(nodes.size()) + " nodes, in " +
                     std::to_string(parts) + " parts. It refuses:";
  host.log(logger, ORT_LOGGING_LEVEL_WARNING, text + reasonsOf(host, refused));
}

/// Claims nodes that hold programs of Glow. False if there are none. A context
/// is read when its node is compiled: then a failure is that of the session.
bool Provider::claimContexts(const Nodes &nodes, SupportInfo *info) {
  bool any = false;
  const FusionOptions options;
  for (const Node *node : nodes)
    if (hasContext(host, node, identity().name.c_str())) {
      any = true;
      host.check(host.api.GetEpApi()->EpGraphSupportInfo_AddNodesToFuse(
          info, &node, 1, &options));
    }
  return any;
}

/// Bodies of control flow go with the node that has them. Nodes beside contexts
/// were left to ONNX Runtime when these were written.
void Provider::claim(const Graph *graph, SupportInfo *info) {
  if (host.get<const Node *>(host.api.Graph_GetParentNode, graph))
    return;
  const Nodes nodes = host.nodesOf(graph);
  if (nodes.empty() || claimContexts(nodes, info))
    return;
  std::string reason;
  try {
    return claimNodes(graph, nodes, info);
  } catch (const std::exception &error) {
    reason = error.what();
  }
  claimParts(graph, nodes, reason, info);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static size_t placeOf(const std::vector<std::string> &names,
                      const std::string &name) {
  auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Failure(ORT_EP_FAIL,
                  "the node of a part has no value '" + name + "'");
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

/// The engine of a context, of a claimed part or of a new one.
Prepared Provider::preparedFor(const Part &part) const {
  if (part.nodes.size() == 1 &&
      hasContext(host, part.nodes.front(), identity().name.c_str())) {
    const std::string name = nameOf(host, part.graph);
    bool compiled;
    Prepared prepared = {
        engineOfContext(contextIn(host, part.graph, part.nodes.front()), name,
                        settings, compiled),
        ""};
    if (compiled)
      host.log(logger, ORT_LOGGING_LEVEL_WARNING,
               "the context of '" + name +
                   "' was written by another build of Glow, with other options "
                   "or in a process of other libraries: it is compiled again");
    return prepared;
  }
  auto found = claimed.find(keyOf(host, part));
  return found == claimed.end() ? prepare(part) : found->second;
}

std::unique_ptr<ComputeInfo>
Provider::compilePart(const Graph *graph, const Node *fused, Node **context) {
  const std::vector<const ValueInfo *> inputs = host.inputsOf(fused),
                                       outputs = host.outputsOf(fused);
  std::set<std::string> used;
  for (const ValueInfo *value : outputs)
    used.insert(host.nameOf(value));
  const Prepared prepared =
      preparedFor(partOf(host, graph, host.nodesOf(graph), used));
  const std::shared_ptr<Engine> &engine = prepared.engine;
  if (context && !prepared.context.empty())
    *context = makeContextNode(host, graph, fused, prepared.context, contexts,
                               identity().name.c_str());
  return std::make_unique<FusedNode>(
      host, engine, placesOf(host, inputs, engine->inputs()),
      placesOf(host, outputs, engine->outputs()));
}

Provider::Provider(const Api &api, const Logger *logger, Settings settings,
                   ContextSettings contexts)
    : Ep{}, host(api), logger(logger), settings(std::move(settings)),
      contexts(std::move(contexts)) {
  version = structureVersion;
  name = [](const Ep *) { return identity().name.c_str(); };
  getCapability = [](Ep *ep, const Graph *graph, SupportInfo *info) {
    auto &self = *static_cast<Provider *>(ep);
    return self.host.guarded([&] { self.claim(graph, info); });
  };
  compile = [](Ep *ep, const Graph **graphs, const Node **fused, size_t count,
               ComputeInfo **infos, Node **contexts) {
    auto &self = *static_cast<Provider *>(ep);
    return self.host.guarded([&] {
      for (size_t i = 0; i < count; ++i)
        infos[i] = self.compilePart(graphs[i], fused[i],
                                    contexts ? &contexts[i] : nullptr)
                       .release();
      self.claimed.clear();
    });
  };
  releaseComputeInfos = [](Ep *, ComputeInfo **infos, size_t count) {
    for (size_t i = 0; i < count; ++i)
      delete static_cast<FusedNode *>(infos[i]);
  };
}

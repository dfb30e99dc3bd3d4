//===- GraphRunner.cpp - the nodes of a graph, one after the other --------===//
// SPDX-License-Identifier: MIT
//
// Each turn runs all ready nodes of the host, then one stage. Some nodes are
// accepted by no program, and no stage makes them ready. The host runs such a
// node when nothing else is left, if a record describes how. Graphs inside of
// nodes run in the same way, in a frame of their own within the outer one.
//
//===----------------------------------------------------------------------===//

#include "GraphRunner.h"
#include "NumberedStrings.h"
#include "glow/Base/Counted.h"
#include <algorithm>

using namespace glow;

/// A graph that is being run, with the number of remaining readers of each
/// value.
struct GraphRunner::Frame : GraphFrame {
  std::map<std::string, int> readers;
  unsigned depth = 0;

  bool isDone() const {
    return std::ranges::all_of(done, [](bool one) { return one; });
  }
};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool GraphRunner::isThere(const GraphFrame &frame,
                          const std::string &name) const {
  for (const GraphFrame *at = &frame; at; at = at->outer)
    if (at->values.contains(name) || at->graph->initializers.contains(name))
      return true;
  return false;
}

Result<const HostValue *> GraphRunner::valueOf(const GraphFrame &frame,
                                               const std::string &name) {
  for (const GraphFrame *at = &frame; at; at = at->outer) {
    if (auto found = at->values.find(name); found != at->values.end())
      return &found->second;
    if (!at->graph->initializers.contains(name))
      continue;
    // Kept between runs: a large constant that the host reads is copied only
    // once.
    auto [place, isNew] =
        initializers.try_emplace({at->graph, name}, HostValue());
    if (!isNew)
      return &place->second;
    Result<HostValue> value = model.initializer(*at->graph, name);
    if (!value) {
      initializers.erase(place);
      return value.status();
    }
    place->second = value.take();
    return &place->second;
  }
  return failure(Code::NotFound, "'", name, "' has no value");
}

bool GraphRunner::isReady(const Frame &frame, const ModelNode &node) const {
  return std::ranges::all_of(node.reads, [&](const std::string &name) {
    return isThere(frame, name);
  });
}

/// Whether the host must run a node. A node with an import record is compiled,
/// unless an input is a value that no program takes.
bool GraphRunner::mustRunOnHost(const Frame &frame,
                                const ModelNode &node) const {
  if (!node.host || !node.imports)
    return node.host;
  return std::ranges::any_of(node.inputs, [&](const std::string &name) {
    const HostValue *value = frame.find(name);
    return value ? !value->tensor() : holdsStrings(frame, name);
  });
}

bool GraphRunner::holdsStrings(const GraphFrame &frame,
                               const std::string &name) const {
  for (const GraphFrame *at = &frame; at; at = at->outer) {
    if (auto found = at->values.find(name); found != at->values.end())
      return hasStrings(found->second);
    if (at->graph->initializers.contains(name))
      return at->graph->texts.contains(name);
  }
  return false;
}

Result<const HostAttributes *>
GraphRunner::attributesOf(const ModelGraph &graph, size_t node) {
  auto known = attributes.find(&graph.nodes[node]);
  if (known != attributes.end())
    return &known->second;
  Result<HostAttributes> found = model.attributes(graph, int(node));
  if (!found)
    return found.status();
  return &(attributes[&graph.nodes[node]] = found.take());
}

/// Marks a node as done, and drops values without further readers.
void GraphRunner::finish(Frame &frame, size_t index) {
  frame.done[index] = true;
  for (const std::string &name : frame.graph->nodes[index].reads)
    if (auto left = frame.readers.find(name);
        left != frame.readers.end() && --left->second == 0)
      frame.values.erase(name);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void GraphRunner::note(StagedModel::Action action) {
  if (actions && std::ranges::find(*actions, action) == actions->end())
    actions->push_back(std::move(action));
}

Result<std::vector<const HostValue *>>
GraphRunner::inputsOf(const Frame &frame, const ModelNode &node) {
  std::vector<const HostValue *> inputs;
  for (const std::string &name : node.inputs) {
    if (name.empty()) {
      inputs.push_back(nullptr);
      continue;
    }
    Result<const HostValue *> value = valueOf(frame, name);
    if (!value)
      return value.status();
    inputs.push_back(*value);
  }
  return inputs;
}

HostBodies GraphRunner::bodiesOf(Frame &frame, const ModelNode &node) {
  if (node.graphs.empty())
    return {};
  auto runGraph = [&](const std::string &attribute,
                      HostValue::Sequence arguments) {
    auto graph = node.graphs.find(attribute);
    if (graph != node.graphs.end())
      return run(*graph->second, &frame, graph->second->inputs,
                 std::move(arguments));
    return Result<HostValue::Sequence>(failure(
        Code::InvalidArgument, "attribute '", attribute, "' is missing"));
  };
  auto types = [&](const std::string &attribute,
                   HostValue::Sequence arguments) {
    auto graph = node.graphs.find(attribute);
    return graph == node.graphs.end()
               ? std::vector<std::optional<TensorType>>()
               : typesOf(*graph->second, frame, std::move(arguments));
  };
  return {&node.bodies, runGraph, types, maxIterations};
}

Status GraphRunner::call(Frame &frame, size_t index) {
  const ModelNode &node = frame.graph->nodes[index];
  Result<std::vector<const HostValue *>> inputs = inputsOf(frame, node);
  if (!inputs)
    return inputs.status();
  Result<const HostAttributes *> attributes = attributesOf(*frame.graph, index);
  if (!attributes)
    return attributes.status();
  HostCall call(inputs.take(), **attributes, unsigned(node.outputs.size()),
                node.opset, bodiesOf(frame, node));
  if (std::string reason = call.misuse(*node.host); !reason.empty())
    return failure(Code::InvalidArgument, reason);
  if (Status status = node.host->run(call); !status.ok())
    return status;
  for (size_t i = 0; i < node.outputs.size(); ++i)
    // A value without readers would stay until the frame ends, so it is not
    // kept.
    if (frame.readers.contains(node.outputs[i]))
      frame.values[node.outputs[i]] = std::move(call.results()[i]);
  return Status();
}

Status GraphRunner::runHostNode(Frame &frame, size_t index,
                                const std::string &why) {
  const ModelNode &node = frame.graph->nodes[index];
  note({node.name, node.op, {}, why, frame.depth});
  if (Status status = call(frame, index); !status.ok())
    return status.prefixed("node '" + node.name + "' (" + node.place + "): ");
  finish(frame, index);
  return Status();
}

/// Runs a node that moves elements on numbers that stand for strings, in a
/// program or on the host. Its results then determine the position of each
/// string.
Status GraphRunner::runOnNumbers(Frame &frame, size_t index) {
  const ModelNode &node = frame.graph->nodes[index];
  note({node.name,
        node.op,
        {},
        "strings go where their numbers do",
        frame.depth});
  std::vector<std::string> names;
  std::vector<const HostValue *> values;
  for (const std::string &name : node.reads) {
    if (!holdsStrings(frame, name))
      continue;
    Result<const HostValue *> value = valueOf(frame, name);
    if (!value)
      return value.status();
    names.push_back(name);
    values.push_back(*value);
  }
  Result<NumberedStrings> strings = NumberedStrings::of(values);
  if (!strings)
    return strings.status();
  HostValue::Sequence arguments;
  for (const HostValue *value : values) {
    Result<HostValue> numbers = strings->numbersOf(*value);
    if (!numbers)
      return numbers.status();
    arguments.push_back(numbers.take());
  }
  // Runs in a frame of its own, where the numbers have the names of the
  // strings.
  const ModelGraph &alone = model.alone(*frame.graph, index);
  Result<HostValue::Sequence> results =
      run(alone, &frame, names, std::move(arguments));
  if (!results)
    return results.status();
  for (size_t i = 0; i < results->size(); ++i) {
    Result<HostValue> result = strings->stringsOf((*results)[i]);
    if (!result)
      return result.status();
    if (frame.readers.contains(alone.outputs[i]))
      frame.values[alone.outputs[i]] = result.take();
  }
  finish(frame, index);
  return Status();
}

Status GraphRunner::runReadyHostNodes(Frame &frame) {
  for (size_t i = 0; i < frame.done.size(); ++i) {
    const ModelNode &node = frame.graph->nodes[i];
    if (frame.done[i] || !isReady(frame, node))
      continue;
    const bool onNumbers =
        node.movesElements && std::ranges::any_of(node.reads, [&](auto &name) {
          return holdsStrings(frame, name);
        });
    if (!onNumbers && !mustRunOnHost(frame, node))
      continue;
    Status status = onNumbers
                        ? runOnNumbers(frame, i).prefixed(
                              "node '" + node.name + "' (" + node.place + "): ")
                        : runHostNode(frame, i, node.host->reason);
    if (!status.ok())
      return status;
  }
  return Status();
}

/// Runs the first node on the host that waits for values which no stage
/// computes.
Status GraphRunner::runWaiting(Frame &frame, const CompiledStage &stage,
                               bool &ran) {
  for (const auto &[index, why] : stage.waiting) {
    if (!frame.graph->nodes[size_t(index)].host)
      continue;
    ran = true;
    return runHostNode(frame, size_t(index), why);
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

Status GraphRunner::runStage(Frame &frame, const CompiledStage &stage) {
  if (actions) {
    std::vector<std::string> names;
    for (int node : stage.nodes)
      names.push_back(frame.graph->nodes[size_t(node)].name);
    note({names.front(), "", names, "", frame.depth});
  }
  Tensors tensors;
  for (const std::string &name : stage.inputs)
    tensors.inputs.push_back(frame.find(name)->tensor()->view());
  std::vector<Tensor> results;
  for (const TensorType &type : stage.outputTypes) {
    // Results go to host memory. A value outlives the stage, and the next stage
    // may run on another device.
    Result<Tensor> result = Tensor::zeros(type);
    if (!result)
      return result.status();
    results.push_back(result.take());
  }
  for (Tensor &result : results)
    tensors.outputs.push_back(result.view());
  if (Status status = host.run(*stage.model, tensors); !status.ok())
    return status;
  for (size_t i = 0; i < results.size(); ++i)
    frame.values[stage.outputs[i]] = HostValue(std::move(results[i]));
  for (int node : stage.nodes)
    finish(frame, size_t(node));
  return Status();
}

Status GraphRunner::stuck(const Frame &frame,
                          const CompiledStage &stage) const {
  std::string text;
  for (const auto &[index, why] : stage.waiting) {
    const ModelNode &node = frame.graph->nodes[size_t(index)];
    text += "\n  note: '" + node.op +
            "': " + (why.empty() ? "it cannot read what it is given" : why) +
            ": node '" + node.name + "'";
  }
  return failure(Code::Unsupported, counted(stage.waiting.size(), "node"),
                 " cannot be run", text);
}

Status GraphRunner::runAll(Frame &frame) {
  while (true) {
    if (Status status = runReadyHostNodes(frame); !status.ok())
      return status;
    if (frame.isDone())
      return Status();
    Result<const CompiledStage *> stage = compiler.next(frame);
    if (!stage)
      return stage.status();
    if (!(*stage)->refused.empty())
      return failure(Code::Unsupported, (*stage)->refused);
    // A stage without nodes has no program, but lists the waiting nodes with
    // reasons.
    bool ran = (*stage)->model.has_value();
    Status status = ran ? runStage(frame, **stage)
                        // Copied: the host may run graphs, whose stages may
                        // evict this one.
                        : runWaiting(frame, CompiledStage(**stage), ran);
    if (!status.ok())
      return status;
    if (!ran)
      return stuck(frame, **stage);
  }
}

GraphRunner::Frame GraphRunner::frameOf(const ModelGraph &graph,
                                        const GraphFrame *outer,
                                        const std::vector<std::string> &names,
                                        HostValue::Sequence arguments) const {
  Frame frame;
  frame.graph = &graph;
  frame.outer = outer;
  frame.done.resize(graph.nodes.size());
  frame.readers.insert(graph.readers.begin(), graph.readers.end());
  if (outer)
    frame.depth = static_cast<const Frame *>(outer)->depth + 1;
  for (size_t i = 0; i < names.size(); ++i)
    frame.values[names[i]] = std::move(arguments[i]);
  return frame;
}

std::vector<std::optional<TensorType>>
/// The types of the first stage's results are known when it is compiled,
/// without a run. Types of later results are unknown.
GraphRunner::typesOf(const ModelGraph &graph, const Frame &outer,
                     HostValue::Sequence arguments) {
  std::vector<std::optional<TensorType>> types(graph.outputs.size());
  if (graph.inputs.size() != arguments.size())
    return types;
  Frame frame = frameOf(graph, &outer, graph.inputs, std::move(arguments));
  Result<const CompiledStage *> stage = compiler.next(frame);
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string &name = graph.outputs[i];
    const HostValue *value = frame.find(name);
    if (value && value->tensor())
      types[i] = value->tensor()->type();
    for (size_t k = 0; stage && k < (*stage)->outputs.size(); ++k)
      if ((*stage)->outputs[k] == name)
        types[i] = (*stage)->outputTypes[k];
  }
  return types;
}

Result<HostValue::Sequence>
GraphRunner::run(const ModelGraph &graph, const GraphFrame *outer,
                 const std::vector<std::string> &names,
                 HostValue::Sequence arguments) {
  if (names.size() != arguments.size())
    return failure(Code::InvalidArgument, "a graph has ", names.size(),
                   " inputs, but ", arguments.size(), " are given");
  // Limits the iterations of loops, not the model itself.
  if (outer && graphsLeft && (*graphsLeft)-- == 0) {
    wasStopped = true;
    graphsLeft = 0;
    return failure(Code::Unsupported, "it goes on for longer than was asked");
  }
  Frame frame = frameOf(graph, outer, names, std::move(arguments));
  if (Status status = runAll(frame); !status.ok())
    return status;
  HostValue::Sequence results;
  for (const std::string &name : graph.outputs) {
    Result<const HostValue *> value = valueOf(frame, name);
    if (!value)
      return value.status();
    // Copied: two outputs may have the same name, or be a constant.
    results.push_back(**value);
  }
  return results;
}

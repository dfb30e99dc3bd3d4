//===- GraphOrder.cpp - order of a graph's nodes --------------------------===//
// SPDX-License-Identifier: MIT
//
// Nodes keep the file's order where it is a valid order: messages, names and
// numbers of storage then follow the file. Only nodes that an output needs are
// imported: an unknown operator is no error where nothing reads its results.
//
//===----------------------------------------------------------------------===//

#include "GraphOrder.h"
#include "Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <queue>

using namespace glow;

/// Calls `visit` with every name that the graph reads and does not define.
static void forOuterNames(const onnx::GraphProto &graph,
                          llvm::function_ref<void(const std::string &)> visit) {
  llvm::StringSet<> defined;
  for (const onnx::ValueInfoProto &input : graph.input())
    defined.insert(input.name());
  for (const onnx::TensorProto &tensor : graph.initializer())
    defined.insert(tensor.name());
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    defined.insert(tensor.values().name());
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      defined.insert(output);
  auto outer = [&](const std::string &name) {
    if (!name.empty() && !defined.contains(name))
      visit(name);
  };
  for (const onnx::ValueInfoProto &output : graph.output())
    outer(output.name());
  for (const onnx::NodeProto &node : graph.node())
    forNamesRead(node, outer);
}

static bool isGradient(const onnx::NodeProto &node) {
  return node.op_type() == "Gradient" &&
         node.domain() == "ai.onnx.preview.training";
}

void glow::forDifferentiated(
    const onnx::NodeProto &node,
    llvm::function_ref<void(const std::string &)> visit) {
  if (!isGradient(node))
    return;
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_s())
      visit(attribute.s());
    llvm::for_each(attribute.strings(), visit);
  }
}

void glow::forDifferentiated(onnx::NodeProto &node,
                             llvm::function_ref<void(std::string &)> visit) {
  if (!isGradient(node))
    return;
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_s())
      visit(*attribute.mutable_s());
    for (std::string &name : *attribute.mutable_strings())
      visit(name);
  }
}

void glow::forNamesRead(const onnx::NodeProto &node,
                        llvm::function_ref<void(const std::string &)> visit) {
  llvm::for_each(node.input(), visit);
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      forOuterNames(attribute.g(), visit);
    for (const onnx::GraphProto &inner : attribute.graphs())
      forOuterNames(inner, visit);
  }
  forDifferentiated(node, visit);
}

namespace {

/// The producer of a value that no node computes.
constexpr int anInput = -1, anInitializer = -2;

using Names = std::vector<std::string>;

class Ordering {
public:
  Ordering(const onnx::GraphProto &graph,
           llvm::function_ref<bool(llvm::StringRef)> outer)
      : graph(graph), outer(outer), reads(graph.node_size()) {}

  Result<GraphOrder> run();

private:
  Status defineAll();
  Status define(const std::string &name, int producer);
  Status resolveReads();
  std::vector<bool> neededNodes() const;
  Result<std::vector<int>> sorted() const;
  Status cycle(const std::vector<int> &missing) const;
  std::string text(int producer) const;

  const onnx::GraphProto &graph;
  llvm::function_ref<bool(llvm::StringRef)> outer;
  llvm::StringMap<int> producers;
  std::vector<Names> reads; ///< by node: names read by the node and its graphs
};

std::string Ordering::text(int producer) const {
  if (producer == anInput)
    return "an input";
  if (producer == anInitializer)
    return "an initializer";
  return "node '" + nodeName(graph.node(producer)) + "'";
}

Status Ordering::define(const std::string &name, int producer) {
  auto [place, isNew] = producers.try_emplace(name, producer);
  // An initializer may be the default of an input; before IR version 4 each
  // was.
  if (isNew || (place->second == anInput && producer == anInitializer))
    return Status();
  return failure(Code::InvalidArgument, "the value '", name,
                 "' is defined twice, by ", text(place->second), " and by ",
                 text(producer));
}

Status Ordering::defineAll() {
  Status status;
  auto add = [&](const std::string &name, int producer) {
    if (status.ok())
      status = define(name, producer);
  };
  for (const onnx::ValueInfoProto &input : graph.input())
    add(input.name(), anInput);
  llvm::StringSet<> initializers;
  auto addInitializer = [&](const std::string &name) {
    if (status.ok() && !initializers.insert(name).second)
      status = failure(Code::InvalidArgument, "the value '", name,
                       "' is defined twice, by two initializers");
    add(name, anInitializer);
  };
  for (const onnx::TensorProto &tensor : graph.initializer())
    addInitializer(tensor.name());
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    addInitializer(tensor.values().name());
  for (int i = 0; i < graph.node_size(); ++i)
    for (const std::string &output : graph.node(i).output())
      if (!output.empty())
        add(output, i);
  return status;
}

/// Checks all nodes, even those that no output needs: an undefined name is an
/// error of the file, whatever the operator is.
Status Ordering::resolveReads() {
  Status status;
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto &node = graph.node(i);
    auto read = [&](const std::string &name) {
      if (name.empty() || !status.ok())
        return;
      if (producers.contains(name))
        reads[i].push_back(name);
      else if (!outer(name))
        status = failure(Code::InvalidArgument, "node '", nodeName(node),
                         "' reads '", name,
                         "', which no input, initializer or node defines");
    };
    forNamesRead(node, read);
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    if (status.ok() && !producers.contains(output.name()) &&
        !outer(output.name()))
      status = failure(Code::InvalidArgument, "the output '", output.name(),
                       "' is defined by no node, input or initializer");
  return status;
}

std::vector<bool> Ordering::neededNodes() const {
  std::vector<bool> needed(graph.node_size());
  std::vector<int> open;
  auto need = [&](const std::string &name) {
    auto found = producers.find(name);
    if (found == producers.end() || found->second < 0 || needed[found->second])
      return;
    needed[found->second] = true;
    open.push_back(found->second);
  };
  for (const onnx::ValueInfoProto &output : graph.output())
    need(output.name());
  while (!open.empty()) {
    int node = open.back();
    open.pop_back();
    llvm::for_each(reads[node], need);
  }
  return needed;
}

/// Reports a cycle. A node with a count of 0 in `missing` waits for no cycle.
/// From any other node, going back along unfinished producers must reach a node
/// of the path again.
Status Ordering::cycle(const std::vector<int> &missing) const {
  auto before = [&](int node) {
    for (const std::string &name : reads[node])
      if (int producer = producers.lookup(name);
          producer >= 0 && missing[producer] > 0)
        return producer;
    return node;
  };
  std::vector<int> path;
  int node = int(llvm::find_if(missing, [](int m) { return m > 0; }) -
                 missing.begin());
  for (std::vector<bool> seen(missing.size()); !seen[node];
       node = before(node)) {
    seen[node] = true;
    path.push_back(node);
  }
  path.erase(path.begin(), llvm::find(path, node));
  std::string text = "'" + nodeName(graph.node(node)) + "'";
  constexpr size_t shown = 10;
  for (size_t i = path.size(), count = 1; i-- > 0; ++count) {
    if (i > 0 && count >= shown) {
      text += " -> ... (" + std::to_string(i) + " more)";
      i = 0;
    }
    text += " -> '" + nodeName(graph.node(path[i])) + "'";
  }
  return failure(Code::InvalidArgument,
                 "the nodes need one another in a cycle: ", text);
}

/// All nodes, each after its producers, otherwise by index.
Result<std::vector<int>> Ordering::sorted() const {
  std::vector<int> missing(graph.node_size()); // how many it still waits for
  std::vector<std::vector<int>> readers(graph.node_size());
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const std::string &name : reads[i])
      if (int producer = producers.lookup(name); producer >= 0) {
        readers[producer].push_back(i);
        ++missing[i];
      }
    if (!missing[i])
      ready.push(i);
  }
  std::vector<int> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (int reader : readers[order.back()])
      if (--missing[reader] == 0)
        ready.push(reader);
  }
  if (order.size() != missing.size())
    return cycle(missing);
  return order;
}

Result<GraphOrder> Ordering::run() {
  if (Status status = defineAll(); !status.ok())
    return status;
  if (Status status = resolveReads(); !status.ok())
    return status;
  Result<std::vector<int>> order = sorted();
  if (!order)
    return order.status();
  std::vector<bool> needed = neededNodes();
  GraphOrder result;
  for (int node : *order) {
    if (!needed[node])
      continue;
    result.nodes.push_back(node);
    result.used.insert_range(reads[node]);
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    result.used.insert(output.name());
  return result;
}

} // namespace

Result<GraphOrder>
glow::orderOf(const onnx::GraphProto &graph,
              llvm::function_ref<bool(llvm::StringRef)> outer) {
  return Ordering(graph, outer).run();
}

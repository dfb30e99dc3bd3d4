//===- Branches.cpp - branches of a model in one graph --------------------===//
// SPDX-License-Identifier: MIT

#include "Branches.h"
#include <functional>

using namespace glow;

using Visit = std::function<void(std::string &)>;

static void forGraphs(onnx::NodeProto &node,
                      const std::function<void(onnx::GraphProto &)> &visit) {
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_g())
      visit(*attribute.mutable_g());
    for (onnx::GraphProto &graph : *attribute.mutable_graphs())
      visit(graph);
  }
}

/// Visits the names that a graph defines, without those of graphs in it.
static void forDefined(onnx::GraphProto &graph, const Visit &visit) {
  for (onnx::ValueInfoProto &input : *graph.mutable_input())
    visit(*input.mutable_name());
  for (onnx::TensorProto &tensor : *graph.mutable_initializer())
    visit(*tensor.mutable_name());
  for (onnx::SparseTensorProto &tensor : *graph.mutable_sparse_initializer())
    visit(*tensor.mutable_values()->mutable_name());
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (std::string &output : *node.mutable_output())
      if (!output.empty())
        visit(output);
}

/// Visits the names that a node, or a graph in it, reads from around the node.
static void forReads(onnx::NodeProto &node, const Visit &visit) {
  for (std::string &input : *node.mutable_input())
    if (!input.empty())
      visit(input);
  forGraphs(node, [&](onnx::GraphProto &graph) {
    std::set<std::string> own;
    forDefined(graph, [&](std::string &name) { own.insert(name); });
    const Visit captured = [&](std::string &name) {
      if (!own.contains(name))
        visit(name);
    };
    for (onnx::NodeProto &inner : *graph.mutable_node())
      forReads(inner, captured);
    for (onnx::ValueInfoProto &output : *graph.mutable_output())
      captured(*output.mutable_name());
  });
}

static void takeNames(onnx::GraphProto &graph, std::set<std::string> &taken) {
  forDefined(graph, [&](std::string &name) { taken.insert(name); });
  for (onnx::NodeProto &node : *graph.mutable_node())
    forGraphs(node, [&](onnx::GraphProto &inner) { takeNames(inner, taken); });
}

/// A name that is not taken, which is then.
static std::string freshName(const std::string &wanted,
                             std::set<std::string> &taken) {
  std::string name = wanted;
  for (unsigned number = 2; !taken.insert(name).second; ++number)
    name = wanted + "_" + std::to_string(number);
  return name;
}

static onnx::NodeProto identityOf(const std::string &value,
                                  const std::string &name) {
  onnx::NodeProto node;
  node.set_op_type("Identity");
  node.add_input(value), node.add_output(name);
  return node;
}

//===----------------------------------------------------------------------===//
// Out of branches
//===----------------------------------------------------------------------===//

/// Gives the values of a branch names that no other value of the graph has.
void Branches::rename(onnx::GraphProto &body) {
  std::map<std::string, std::string> renamed;
  forDefined(body, [&](std::string &name) {
    if (!values.insert(name).second) {
      const std::string other = freshName(name, taken);
      values.insert(other);
      renamed[name] = other, former[other] = name;
      name = other;
    }
  });
  const Visit read = [&](std::string &name) {
    if (auto other = renamed.find(name); other != renamed.end())
      name = other->second;
  };
  for (onnx::NodeProto &node : *body.mutable_node())
    forReads(node, read);
  for (onnx::ValueInfoProto &output : *body.mutable_output())
    read(*output.mutable_name());
  for (onnx::ValueInfoProto &value : *body.mutable_value_info())
    read(*value.mutable_name());
}

/// Leaves a branch that returns values of the graph around it.
void Branches::hoistBranch(onnx::GraphProto &body, int branch,
                           onnx::GraphProto &to) {
  rename(body);
  forDefined(body, [&](std::string &name) { of[name] = branch; });
  Nodes nodes;
  nodes.Swap(body.mutable_node());
  hoistNodes(nodes, branch, to);
  to.mutable_initializer()->MergeFrom(body.initializer());
  to.mutable_sparse_initializer()->MergeFrom(body.sparse_initializer());
  to.mutable_value_info()->MergeFrom(body.value_info());
  body.clear_initializer(), body.clear_sparse_initializer();
  body.clear_value_info();
  for (onnx::ValueInfoProto &output : *body.mutable_output()) {
    branches[size_t(branch)].outputs.push_back(output.name());
    const std::string name = freshName(output.name(), taken);
    *body.add_node() = identityOf(output.name(), name);
    output.set_name(name);
  }
}

void Branches::hoistNodes(Nodes &from, int branch, onnx::GraphProto &to) {
  for (onnx::NodeProto &node : from) {
    const bool isIf = node.op_type() == "If" && node.domain().empty() &&
                      node.output_size() && !node.output(0).empty();
    for (onnx::AttributeProto &attribute : *node.mutable_attribute())
      if (isIf && attribute.has_g() && attribute.g().node_size()) {
        branches.push_back({branch, node.output(0), attribute.name(), {}});
        hoistBranch(*attribute.mutable_g(), int(branches.size() - 1), to);
      }
    *to.add_node() = std::move(node);
  }
}

bool Branches::hoist(onnx::ModelProto &model) {
  onnx::GraphProto &graph = *model.mutable_graph();
  takeNames(graph, taken);
  for (const onnx::ValueInfoProto &output : graph.output())
    taken.insert(output.name());
  forDefined(graph, [&](std::string &name) { values.insert(name); });
  Nodes nodes;
  nodes.Swap(graph.mutable_node());
  hoistNodes(nodes, root, graph);
  return !branches.empty();
}

//===----------------------------------------------------------------------===//
// Back into branches
//===----------------------------------------------------------------------===//

namespace glow {

/// A call of `sink`.
class Sinking {
public:
  Sinking(const Branches &all, onnx::ModelProto &model)
      : all(all), graph(*model.mutable_graph()), taken(all.taken),
        bodies(all.branches.size()), more(all.branches.size()) {
    takeNames(graph, taken);
  }

  void run();

private:
  static constexpr int root = Branches::root;
  static constexpr int unread = -2; ///< the place of a value without readers

  /// A result that an `If` has beside those of the file.
  struct Result {
    std::string value; ///< of the branch
    std::string name;
    int32_t kind;
  };

  int outerOf(int branch) const { return all.branches[size_t(branch)].outer; }
  bool isInside(int branch, int other) const;
  int around(int one, int other) const;
  int placeOf(const std::string &value) const;
  int placeInFile(const onnx::NodeProto &node) const;
  int placeOfReaders(const onnx::NodeProto &node) const;
  onnx::GraphProto &graphOf(int branch) {
    return branch == root ? main : bodies[size_t(branch)];
  }

  void findReaders();
  void findInputs();
  void distribute();
  void passOutputs();
  std::string nameIn(int branch, const std::string &value) const;
  void renameValues();
  void fill(int branch);
  void addResults(int branch, onnx::NodeProto &node, onnx::GraphProto &body);

  const Branches &all;
  onnx::GraphProto &graph; ///< all nodes
  std::set<std::string> taken;
  onnx::GraphProto main; ///< nodes and weights outside of branches
  std::vector<onnx::GraphProto> bodies;
  std::map<std::string, int> places; ///< of values that are new
  std::vector<std::vector<Result>> more;
  std::map<std::string, std::string> inner; ///< names of values in branches
};

} // namespace glow

bool Sinking::isInside(int branch, int other) const {
  while (branch > other)
    branch = outerOf(branch);
  return branch == other;
}

/// The innermost branch around both.
int Sinking::around(int one, int other) const {
  if (one == unread || other == unread)
    return one == unread ? other : one;
  while (one != other)
    (one > other ? one : other) = outerOf(std::max(one, other));
  return one;
}

int Sinking::placeOf(const std::string &value) const {
  if (auto found = all.of.find(value); found != all.of.end())
    return found->second;
  auto found = places.find(value);
  return found == places.end() ? root : std::max(found->second, root);
}

/// The place of a node of the file; `unread` for a new one.
int Sinking::placeInFile(const onnx::NodeProto &node) const {
  for (const std::string &output : node.output())
    if (auto found = all.of.find(output); found != all.of.end())
      return found->second;
    else if (!output.empty() && all.values.contains(output))
      return root;
  return unread;
}

/// The branch around all readers of a new node, as far as they are known.
int Sinking::placeOfReaders(const onnx::NodeProto &node) const {
  int place = unread;
  for (const std::string &output : node.output())
    if (auto found = places.find(output); found != places.end())
      place = around(place, found->second);
  return place;
}

/// Finds the branch around all readers of each new value.
void Sinking::findReaders() {
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    onnx::NodeProto &node = *graph.mutable_node(i);
    int place = placeInFile(node);
    if (place == unread)
      place = placeOfReaders(node);
    forReads(node, [&](std::string &value) {
      if (all.of.contains(value) || all.values.contains(value))
        return;
      auto [found, isFirst] = places.try_emplace(value, place);
      if (!isFirst)
        found->second = around(found->second, place);
    });
  }
}

/// Finds the place of new values that only outputs of the model read: that of
/// their inputs.
void Sinking::findInputs() {
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    if (placeInFile(node) != unread)
      continue;
    int place = placeOfReaders(node);
    if (place == unread) {
      place = root;
      forReads(node, [&](std::string &value) {
        place = std::max(place, placeOf(value));
      });
    }
    for (const std::string &output : node.output())
      if (!output.empty())
        places[output] = place;
  }
}

void Sinking::distribute() {
  main = graph;
  main.clear_node(), main.clear_initializer(), main.clear_value_info();
  main.clear_sparse_initializer();
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    int place = placeInFile(node);
    if (place == unread)
      place = placeOfReaders(node);
    *graphOf(place).add_node() = std::move(node);
  }
  for (onnx::TensorProto &weight : *graph.mutable_initializer()) {
    const int place = placeOf(weight.name());
    *graphOf(place).add_initializer() = std::move(weight);
  }
  for (auto &weight : *graph.mutable_sparse_initializer())
    *graphOf(placeOf(weight.values().name())).add_sparse_initializer() = weight;
  for (const onnx::ValueInfoProto &value : graph.value_info())
    *graphOf(placeOf(value.name())).add_value_info() = value;
}

/// Makes an output of the model that a branch computes a result of the `If`s
/// around it.
void Sinking::passOutputs() {
  for (const onnx::ValueInfoProto &output : graph.output()) {
    std::string name = output.name();
    const int32_t kind = output.type().tensor_type().elem_type();
    for (int at = placeOf(output.name()); at != root; at = outerOf(at)) {
      const std::string result =
          outerOf(at) == root ? output.name() : freshName(name, taken);
      more[size_t(at)].push_back({name, result, kind});
      name = result;
    }
    if (placeOf(output.name()) != root)
      inner[output.name()] = freshName(output.name(), taken);
  }
}

/// The name of a value in the file, as nodes of a branch read it.
std::string Sinking::nameIn(int branch, const std::string &value) const {
  if (!isInside(branch, placeOf(value)) || placeOf(value) == root)
    return value;
  if (auto name = inner.find(value); name != inner.end())
    return name->second;
  auto name = all.former.find(value);
  return name == all.former.end() ? value : name->second;
}

void Sinking::renameValues() {
  for (int branch = 0; branch < int(bodies.size()); ++branch) {
    onnx::GraphProto &body = bodies[size_t(branch)];
    const Visit rename = [&](std::string &name) {
      name = nameIn(branch, name);
    };
    for (onnx::NodeProto &node : *body.mutable_node())
      forReads(node, rename);
    for (onnx::ValueInfoProto &value : *body.mutable_value_info())
      rename(*value.mutable_name());
    forDefined(body, rename);
  }
}

/// Adds results that a branch gives beside those of the file.
void Sinking::addResults(int branch, onnx::NodeProto &node,
                         onnx::GraphProto &body) {
  for (const Result &result : more[size_t(branch)]) {
    node.add_output(result.name);
    forGraphs(node, [&](onnx::GraphProto &graph) {
      onnx::ValueInfoProto &output = *graph.add_output();
      output.mutable_type()->mutable_tensor_type()->set_elem_type(result.kind);
      if (&graph == &body)
        return output.set_name(nameIn(branch, result.value));
      output.set_name(freshName(result.name + ".none", taken));
      onnx::TensorProto &none = *graph.add_initializer();
      none.set_name(output.name()), none.set_data_type(result.kind);
      none.add_dims(0);
    });
  }
}

/// Gives a graph of an `If` its nodes. A value of the graph is returned as it
/// is, another one by the `Identity` that is there.
void Sinking::fill(int branch) {
  const Branches::Branch &own = all.branches[size_t(branch)];
  for (onnx::NodeProto &node : *graphOf(own.outer).mutable_node()) {
    if (!node.output_size() || node.output(0) != nameIn(own.outer, own.node))
      continue;
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.name() != own.attribute)
        continue;
      onnx::GraphProto &body = *attribute.mutable_g(),
                       &filled = bodies[size_t(branch)];
      Branches::Nodes copies;
      copies.Swap(body.mutable_node());
      body.mutable_node()->Swap(filled.mutable_node());
      body.mutable_initializer()->MergeFrom(filled.initializer());
      body.mutable_sparse_initializer()->MergeFrom(filled.sparse_initializer());
      body.mutable_value_info()->MergeFrom(filled.value_info());
      for (int i = 0; i < int(own.outputs.size()); ++i)
        if (placeOf(own.outputs[size_t(i)]) == branch)
          body.mutable_output(i)->set_name(
              nameIn(branch, own.outputs[size_t(i)]));
        else
          *body.add_node() = copies.Get(i);
      addResults(branch, node, body);
    }
  }
}

void Sinking::run() {
  findReaders();
  findInputs();
  distribute();
  passOutputs();
  renameValues();
  for (int branch = int(bodies.size()) - 1; branch >= 0; --branch)
    fill(branch);
  graph.Swap(&main);
}

void Branches::sink(onnx::ModelProto &model) const {
  if (!branches.empty())
    Sinking(*this, model).run();
}

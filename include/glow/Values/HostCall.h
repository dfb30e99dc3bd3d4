//===- HostCall.h - one node that runs on the host --------------*- C++ -*-===//
//
// What the shape or the structure of a result depends on values, no program is
// compiled for: a function on values does it. ClassGen makes a table row of
// every HostOperator record, a plug-in registers rows of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_VALUES_HOSTCALL_H
#define GLOW_VALUES_HOSTCALL_H

#include "glow/Values/HostValue.h"
#include <functional>

namespace glow {

class HostCall;

/// What a graph inside of a node says of one of its inputs or outputs.
struct HostPort {
  std::optional<ElementKind> kind = {}; ///< none if it is not said, or another
  std::string other = {};         ///< "strings", "a sequence"...; "" if not
  std::optional<Ints> shape = {}; ///< -1 where a size is no number

  /// Of an output: the input that it is, as it came in, or whether it is a
  /// value that no input changes. Else what comes out may be anything.
  std::optional<size_t> input = {};
  bool constant = false;

  /// "f32", "a sequence"; "" where nothing is said.
  std::string kindText() const;
};

struct HostGraph {
  std::vector<HostPort> inputs, outputs;
};

/// The graphs of a node, by attribute.
using HostGraphs = std::map<std::string, HostGraph, std::less<>>;

/// What is known of a node before it runs: how many inputs and outputs it
/// lists, and its graphs.
struct HostNode {
  size_t inputs = 0, outputs = 0;
  const HostGraphs &graphs;
};

/// How the nodes of one operator run on the host, from one opset on.
struct HostEntry {
  const char *domain; ///< "" and "ai.onnx" are the same
  const char *op;
  int since; ///< the first opset of `domain` for which this row holds

  /// Sets the outputs. Messages of a failure follow the node's name.
  Status (*run)(HostCall &);

  /// Names in order: "C?" may be absent, "X..." is the rest.
  std::span<const char *const> inputs;
  std::span<const char *const> attributes;
  unsigned minInputs, maxInputs; ///< how many a node may list
  const char *reason;            ///< why it runs on the host

  /// Whether a program is made of it only where constants decide on its size,
  /// not for a value that a run gives.
  bool unlessConstant = false;

  /// Whether a run with the numbers of elements in their place tells where each
  /// element goes.
  bool movesElements = false;

  /// Whether the output of a node with one input is that input.
  bool isCopy = false;

  /// Whether the graphs inside of a node may be what they declare. Null where
  /// the row takes none.
  Status (*check)(const HostNode &) = nullptr;
};

/// Adds rows. One that is there already, for the same domain, operator and
/// opset, stays. The rows must live as long as the process. Any thread may call
/// this.
void registerHostOperators(std::span<const HostEntry> entries);

/// The row with the greatest `since` up to `opset`; null when there is none.
const HostEntry *findHostOperator(std::string_view domain, std::string_view op,
                                  int64_t opset);

/// All rows, by domain, operator and opset.
std::vector<const HostEntry *> hostEntries();

/// The value of an attribute of a node that is no graph.
using HostAttribute = std::variant<int64_t, double, std::string, Ints, Reals,
                                   std::vector<std::string>, HostValue>;
using HostAttributes = std::map<std::string, HostAttribute, std::less<>>;

/// Runs a graph that is an attribute of the node, with `arguments` as its
/// inputs, where it stands.
using RunGraph = std::function<Result<HostValue::Sequence>(
    const std::string &attribute, HostValue::Sequence arguments)>;

/// The types of its outputs, as far as they can be told without running it;
/// none of an output that is no tensor.
using TypesOfGraph = std::function<std::vector<std::optional<TensorType>>(
    const std::string &attribute, HostValue::Sequence arguments)>;

/// What a node may do with the graphs inside of it.
struct HostBodies {
  const HostGraphs *graphs = nullptr; ///< null: there are none
  RunGraph run = {};
  TypesOfGraph types = {};
};

/// One run of a node. A function on it may read inputs without looking whether
/// they are there if the row says that they must be.
class HostCall {
public:
  /// `inputs` are null where absent.
  HostCall(std::vector<const HostValue *> inputs,
           const HostAttributes &attributes, unsigned outputs, int64_t opset,
           HostBodies bodies)
      : inputs(std::move(inputs)), attributes(attributes), theOpset(opset),
        bodies(std::move(bodies)), theResults(outputs) {}

  /// What of it is not as the row says, as a sentence; "" when all is.
  std::string misuse(const HostEntry &entry) const;

  unsigned inputCount() const { return unsigned(inputs.size()); }
  unsigned outputCount() const { return unsigned(theResults.size()); }
  int64_t opset() const { return theOpset; }

  /// Null when it is absent.
  const HostValue *input(unsigned index) const {
    return index < inputs.size() ? inputs[index] : nullptr;
  }

  /// Of a kind; fail with what the input is instead.
  Result<const Tensor *> tensor(unsigned index) const;
  Result<const Strings *> strings(unsigned index) const;
  Result<const HostValue::Sequence *> sequence(unsigned index) const;
  Result<const Map *> map(unsigned index) const;

  /// The elements of a tensor of numbers, converted; a bool is 0 or 1. For
  /// `ints`, reals are refused. Fail when the MemoryBudget has no room for
  /// them.
  Result<Ints> ints(unsigned index) const;
  Result<Reals> reals(unsigned index) const;

  /// The only element. Fails when there is another number of them.
  Result<int64_t> intOf(unsigned index) const;

  bool hasAttribute(std::string_view name) const {
    return attributes.contains(name);
  }

  /// The value of an attribute; `missing` when there is none of this type.
  template <typename T> T attribute(std::string_view name, T missing) const {
    auto found = attributes.find(name);
    if (found == attributes.end())
      return missing;
    const T *value = std::get_if<T>(&found->second);
    return value ? *value : missing;
  }

  Result<HostValue::Sequence> runGraph(const std::string &attribute,
                                       HostValue::Sequence arguments) const {
    return bodies.run(attribute, std::move(arguments));
  }

  /// What the graph declares; null where there is none.
  const HostGraph *graph(std::string_view attribute) const {
    if (!bodies.graphs)
      return nullptr;
    auto found = bodies.graphs->find(attribute);
    return found == bodies.graphs->end() ? nullptr : &found->second;
  }

  /// See TypesOfGraph.
  std::vector<std::optional<TensorType>>
  typesOf(const std::string &attribute, HostValue::Sequence arguments) const {
    return bodies.types(attribute, std::move(arguments));
  }

  /// Outputs that the node does not list are dropped.
  void setOutput(unsigned index, HostValue value) {
    if (index < theResults.size())
      theResults[index] = std::move(value);
  }
  /// The same, if there is a value, and the status of it.
  Status setOutput(unsigned index, Result<Tensor> value);
  Status setOutput(unsigned index, Result<HostValue> value);

  /// The same, if the MemoryBudget of the run has room for it.
  Status setOutput(unsigned index, Strings value) {
    return setOutput(index, HostValue::counted(std::move(value)));
  }
  Status setOutput(unsigned index, HostValue::Sequence value) {
    return setOutput(index, HostValue::counted(std::move(value)));
  }

  std::vector<HostValue> &results() { return theResults; }

private:
  Status wrongKind(unsigned index, const char *wanted) const;

  std::vector<const HostValue *> inputs;
  const HostAttributes &attributes;
  int64_t theOpset;
  HostBodies bodies;
  std::vector<HostValue> theResults;
};

} // namespace glow

#endif // GLOW_VALUES_HOSTCALL_H

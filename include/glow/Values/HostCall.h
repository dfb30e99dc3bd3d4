//===- HostCall.h - calls of host operators ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Host operators are functions on values. They run nodes for which no program
// is compiled, since the shape or structure of a result depends on values.
// ClassGen generates a table row for each HostOperator record; a plug-in
// registers its own rows.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_VALUES_HOSTCALL_H
#define GLOW_VALUES_HOSTCALL_H

#include "glow/Values/HostValue.h"
#include <functional>

namespace glow {

class HostCall;

/// The declaration of an input or an output in a graph inside a node.
struct HostPort {
  std::optional<ElementKind> kind = {}; ///< empty if undeclared, or no numbers
  std::string other = {};               ///< "strings", "a sequence"...; else ""
  std::optional<Ints> shape = {};       ///< -1 for a size that is no number

  /// For an output: the number of the input that it passes through unchanged,
  /// or whether its value depends on no input. Otherwise its value is unknown.
  std::optional<size_t> input = {};
  bool constant = false;

  /// "f32", "a sequence"; "" if undeclared.
  std::string kindText() const;
};

struct HostGraph {
  std::vector<HostPort> inputs, outputs;
};

/// The graphs of a node, by attribute.
using HostGraphs = std::map<std::string, HostGraph, std::less<>>;

/// Static facts about a node: the numbers of its inputs and outputs, and its
/// graphs.
struct HostNode {
  size_t inputs = 0, outputs = 0;
  const HostGraphs &graphs;
};

/// The host implementation of an operator, from one opset on.
struct HostEntry {
  const char *domain; ///< "" and "ai.onnx" are the same
  const char *op;
  int since; ///< the first opset of `domain` for which the row applies

  /// Sets the outputs. Messages of a failure follow the node's name.
  Status (*run)(HostCall &);

  /// Names in order: "C?" may be absent, "X..." is the rest.
  std::span<const char *const> inputs;
  std::span<const char *const> attributes;
  unsigned minInputs, maxInputs; ///< limits for a node
  const char *reason;            ///< the reason why it runs on the host

  /// Whether it is compiled only if constants determine its sizes, not if a
  /// value of the run does.
  bool unlessConstant = false;

  /// Whether `run` only moves elements. A run on the numbers of the elements,
  /// in place of the elements, then shows where each one goes.
  bool movesElements = false;

  /// Whether the output of a node with one input is that input.
  bool isCopy = false;

  /// Checks the declarations of the graphs inside a node. Null if the operator
  /// takes no graphs.
  Status (*check)(const HostNode &) = nullptr;

  /// The element kinds of inputs for which the model declares none; "" for f32.
  std::span<const char *const> kinds = {};
};

/// Adds rows. An existing row for the same domain, operator and opset stays.
/// The rows must live as long as the process. Any thread may call this.
void registerHostOperators(std::span<const HostEntry> entries);

/// The row with the greatest `since` up to `opset`; null if there is none.
const HostEntry *findHostOperator(std::string_view domain, std::string_view op,
                                  int64_t opset);

/// All rows, by domain, operator and opset.
std::vector<const HostEntry *> hostEntries();

/// The value of an attribute of a node that is no graph.
using HostAttribute = std::variant<int64_t, double, std::string, Ints, Reals,
                                   std::vector<std::string>, HostValue>;
using HostAttributes = std::map<std::string, HostAttribute, std::less<>>;

/// Runs a graph attribute of the node, in its scope, with `arguments` as its
/// inputs.
using RunGraph = std::function<Result<HostValue::Sequence>(
    const std::string &attribute, HostValue::Sequence arguments)>;

/// The types of a graph's outputs, as far as they are known without running it;
/// nothing for an output that is no tensor.
using TypesOfGraph = std::function<std::vector<std::optional<TensorType>>(
    const std::string &attribute, HostValue::Sequence arguments)>;

/// Access of a node to the graphs inside it.
struct HostBodies {
  const HostGraphs *graphs = nullptr; ///< null without graphs
  RunGraph run = {};
  TypesOfGraph types = {};
  int64_t maxIterations = 0; ///< of a loop; 0: no limit
};

/// One run of a node. Its function may read inputs unchecked if the row
/// requires them.
class HostCall {
public:
  /// `inputs` are null where absent.
  HostCall(std::vector<const HostValue *> inputs,
           const HostAttributes &attributes, unsigned outputs, int64_t opset,
           HostBodies bodies)
      : inputs(std::move(inputs)), attributes(attributes), theOpset(opset),
        bodies(std::move(bodies)), theResults(outputs) {}

  /// A violation of the row by this call, as a sentence; "" if there is none.
  std::string misuse(const HostEntry &entry) const;

  unsigned inputCount() const { return unsigned(inputs.size()); }
  unsigned outputCount() const { return unsigned(theResults.size()); }
  int64_t opset() const { return theOpset; }

  /// The greatest number of trips of a loop; 0 for no limit.
  int64_t maxIterations() const { return bodies.maxIterations; }

  /// An input; null if it is absent.
  const HostValue *input(unsigned index) const {
    return index < inputs.size() ? inputs[index] : nullptr;
  }

  /// An input of one form; fail with the actual form of the input.
  Result<const Tensor *> tensor(unsigned index) const;
  Result<const Strings *> strings(unsigned index) const;
  Result<const HostValue::Sequence *> sequence(unsigned index) const;
  Result<const Map *> map(unsigned index) const;

  /// The elements of a tensor of numbers, converted; a bool is 0 or 1. `ints`
  /// refuses reals. Fail if the MemoryBudget has no memory left for them.
  Result<Ints> ints(unsigned index) const;
  Result<Reals> reals(unsigned index) const;

  /// The only element. Fails if the number of elements is not 1.
  Result<int64_t> intOf(unsigned index) const;

  bool hasAttribute(std::string_view name) const {
    return attributes.contains(name);
  }

  /// The value of an attribute; null if the node has none of that name.
  const HostAttribute *attributeNamed(std::string_view name) const {
    auto found = attributes.find(name);
    return found == attributes.end() ? nullptr : &found->second;
  }

  /// The value of an attribute; `missing` if the node has none of this type.
  template <typename T> T attribute(std::string_view name, T missing) const {
    const HostAttribute *found = attributeNamed(name);
    const T *value = found ? std::get_if<T>(found) : nullptr;
    return value ? *value : missing;
  }

  Result<HostValue::Sequence> runGraph(const std::string &attribute,
                                       HostValue::Sequence arguments) const {
    return bodies.run(attribute, std::move(arguments));
  }

  /// The declaration of a graph; null if there is none.
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

  /// Sets an output; outputs that the node does not list are dropped.
  void setOutput(unsigned index, HostValue value) {
    if (index < theResults.size())
      theResults[index] = std::move(value);
  }
  /// Sets an output if there is a value, and returns the status of the value.
  Status setOutput(unsigned index, Result<Tensor> value);
  Status setOutput(unsigned index, Result<HostValue> value);

  /// Sets an output if the MemoryBudget of the run has enough memory for it.
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

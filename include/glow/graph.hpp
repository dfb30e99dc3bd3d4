//===- graph.hpp - build neural networks in C++ -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A model node by node, with a method for each node of the records. Needs C++17
// and no part of Glow but libglow. docs/BuildAGraph.md is the guide.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_HPP
#define GLOW_GRAPH_HPP

#include "glow/glow.hpp"
#include <cstdio>
#include <utility>

namespace glow::api {

/// A value of a Graph; without a number, an absent operand.
struct Value {
  glow_graph_value number = 0;
};

/// First elements of a weight, as glow_graph_weight describes them.
struct Initial {
  std::string text;
  uint64_t seed = 0;
  int64_t fanIn = 0;

  static Initial zero() { return {"zero"}; }
  static Initial broadcast(double value) {
    return {"broadcast " + textOf(value)};
  }
  static Initial uniform(double low, double high, uint64_t seed) {
    return {"uniform " + textOf(low) + " " + textOf(high), seed};
  }
  static Initial normal(double mean, double deviation, uint64_t seed) {
    return {"normal " + textOf(mean) + " " + textOf(deviation), seed};
  }
  static Initial xavier(uint64_t seed, int64_t fanIn = 0) {
    return {"xavier", seed, fanIn};
  }
  static Initial kaiming(uint64_t seed, int64_t fanIn = 0) {
    return {"kaiming", seed, fanIn};
  }

  /// The shortest text from which a number reads back.
  static std::string textOf(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }
};

/// A graph under construction. Methods throw Error, and leave the graph as it
/// was then. The methods of nodes have the operands and attributes of the
/// records, which the reference of operators documents; the last ones may be
/// left out where the record has a value for them.
class Graph {
public:
  Graph() {
    glow_graph *made = nullptr;
    check(glow_graph_new(&made));
    handle.reset(made);
  }

  Value input(const std::string &name, const std::vector<int64_t> &shape,
              glow_kind kind = GLOW_F32) {
    const glow_tensor type = {kind, shape.size(), shape.data(), nullptr};
    Value value;
    check(glow_graph_input(handle.get(), name.c_str(), &type, &value.number));
    return value;
  }

  /// A weight of f32.
  Value weight(const std::string &name, const std::vector<int64_t> &shape,
               const Initial &initial) {
    return weight(name, {GLOW_F32, shape.size(), shape.data(), nullptr},
                  &initial);
  }
  /// A weight with a copy of these elements, as many as the shape has.
  Value weight(const std::string &name, const std::vector<int64_t> &shape,
               const std::vector<float> &elements) {
    size_t count = 1;
    for (int64_t size : shape)
      count *= size_t(size);
    if (count != elements.size())
      throw std::invalid_argument(
          "weight '" + name + "' has " + std::to_string(elements.size()) +
          " elements, its shape has " + std::to_string(count));
    return weight(name,
                  {GLOW_F32, shape.size(), shape.data(), elements.data()});
  }
  Value weight(const std::string &name, const glow_tensor &elements,
               const Initial *initial = nullptr) {
    Value value;
    check(glow_graph_weight(handle.get(), name.c_str(), &elements,
                            initial ? initial->text.c_str() : nullptr,
                            initial ? initial->seed : 0,
                            initial ? initial->fanIn : 0, &value.number));
    return value;
  }

  void output(const std::string &name, Value value) {
    check(glow_graph_output(handle.get(), name.c_str(), value.number));
  }

  std::vector<int64_t> shape(Value value) const {
    glow_tensor_info info;
    check(glow_graph_type(handle.get(), value.number, &info));
    return {info.shape, info.shape + info.rank};
  }
  glow_kind kind(Value value) const {
    glow_tensor_info info;
    check(glow_graph_type(handle.get(), value.number, &info));
    return info.kind;
  }

  /// Writes an .onnx, .mlir or .mlirbc file.
  void save(const std::string &path) const {
    check(glow_graph_save(handle.get(), path.c_str()));
  }
  Model model() const {
    glow_model *made = nullptr;
    check(glow_graph_model(handle.get(), &made));
    return Model(made);
  }

  /// The name of the next node, for messages and profiles.
  Graph &named(const std::string &name) {
    nextName = name;
    return *this;
  }

  // The nodes of the records.
#include "glow/Generated/GraphMethods.h.inc"

  /// A node under construction, for operators of plug-ins.
  class Node {
  public:
    explicit Node(std::string kind) : kind(std::move(kind)) {}
    void operand(const char *name, Value value) {
      operands.push_back({name, value.number});
    }
    void operand(const char *name, const std::vector<Value> &values) {
      for (Value value : values)
        operand(name, value);
    }
    void attribute(const char *name, const std::string &text) {
      attributes.push_back({name, text});
    }
    void attribute(const char *name, const char *text) {
      attribute(name, std::string(text));
    }
    void attribute(const char *name, bool flag) {
      attribute(name, flag ? "true" : "false");
    }
    void attribute(const char *name, int64_t number) {
      attribute(name, std::to_string(number));
    }
    void attribute(const char *name, double number) {
      attribute(name, Initial::textOf(number));
    }
    void attribute(const char *name, glow_kind kind) {
      attribute(name, std::to_string(int(kind)));
    }
    template <typename T>
    void attribute(const char *name, const std::vector<T> &numbers) {
      std::string text;
      for (T number : numbers) {
        text += text.empty() ? "" : ", ";
        if constexpr (std::is_integral_v<T>)
          text += std::to_string(number);
        else
          text += Initial::textOf(number);
      }
      attribute(name, "[" + text + "]");
    }

  private:
    friend class Graph;
    std::string kind;
    std::vector<glow_graph_operand> operands;
    std::vector<std::pair<const char *, std::string>> attributes;
  };

  /// Adds a node. Returns its results.
  std::vector<Value> add(const Node &node) {
    std::vector<glow_graph_attribute> attributes;
    for (const auto &[name, text] : node.attributes)
      attributes.push_back({name, text.c_str()});
    std::vector<glow_graph_value> results(64);
    size_t count = 0;
    const std::string name = std::exchange(nextName, "");
    check(glow_graph_node(handle.get(), node.kind.c_str(), name.c_str(),
                          node.operands.data(), node.operands.size(),
                          attributes.data(), attributes.size(), results.data(),
                          results.size(), &count));
    std::vector<Value> values;
    for (size_t i = 0; i < count; ++i)
      values.push_back({results[i]});
    return values;
  }

private:
  Handle<glow_graph, glow_graph_free> handle;
  std::string nextName;
};

/// Rows of an input or of labels: the first size of the shape is their number.
struct Rows {
  std::string input; ///< "" for the only input, or for labels
  glow_tensor tensor;
};

/// Changes the weights of an ONNX model so that an output follows labels. Words
/// are flags of `glow train` without dashes, as "optimizer=adam".
class Trainer {
public:
  /// The rows must outlive the trainer.
  Trainer(const std::string &model, const std::vector<std::string> &words,
          const std::vector<Rows> &inputs, const glow_tensor &labels,
          const Options &options = {}) {
    std::vector<const char *> texts;
    for (const std::string &word : words)
      texts.push_back(word.c_str());
    const Lists lists(inputs);
    glow_trainer *made = nullptr;
    check(glow_trainer_new(model.c_str(), options.get(), texts.data(),
                           texts.size(), lists.names.data(),
                           lists.tensors.data(), inputs.size(), &labels,
                           &made));
    handle.reset(made);
  }

  /// Trains for all epochs, or until `done`, which may be empty, returns false.
  void run(const std::function<bool(const glow_epoch &)> &done = nullptr) {
    auto call = [](void *context, const glow_epoch *epoch) {
      return int(
          !(*static_cast<const std::function<bool(const glow_epoch &)> *>(
              context))(*epoch));
    };
    check(
        glow_trainer_run(handle.get(), done ? +call : nullptr,
                         const_cast<void *>(static_cast<const void *>(&done))));
  }

  /// One step on other rows, with a learning rate of its own. Returns the loss
  /// before the step.
  double step(const std::vector<Rows> &inputs, const glow_tensor &labels,
              double rate) {
    const Lists lists(inputs);
    double loss = 0;
    check(glow_trainer_step(handle.get(), lists.names.data(),
                            lists.tensors.data(), inputs.size(), &labels, rate,
                            &loss));
    return loss;
  }

  /// Writes the model with the weights so far.
  void save(const std::string &path) const {
    check(glow_trainer_save(handle.get(), path.c_str()));
  }

private:
  struct Lists {
    explicit Lists(const std::vector<Rows> &rows) {
      for (const Rows &one : rows) {
        names.push_back(one.input.c_str());
        tensors.push_back(one.tensor);
      }
    }
    std::vector<const char *> names;
    std::vector<glow_tensor> tensors;
  };
  Handle<glow_trainer, glow_trainer_free> handle;
};

} // namespace glow::api

#endif // GLOW_GRAPH_HPP

// SPDX-License-Identifier: MIT
//
// Builds graphs with mistakes, and weights of all initialisations.

#include "glow/graph.hpp"
#include <cmath>
#include <cstdio>

using namespace glow::api;

static void report(glow_status status) {
  static const char *names[] = {"ok", "invalid argument", "shape mismatch",
                                "not found"};
  std::printf("%s: %s\n", status <= GLOW_NOT_FOUND ? names[status] : "other",
              glow_message());
}

template <typename Body> static void fails(Body body) {
  try {
    body();
    std::puts("did not fail");
  } catch (const Error &error) {
    report(error.status);
  }
}

static void
attribute(Graph &graph, const char *kind, Value in,
          std::vector<std::pair<const char *, const char *>> given) {
  fails([&] {
    Graph::Node node(kind);
    node.operand(std::string(kind) == "relu" ? "x" : "in", in);
    for (auto [name, text] : given)
      node.attribute(name, text);
    graph.add(node);
  });
}

/// The elements that a weight has in a run.
static std::vector<float> elements(const Initial &initial) {
  Graph graph;
  graph.output("y", graph.weight("w", {100, 200}, initial));
  std::vector<float> values(20000);
  Program program = graph.model().compile();
  Call(program).bind("y", values).run();
  return values;
}

static double meanOf(const std::vector<float> &values) {
  double sum = 0;
  for (float value : values)
    sum += value;
  return sum / double(values.size());
}

static float largestOf(const std::vector<float> &values) {
  float largest = 0;
  for (float value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

static std::vector<float> run(const Model &of) {
  Program program = const_cast<Model &>(of).compile();
  std::vector<float> in = {-1, 2}, out(2);
  Call(program).bind("x", in).bind("y", out).run();
  return out;
}

int main() {
  Graph graph;
  Value x = graph.input("x", {1, 2});
  Value w = graph.weight("v", {3, 2}, std::vector<float>(6, 1));
  fails([&] { graph.named("layer").matmul(x, w); });
  fails([&] { graph.input("x", {3}); });
  fails([&] { graph.input("", {3}); });
  fails([&] { graph.input("negative", {3, -1}); });
  fails([&] { graph.relu(Value{77}); });
  fails([&] { graph.relu({}); });
  fails([&] { graph.add(Graph::Node("frobnicate")); });
  fails([&] {
    Graph::Node node("relu");
    node.operand("out", x);
    graph.add(node);
  });
  attribute(graph, "relu", x, {{"axis", "1"}});
  attribute(graph, "softmax", x, {});
  attribute(graph, "softmax", x, {{"axis", "last"}});
  attribute(graph, "softmax", x, {{"axis", "1"}, {"axis", "1"}});
  attribute(graph, "reshape", x, {{"dims", "[2, x]"}});
  fails([&] { graph.weight("w", {3}, Initial{"random"}); });
  const int64_t three = 3;
  const Initial zero = Initial::zero();
  fails([&] { graph.weight("w", {GLOW_I64, 1, &three, nullptr}, &zero); });
  fails([&] { graph.weight("w", {GLOW_F32, 1, &three, nullptr}); });
  fails([&] { graph.save("model.onnx"); });
  graph.output("y", graph.relu(x));
  fails([&] { graph.save("model.txt"); });
  report(glow_graph_new(nullptr));

  const std::vector<float> result = run(graph.model());
  std::printf("relu of -1 2: %g %g\n", result[0], result[1]);

  std::vector<float> values = elements(Initial::uniform(-0.5, 0.25, 1));
  std::printf(
      "uniform: from %g to %g, mean %.2f\n",
      std::floor(*std::min_element(values.begin(), values.end()) * 100) / 100,
      std::ceil(*std::max_element(values.begin(), values.end()) * 100) / 100,
      meanOf(values) + 0.0);
  values = elements(Initial::normal(1, 2, 2));
  double squares = 0;
  for (float value : values)
    squares += (value - 1) * (value - 1);
  std::printf("normal: mean %.1f, deviation %.1f\n", meanOf(values),
              std::sqrt(squares / double(values.size())));
  // sqrt(6 / 300) is 0.141, and sqrt(6 / 100) is 0.245.
  std::printf("xavier: within %.1f\n",
              std::floor(largestOf(elements(Initial::xavier(3))) * 10) / 10);
  std::printf("kaiming: within %.1f\n",
              std::floor(largestOf(elements(Initial::kaiming(4))) * 10) / 10);
  std::printf("again: %s\n", elements(Initial::normal(1, 2, 2)) == values
                                 ? "the same"
                                 : "others");
  bool isSame = true;
  for (const char *path : {"model.mlir", "model.mlirbc", "model.onnx"}) {
    graph.save(path);
    isSame = isSame && run(Model(path)) == result;
  }
  std::printf("text: %s\n", isSame ? "the same result" : "another result");
}

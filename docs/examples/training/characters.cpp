// SPDX-License-Identifier: MIT
//
// Builds a recurrent network in C++ that predicts the next character of a text,
// trains it, and saves it as an ONNX model:
//
//   characters TEXT START.onnx TRAINED.onnx
//
// docs/BuildAGraph.md explains it.

#include "glow/graph.hpp"
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace glow::api;

/// A row of data is a piece of the text. Characters are those of ASCII from ' '
/// to '~', and one for all others.
constexpr int64_t batch = 32, steps = 32, width = 64, characters = 96;

/// Scores of each next character, [batch, characters, steps].
static void build(const std::string &path) {
  Graph graph;
  Value text = graph.input("text", {batch, steps}, GLOW_I64);
  Value table = graph.weight("table", {characters, width},
                             Initial::uniform(-0.1, 0.1, 1));
  Value x = graph.transpose(graph.gather(table, text, 0), {1, 0, 2});
  // Four gates: products with the input here, with the state in the cell. In
  // this form the cell is an LSTM of ONNX.
  Value inputs = graph.weight("cell.inputs", {1, 4 * width, width},
                              Initial::xavier(2, width));
  Value states = graph.weight("cell.states", {1, 4 * width, width},
                              Initial::xavier(3, width));
  inputs = graph.reshape(inputs, {4 * width, width});
  Value gates = graph.matmul(graph.reshape(x, {steps * batch, width}),
                             graph.transpose(inputs, {1, 0}));
  std::vector<Value> cell = graph.named("cell").lstm(
      graph.transpose(states, {0, 2, 1}),
      graph.reshape(gates, {steps, batch, 4 * width}), {}, {}, {}, {},
      "forward", "sigmoid, tanh, tanh", /*clip=*/0, /*coupled=*/false);
  // States of all steps, [steps, 1, batch, width].
  x = graph.reshape(cell[0], {steps * batch, width});
  Value last = graph.weight("last", {width, characters}, Initial::xavier(4));
  x = graph.named("last").matmul(x, last);
  x = graph.reshape(x, {steps, batch, characters});
  graph.output("scores", graph.transpose(x, {1, 2, 0}));
  graph.save(path);
}

/// The pieces of a text, and the character behind each character of theirs.
struct Pieces {
  std::vector<int64_t> given, next;
  int64_t count = 0;

  explicit Pieces(const std::string &path) {
    std::ifstream file(path);
    if (!file)
      throw std::runtime_error(path + ": cannot be read");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto number = [&](size_t at) {
      const char c = text[at];
      return c >= ' ' && c <= '~' ? int64_t(c - ' ' + 1) : 0;
    };
    for (size_t at = 0; at + steps < text.size(); at += steps, ++count)
      for (size_t step = 0; step < size_t(steps); ++step) {
        given.push_back(number(at + step));
        next.push_back(number(at + step + 1));
      }
  }
};

int main(int count, char **arguments) try {
  if (count != 4) {
    std::cerr << "usage: " << arguments[0] << " TEXT START.onnx TRAINED.onnx\n";
    return 2;
  }
  const Pieces pieces(arguments[1]);
  if (pieces.count < batch)
    throw std::runtime_error(std::string(arguments[1]) + ": a text needs " +
                             std::to_string(batch * steps + 1) +
                             " characters or more");
  build(arguments[2]);
  const int64_t shape[] = {pieces.count, steps};
  const glow_tensor text = {GLOW_I64, 2, shape, pieces.given.data()};
  const glow_tensor next = {GLOW_I64, 2, shape, pieces.next.data()};
  Trainer trainer(arguments[2],
                  {"optimizer=adam", "rate=0.02", "epochs=4", "batch=32",
                   "validation=0.1", "seed=1", "clip-norm=1"},
                  {{"text", text}}, next);
  double perplexity = 0;
  trainer.run([&](const glow_epoch &epoch) {
    perplexity = std::exp(epoch.validation_loss);
    std::cout << "epoch " << epoch.epoch << ": perplexity of other pieces "
              << perplexity << std::endl;
    return true;
  });
  trainer.save(arguments[3]);
  return perplexity < 7.5 ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}

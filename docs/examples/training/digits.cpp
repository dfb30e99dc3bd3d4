// SPDX-License-Identifier: MIT
//
// Builds a convolutional network in C++, trains it on digits of dots, and saves
// it as an ONNX model:
//
//   digits START.onnx TRAINED.onnx
//
// docs/BuildAGraph.md explains it.

#include "glow/graph.hpp"
#include <cstring>
#include <iostream>
#include <random>

using namespace glow::api;

constexpr int64_t batch = 32, size = 28, rowsOfData = 1200;

/// Ten numbers for each image, the largest for its digit.
static void build(const std::string &path) {
  Graph graph;
  Value x = graph.input("image", {batch, 1, size, size});
  auto layer = [&](Value in, const std::string &name, int64_t inputs,
                   int64_t outputs) {
    Value filter =
        graph.weight(name + ".filter", {outputs, inputs, 3, 3},
                     Initial::kaiming(uint64_t(outputs), inputs * 9));
    Value bias = graph.weight(name + ".bias", {outputs}, Initial::zero());
    Value y = graph.relu(graph.named(name).conv(in, filter, bias, {1, 1},
                                                {1, 1, 1, 1}, {1, 1}, 1));
    return graph.max_pool(y, {2, 2}, {2, 2}, {0, 0, 0, 0}, {1, 1});
  };
  x = layer(x, "first", 1, 8);
  x = layer(x, "second", 8, 16);
  const int64_t width = 16 * size / 4 * size / 4;
  x = graph.reshape(x, {batch, width});
  Value weight = graph.weight("last.weight", {width, 10}, Initial::xavier(1));
  Value bias = graph.weight("last.bias", {1, 10}, Initial::zero());
  x = graph.named("last").matmul(x, weight);
  graph.output("scores", graph.add(x, graph.broadcast(bias, {batch, 10})));
  graph.save(path);
}

/// Digits of 5x7 dots, three times as large, moved, in noise.
struct Digits {
  std::vector<float> images = std::vector<float>(rowsOfData * size * size);
  std::vector<int64_t> labels = std::vector<int64_t>(rowsOfData);

  Digits() {
    // A row of dots of each digit in turn.
    static const char *dots[7] = {
        "01110001000111011111000101111100110111110111001110",
        "10001011001000100010001101000001000000011000110001",
        "10011001000000100100010101111010000000101000110001",
        "10101001000001000010100100000111110001000111001111",
        "11001001000010000001111110000110001010001000100001",
        "10001001000100010001000101000110001010001000100010",
        "01110011101111101110000100111001110010000111001100"};
    std::mt19937 random(1);
    auto below = [&](int64_t count) { return int64_t(random()) % count; };
    for (int64_t row = 0; row < rowsOfData; ++row) {
      const int64_t digit = labels[size_t(row)] = below(10);
      const float brightness = 0.5f + float(below(1000)) / 2000;
      const int64_t top = below(size - 21 + 1), left = below(size - 15 + 1);
      float *image = &images[size_t(row * size * size)];
      for (int64_t i = 0; i < size * size; ++i)
        image[i] = float(below(1000)) / 4000;
      for (int64_t y = 0; y < 21; ++y)
        for (int64_t x = 0; x < 15; ++x)
          if (dots[y / 3][digit * 5 + x / 3] == '1')
            image[(top + y) * size + left + x] += brightness;
    }
  }
};

int main(int count, char **arguments) try {
  if (count != 3) {
    std::cerr << "usage: " << arguments[0] << " START.onnx TRAINED.onnx\n";
    return 2;
  }
  build(arguments[1]);
  const Digits digits;
  const int64_t imageShape[] = {rowsOfData, 1, size, size};
  const glow_tensor images = {GLOW_F32, 4, imageShape, digits.images.data()};
  const glow_tensor labels = {GLOW_I64, 1, imageShape, digits.labels.data()};
  Trainer trainer(arguments[1],
                  {"optimizer=adam", "rate=0.003", "epochs=6", "batch=32",
                   "validation=0.2", "seed=3"},
                  {{"image", images}}, labels);
  double accuracy = 0;
  trainer.run([&](const glow_epoch &epoch) {
    accuracy = epoch.validation_accuracy;
    std::cout << "epoch " << epoch.epoch << ": loss " << epoch.loss
              << ", accuracy on other digits " << 100 * accuracy << " %\n";
    return true;
  });
  trainer.save(arguments[2]);
  return accuracy >= 0.97 ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}

// SPDX-License-Identifier: MIT
//
// Builds a transformer in C++, trains it to sort digits, and saves it as an
// ONNX model:
//
//   sort START.onnx TRAINED.onnx
//
// docs/BuildAGraph.md explains it.

#include "glow/graph.hpp"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

using namespace glow::api;

constexpr int64_t batch = 64, length = 8, digits = 10;
constexpr int64_t width = 32, heads = 4, layers = 2;
constexpr int64_t rows = batch * length;

namespace {

/// A graph whose weights have seeds of their own.
class Transformer : public Graph {
public:
  Transformer() {
    Value list = input("list", {batch, length}, GLOW_I64);
    Value table = weight("digits", {digits, width}, normal());
    Value places = weight("places", {1, length, width}, normal());
    Value x =
        add(gather(table, list, 0), broadcast(places, {batch, length, width}));
    x = reshape(x, {rows, width});
    for (int64_t i = 0; i < layers; ++i) {
      const std::string name = "layer" + std::to_string(i);
      x = add(x, attend(name, norm(name + ".first", x)));
      Value y = relu(
          product(name + ".rise", norm(name + ".second", x), width, 4 * width));
      x = add(x, product(name + ".fall", y, 4 * width, width));
    }
    x = product("last", norm("norm", x), width, digits);
    // Scores of the digits at each place of the sorted list.
    output("scores", transpose(reshape(x, {batch, length, digits}), {0, 2, 1}));
  }

private:
  Initial normal() { return Initial::normal(0, 0.1, ++seed); }

  Value product(const std::string &name, Value x, int64_t from, int64_t to) {
    Value w = weight(name + ".weight", {from, to}, Initial::xavier(++seed));
    Value bias = weight(name + ".bias", {1, to}, Initial::zero());
    return add(named(name).matmul(x, w), broadcast(bias, {rows, to}));
  }

  Value norm(const std::string &name, Value x) {
    Value scale = weight(name + ".scale", {width}, Initial::broadcast(1));
    Value shift = weight(name + ".shift", {width}, Initial::zero());
    return layer_norm(x, scale, shift, /*axis=*/1, /*epsilon=*/1e-5);
  }

  /// Every place sees all others.
  Value attend(const std::string &name, Value x) {
    const int64_t part = width / heads;
    auto headsOf = [&](const char *what) {
      Value y = product(name + what, x, width, width);
      return transpose(reshape(y, {batch, length, heads, part}), {0, 2, 1, 3});
    };
    Value q = headsOf(".query"), k = headsOf(".key"), v = headsOf(".value");
    Value y = named(name).attention(q, k, v, {}, {}, {}, {},
                                    /*scale=*/1 / std::sqrt(double(part)),
                                    /*softcap=*/0, /*unseen=*/-1e30);
    y = reshape(transpose(y, {0, 2, 1, 3}), {rows, width});
    return product(name + ".out", y, width, width);
  }

  uint64_t seed = 0;
};

/// Lists of chance, and the same in order.
struct Lists {
  static constexpr int64_t count = 12000;
  std::vector<int64_t> lists, sorted;

  Lists() {
    std::mt19937 random(1);
    for (int64_t i = 0; i < count * length; ++i)
      lists.push_back(int64_t(random() % digits));
    sorted = lists;
    for (auto at = sorted.begin(); at != sorted.end(); at += length)
      std::sort(at, at + length);
  }
};

} // namespace

int main(int count, char **arguments) try {
  if (count != 3) {
    std::cerr << "usage: " << arguments[0] << " START.onnx TRAINED.onnx\n";
    return 2;
  }
  Transformer().save(arguments[1]);
  Lists data;
  const int64_t shape[] = {Lists::count, length};
  const glow_tensor lists = {GLOW_I64, 2, shape, data.lists.data()};
  const glow_tensor sorted = {GLOW_I64, 2, shape, data.sorted.data()};
  Trainer trainer(arguments[1],
                  {"optimizer=adam", "rate=0.003", "epochs=4", "batch=64",
                   "validation=0.1", "seed=1", "schedule=cosine"},
                  {{"list", lists}}, sorted);
  double accuracy = 0;
  trainer.run([&](const glow_epoch &epoch) {
    accuracy = epoch.validation_accuracy;
    std::cout << "epoch " << epoch.epoch << ": loss " << epoch.loss
              << ", digits of other lists in their places " << 100 * accuracy
              << " %" << std::endl;
    return true;
  });
  trainer.save(arguments[2]);
  return accuracy >= 0.99 ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}

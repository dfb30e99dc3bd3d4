// SPDX-License-Identifier: MIT
// Requests of many sizes to the devices of a file, compared with runs of this
// process: sizes MODEL DEVICES, where the model has one input x [N, S, 16].

#include "glow/glow.hpp"
#include <cmath>
#include <cstdio>

using namespace glow::api;

int main(int, char **arguments) {
  Model model(arguments[1]);
  Options options;
  options.setRange("N", 1, 4).setRange("S", 2, 40, 2).set("threads", "1");
  Program program = model.compile(options);
  Host host;
  host.addDevices(arguments[2]);
  const glow_serving everywhere = {0, 1, 0, 0};
  const glow_model_id ids[] = {host.serve("alone", {&program}, everywhere),
                               host.serve("joined", program, "N", everywhere)};
  struct Sent {
    std::vector<float> x;
    std::vector<int64_t> shape;
    std::future<Answer> answer;
  };
  std::vector<Sent> sent;
  for (int i = 0; i < 200; ++i) {
    const int64_t rows = 1 + i % 4, words = 2 + 2 * (i * 7 % 20);
    Sent &one = sent.emplace_back();
    one.shape = {rows, words, 16};
    for (int64_t e = 0; e < rows * words * 16; ++e)
      one.x.push_back(float((e * 37 + i) % 101) / 50 - 1);
    one.answer = host.submit(ids[i % 2], {{GLOW_F32, one.shape, one.x}});
  }
  Runner runner(model, options);
  int right = 0;
  for (Sent &one : sent) {
    TensorInfo info;
    const std::vector<float> y = one.answer.get().output<float>(0, info);
    runner.set("x", GLOW_F32, one.shape, one.x);
    runner.run();
    const std::vector<float> expected = runner.output<float>(0, info);
    bool isRight = y.size() == expected.size();
    for (size_t e = 0; isRight && e < y.size(); ++e)
      isRight = std::abs(y[e] - expected[e]) <= 1e-4f;
    right += isRight;
  }
  std::printf("%d of 200 right\n", right);
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{5, 2, 16}, {1, 3, 16}, {1, 2}})
    try {
      size_t count = 1;
      for (int64_t size : shape)
        count *= size_t(size);
      host.submit(ids[0], {{GLOW_F32, shape, std::vector<float>(count)}}).get();
    } catch (const Error &error) {
      std::printf("%s\n", error.what());
    }
}

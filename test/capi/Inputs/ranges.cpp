// SPDX-License-Identifier: MIT
// One program for a range of sizes, from C++: y = 2 x of [n, 3].

#include "glow/glow.hpp"
#include <cstdio>

int main(int, char **arguments) {
  glow::api::Model model(arguments[1]);
  glow::api::Options options;
  options.setRange("n", 2, 8, 2);
  glow::api::Runner runner(model, options);
  for (int64_t rows : {8, 2, 6, 3}) {
    std::vector<float> x(size_t(rows * 3), 1.5f);
    try {
      runner.set("x", GLOW_F32, {rows, 3}, x);
      runner.run();
      glow::api::TensorInfo info;
      std::vector<float> y = runner.output<float>(0, info);
      std::printf("%d rows of %g\n", int(info.shape[0]), double(y.back()));
    } catch (const glow::api::Error &error) {
      std::printf("%s\n", error.what());
    }
  }
  try {
    options.setRange("n", 3, 8, 2);
  } catch (const glow::api::Error &error) {
    std::printf("%s\n", error.what());
  }
}

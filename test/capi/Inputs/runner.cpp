// Runs a model of which only a run knows the size of the result, on two sizes.
#include <glow/glow.hpp>
#include <iostream>

int main(int, char **arguments) try {
  glow::api::Options options;
  options.set("backend", arguments[2]).set("cache-dir", "");
  glow::api::Runner runner(glow::api::Model(arguments[1]), options);
  glow::api::TensorInfo info;
  for (int64_t rows : {1, 2}) {
    std::vector<float> x(size_t(5 * rows), -1);
    x[1] = x[4] = 3;
    runner.set("x", GLOW_F32, {rows, 5}, x).run();
    std::vector<float> y = runner.output<float>(0, info);
    std::cout << info.name << " of " << info.shape[0] << " x " << info.shape[1]
              << ":";
    for (float element : y)
      std::cout << " " << element;
    std::cout << "\n";
  }
  runner.set("x", GLOW_F32, {1, 4}, std::vector<float>(4)).run();
} catch (const glow::api::Error &error) {
  std::cout << "error: " << error.what() << "\n";
}

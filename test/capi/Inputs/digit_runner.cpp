// A runner on a compiled model that takes an image.
#include <cstdio>
#include <glow/glow.hpp>

int main(int, char **arguments) try {
  glow::api::Runner runner{glow::api::Model(arguments[1])};
  std::vector<float> image(28 * 28);
  runner.set("image", GLOW_F32, {1, 1, 28, 28}, image).run();
  glow::api::TensorInfo info;
  float sum = 0;
  for (float probability : runner.output<float>(0, info))
    sum += probability;
  std::printf("%s sum to %.3g\n", info.name.c_str(), double(sum));
} catch (const glow::api::Error &error) {
  std::printf("error: %s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
// Requests of any size in a range, from C++ and C: y = 2 x of [n, 3].

#include "glow/glow.hpp"
#include <cstdio>

using namespace glow::api;

static glow_host *newHost() {
  glow_host *host = nullptr;
  check(glow_host_new(nullptr, &host));
  check(glow_host_add_device(host, "one", "cpu", 1, 0));
  return host;
}

static void show(std::future<Answer> answer) {
  try {
    TensorInfo info;
    std::vector<float> y = answer.get().output<float>(0, info);
    std::printf("%s: [%d,%d] of %g to %g\n", info.name.c_str(),
                int(info.shape[0]), int(info.shape[1]), double(y.front()),
                double(y.back()));
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
  }
}

static std::vector<float> rows(int64_t count) {
  std::vector<float> x;
  for (int64_t i = 0; i < count * 3; ++i)
    x.push_back(float(i));
  return x;
}

int main(int, char **arguments) {
  Model model(arguments[1]);
  Options options;
  options.setRange("n", 2, 8, 2).set("threads", "1");
  Program program = model.compile(options);
  Host host;
  host.addDevice("one", "cpu", 1);
  const glow_model_id alone = host.serve("alone", {&program});
  const glow_model_id joined = host.serve("joined", program, "n");
  for (glow_model_id id : {alone, joined}) {
    for (int64_t count : {2, 8, 4, 3, 10})
      show(host.submit(id, {{GLOW_F32, {count, 3}, rows(count)}}));
    show(host.submit(id, {{GLOW_F32, {4, 2}, std::vector<float>(8)}}));
    show(host.submit(id, {{GLOW_F32, {6}, std::vector<float>(6)}}));
  }
  // Requests on their way at once.
  std::vector<std::future<Answer>> answers;
  for (int i = 0; i < 200; ++i)
    answers.push_back(host.submit(
        joined, {{GLOW_F32, {2 + 2 * (i % 4), 3},
                  std::vector<float>(size_t(6 + 6 * (i % 4)), float(i))}}));
  int right = 0;
  for (int i = 0; i < 200; ++i) {
    TensorInfo info;
    std::vector<float> y = answers[size_t(i)].get().output<float>(0, info);
    right += y == std::vector<float>(size_t(6 + 6 * (i % 4)), 2.f * float(i));
  }
  std::printf("%d of 200 right\n", right);

  glow_host *bare = newHost();
  glow_model_id id = 0;
  auto serve = [&](const char *name, glow_program *what, const char *batch) {
    if (glow_host_serve_batches(bare, name, what, batch, nullptr, &id))
      std::printf("%s\n", glow_message());
    else
      std::printf("served\n");
  };
  serve("model", program.get(), "m");
  serve("model", program.get(), "");
  serve("model", nullptr, "n");
  serve("model", program.get(), nullptr);
  Options fixed;
  fixed.setSize("n", 2).set("threads", "1");
  Program other = model.compile(fixed);
  serve("model", other.get(), "n");
  glow_program *both[] = {program.get(), other.get()};
  if (glow_host_serve(bare, "model", both, 2, nullptr, &id))
    std::printf("%s\n", glow_message());
  serve("model", program.get(), "n");
  glow_host_free(bare);
}

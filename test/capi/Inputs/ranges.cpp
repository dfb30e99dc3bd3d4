// SPDX-License-Identifier: MIT
// One program for a range of sizes, from C++: y = 2 x of [n, 3].

#include "glow/glow.hpp"
#include <cstdio>

using namespace glow::api;

/// Calls of a program, whose tensors are the caller's.
static void callProgram(Model &model, const Options &options) {
  Program program = model.compile(options);
  std::printf("a program of [%d,%d]\n", int(program.inputs()[0].shape[0]),
              int(program.inputs()[0].shape[1]));
  Call call(program);
  std::vector<float> x(24, 1.5f), y(24);
  auto attempt = [&](auto body) {
    try {
      body();
    } catch (const Error &error) {
      std::printf("%s\n", error.what());
    }
  };
  attempt([&] { call.bind("x", x); });
  attempt([&] { call.output(0); });
  attempt([&] { call.run(); });
  attempt([&] { Session session(program); });
  for (int64_t rows : {4, 8, 3, 10, -2}) {
    attempt([&] {
      call.setShapes({{rows, 3}});
      const TensorInfo info = call.output(0);
      x.resize(size_t(rows * 3), 1.5f);
      y.assign(size_t(info.shape[0] * info.shape[1]), 0.0f);
      call.bind("x", x).bind("y", y);
      call.run();
      std::printf("%d rows of %g, %d bytes\n", int(info.shape[0]),
                  double(y.back()), int(info.bytes));
    });
  }
  // The sizes of before, and tensors of others.
  attempt([&] {
    std::vector<float> less(6);
    call.bind("x", less);
  });
  attempt([&] {
    call.setShapes({{4, 3}});
    call.run();
  });
  glow_call *bare = nullptr;
  check(glow_call_new(program.get(), &bare));
  attempt([&] { check(glow_call_set_shapes(bare, nullptr)); });
  const int64_t *none[] = {nullptr};
  attempt([&] { check(glow_call_set_shapes(bare, none)); });
  glow_call_free(bare);
  Options fixed;
  fixed.setSize("n", 2);
  Program other = model.compile(fixed);
  Call ofOther(other);
  attempt([&] { ofOther.setShapes({{2, 3}}); });
  std::printf("%d rows\n", int(ofOther.output(0).shape[0]));
}

int main(int, char **arguments) {
  Model model(arguments[1]);
  Options options;
  options.setRange("n", 2, 8, 2);
  callProgram(model, options);
  Runner runner(model, options);
  for (int64_t rows : {8, 2, 6, 3}) {
    std::vector<float> x(size_t(rows * 3), 1.5f);
    try {
      runner.set("x", GLOW_F32, {rows, 3}, x);
      runner.run();
      TensorInfo info;
      std::vector<float> y = runner.output<float>(0, info);
      std::printf("%d rows of %g\n", int(info.shape[0]), double(y.back()));
    } catch (const Error &error) {
      std::printf("%s\n", error.what());
    }
  }
  try {
    options.setRange("n", 3, 8, 2);
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
  }
}

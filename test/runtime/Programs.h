//===- Programs.h - small programs for the tests ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_PROGRAMS_H
#define GLOW_TEST_RUNTIME_PROGRAMS_H

#include "glow/Program/KernelRegistry.h"
#include "glow/Program/Parts.h"
#include "glow/Program/Steps.h"

/// y = x + w, elementwise, f32; fails for negative elements of x.
inline glow::Status testAdd(const glow::KernelCall &call) {
  auto *y = static_cast<float *>(call.buffers[0].data);
  auto *x = static_cast<const float *>(call.buffers[1].data);
  auto *w = static_cast<const float *>(call.buffers[2].data);
  for (int64_t i = 0; i < call.buffers[0].type->elements(); ++i) {
    if (x[i] < 0)
      return glow::failure(glow::Code::InvalidArgument, "element ", i,
                           " is negative");
    y[i] = x[i] + w[i];
  }
  return {};
}

inline void registerTestKernels() {
  static const glow::KernelEntry table[] = {{"test_add", testAdd}};
  glow::KernelRegistry::instance().add(table);
}

/// y = (x + w) + w on `size` elements, by way of the arena; w is 10 everywhere.
inline glow::Program addTwice(int64_t size,
                              const std::string &backend = "interpreter") {
  registerTestKernels();
  glow::TensorType type{glow::ElementKind::F32, {size}};
  auto weights = std::make_shared<std::vector<float>>(
      std::vector<float>(size_t(size), 10));
  auto code = std::make_shared<glow::StepCode>();
  using glow::BufferPlace;
  code->buffers = {{BufferPlace::Input, 0, 0, type, "x"},
                   {BufferPlace::Constant, 0, 0, type, "w"},
                   {BufferPlace::Arena, 0, 64, type, "sum"},
                   {BufferPlace::Output, 0, 0, type, "y"}};
  code->steps = {{"test_add", "first", {2, 0, 1}, {1, 1, 1}, {}},
                 {"test_add", "second", {3, 2, 1}, {1, 1, 1}, {}}};
  glow::Program program;
  program.backend = backend;
  program.entry = "main";
  program.inputs = {{"x", type, {}}};
  program.outputs = {{"y", type, {}}};
  program.constants = {{"w", type, weights->data(), weights}};
  program.arenaBytes = 64 + type.bytes();
  program.code = code;
  return program;
}

/// y = x + 40 by two programs, of which the second is of another backend.
inline glow::Program addInParts(const std::string &second) {
  auto code = std::make_shared<glow::PartsCode>();
  code->parts = {{addTwice(64), {0}, {2}}, {addTwice(64, second), {2}, {1}}};
  glow::Program program = addTwice(64);
  code->between = {program.inputs.front().type};
  program.code = code;
  return program;
}

#endif // GLOW_TEST_RUNTIME_PROGRAMS_H

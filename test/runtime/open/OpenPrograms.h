//===- OpenPrograms.h - small programs of open sizes ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_OPEN_OPENPROGRAMS_H
#define GLOW_TEST_RUNTIME_OPEN_OPENPROGRAMS_H

#include "../Programs.h"
#include "glow/Program/Length.h"

/// y = x + b, all f32[N,S] with N = low..8 and S = 2..6 by 2; fails for
/// negative elements of x. `condition` is "" or "N < S".
inline glow::Program addOpen(const std::string &condition = "",
                             int64_t low = 1) {
  using glow::BufferPlace;
  registerTestKernels();
  const glow::TensorType type{glow::ElementKind::F32, {8, 6}};
  const glow::Length rows(glow::SizeVariable{"N", low, 8, 1});
  const glow::Length columns(glow::SizeVariable{"S", 2, 6, 2});
  glow::Program program;
  program.backend = "interpreter";
  program.entry = "main";
  program.inputs = {{"x", type, {}}, {"b", type, {}}};
  program.outputs = {{"y", type, {}}};
  auto code = std::make_shared<glow::StepCode>();
  code->buffers = {{BufferPlace::Input, 0, 0, type, "x"},
                   {BufferPlace::Input, 1, 0, type, "b"},
                   {BufferPlace::Output, 0, 0, type, "y"}};
  code->steps = {{"test_add", "first", {2, 0, 1}, {1, 1, 1}, {}}};
  for (auto *list : {&program.inputs, &program.outputs})
    for (glow::Binding &binding : *list)
      binding.lengths = {rows, columns};
  for (glow::BufferPlace &buffer : code->buffers)
    buffer.lengths = {rows, columns};
  if (!condition.empty())
    program.conditions = {
        {glow::SizeCondition::Relation::Below, rows, columns, "test-label"}};
  program.code = code;
  return program;
}

/// y = x + b + b of these types, by two programs on devices of these names.
inline glow::Program addOpenInParts(const std::string &first,
                                    const std::string &second,
                                    const std::string &condition = "") {
  glow::Program program = addOpen(condition), part = addOpen();
  auto code = std::make_shared<glow::PartsCode>();
  part.device = first;
  code->parts = {{part, {0, 1}, {3}}, {part, {3, 1}, {2}}};
  code->parts[1].program.device = second;
  code->between = {program.outputs[0].type};
  program.code = code;
  return program;
}

#endif // GLOW_TEST_RUNTIME_OPEN_OPENPROGRAMS_H

//===- Programs.cpp - programs of simulated devices -----------------------===//
// SPDX-License-Identifier: MIT

#include "Programs.h"
#include "Clock.h"
#include "glow/Runtime/ProgramFile.h"
#include <sstream>

using namespace simulation;
using namespace glow;

float simulation::function(uint64_t salt, const std::vector<float> &inputs) {
  uint64_t sum = salt;
  for (float input : inputs)
    sum = Chance(sum ^ uint64_t(int64_t(input))).next();
  return float(sum & 0xffff);
}

Program simulation::programOf(const Function &function, size_t inputs,
                              int64_t batch, bool isOpen) {
  const TensorType type{ElementKind::F32, {batch, isOpen ? 2 * width : width}};
  Program program;
  program.backend = "simulated";
  for (size_t i = 0; i < inputs; ++i)
    program.inputs.push_back({"x" + std::to_string(i), type, {}});
  program.outputs = {{"y", type, {}}};
  if (function.hasState) {
    program.outputs.push_back({"next", type, {}});
    program.states = {{{program.inputs.back().name, "next"}}};
  }
  for (auto *list : {&program.inputs, &program.outputs})
    for (Binding &binding : *list)
      if (isOpen)
        binding.lengths = {Length(SizeVariable{"N", 1, batch}),
                           Length(SizeVariable{"C", width, 2 * width, width})};
  program.arenaBytes = 100 * uint64_t(batch);
  program.code = std::make_shared<Function>(function);
  return program;
}

Program simulation::programWithState(size_t model, uint64_t salt,
                                     int64_t batch) {
  Function function;
  function.model = model;
  function.salt = salt;
  function.hasState = true;
  return programOf(function, 2, batch);
}

Program simulation::programInParts(size_t model, uint64_t salt, int parts,
                                   int64_t batch, bool isOpen) {
  auto part = [&](uint64_t index, size_t inputs) {
    Function function;
    function.model = model;
    function.salt = salt + index;
    function.isFirst = index == 0;
    return programOf(function, inputs, batch, isOpen);
  };
  if (parts == 1)
    return part(0, 1);
  auto code = std::make_shared<PartsCode>();
  if (parts == 2)
    code->parts = {{part(0, 1), {0}, {2}}, {part(1, 1), {2}, {1}}};
  else
    code->parts = {{part(0, 1), {0}, {2}},
                   {part(1, 1), {2}, {3}},
                   {part(2, 1), {2}, {4}},
                   {part(3, 2), {3, 4}, {1}}};
  Program program = part(0, 1);
  code->between.assign(parts == 2 ? 1 : 3, program.inputs.front().type);
  program.arenaBytes = 0;
  program.code = code;
  return program;
}

float simulation::resultInParts(uint64_t salt, int parts, float x) {
  const float first = function(salt, {x});
  if (parts == 1)
    return first;
  if (parts == 2)
    return function(salt + 1, {first});
  return function(salt + 3,
                  {function(salt + 1, {first}), function(salt + 2, {first})});
}

//===----------------------------------------------------------------------===//
// On their way to another process
//===----------------------------------------------------------------------===//

static Result<std::string> write(const Program &program) {
  auto *function = dynamic_cast<const Function *>(program.code.get());
  if (!function)
    return Status(Code::Unsupported, "no function");
  std::ostringstream text;
  text << function->model << " " << function->salt << " " << function->isFirst
       << " " << function->hasState << " " << program.inputs.size() << " "
       << program.inputs.front().type.shape[0] << " "
       << !program.inputs.front().lengths.empty();
  return text.str();
}

static Result<Program> read(const StoredProgram &stored) {
  std::istringstream text{std::string(stored.description)};
  Function function;
  size_t inputs = 0;
  int64_t batch = 0;
  bool isOpen = false;
  if (text >> function.model >> function.salt >> function.isFirst >>
      function.hasState >> inputs >> batch >> isOpen)
    return programOf(function, inputs, batch, isOpen);
  return Status(Code::InvalidArgument, "no function");
}

static const RegisterProgramReader registered("simulated", read, write);

//===- CompileParts.cpp - programs of parts as one ------------------------===//
// SPDX-License-Identifier: MIT

#include "CompileParts.h"
#include "glow/Backend/Steps.h"
#include "glow/Program/Parts.h"

using namespace mlir;
using namespace glow;

namespace {

/// The storage of a module as the values of a run, which PartsCode numbers.
class Values {
public:
  Values(ModuleOp whole, Program &program, PartsCode &code) {
    for (auto port : whole.getOps<PlaceholderOp>())
      if (port.getRole() == PlaceholderRole::Input ||
          port.getRole() == PlaceholderRole::State)
        program.inputs.push_back(number(port));
    for (auto port : whole.getOps<PlaceholderOp>())
      if (port.getRole() == PlaceholderRole::Output)
        program.outputs.push_back(number(port));
    for (auto port : whole.getOps<PlaceholderOp>())
      if (port.getRole() == PlaceholderRole::Between)
        code.between.push_back(number(port).type);
  }

  std::vector<uint32_t> of(const std::vector<Binding> &bindings) const {
    std::vector<uint32_t> found;
    for (const Binding &binding : bindings)
      found.push_back(numbers.lookup(binding.name));
    return found;
  }

private:
  Binding number(PlaceholderOp port) {
    numbers[port.getSymName()] = uint32_t(numbers.size());
    return bindingOf(port);
  }

  llvm::StringMap<uint32_t> numbers;
};

} // namespace

Program glow::programOfParts(ModuleOp planned, std::vector<Program> parts,
                             const std::string &backend) {
  Program program;
  auto code = std::make_shared<PartsCode>();
  Values values(planned, program, *code);
  program.backend = backend;
  program.entry = parts.front().entry;
  program.math = parts.front().math;
  for (const TensorType &type : code->between)
    program.arenaBytes += type.bytes();
  for (Program &part : parts) {
    // All parts are loaded at once, so their arenas add up.
    program.arenaBytes += part.arenaBytes;
    program.liveBytes = std::max(program.liveBytes, part.liveBytes);
    llvm::append_range(program.constants, part.constants);
    auto inputs = values.of(part.inputs), outputs = values.of(part.outputs);
    code->parts.push_back(
        {std::move(part), std::move(inputs), std::move(outputs)});
  }
  program.code = std::move(code);
  return program;
}

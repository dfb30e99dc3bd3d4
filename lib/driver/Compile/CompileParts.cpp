//===- CompileParts.cpp - programs of parts as one ------------------------===//
// SPDX-License-Identifier: MIT

#include "CompileParts.h"
#include "glow/Backend/Steps.h"
#include "glow/Program/Parts.h"
#include "glow/Program/Steps.h"
#include "llvm/ADT/StringSet.h"
#include <numeric>

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

/// The names of the variables in lengths.
static void addVariables(const std::vector<Length> &lengths,
                         llvm::StringSet<> &names) {
  for (const Length &length : lengths)
    length.visitVariables(
        [&](const SizeVariable &variable) { names.insert(variable.name); });
}

static void addVariables(const std::vector<Binding> &bindings,
                         llvm::StringSet<> &names) {
  for (const Binding &binding : bindings)
    addVariables(binding.lengths, names);
}

/// The variables of the sizes in a part.
static llvm::StringSet<> variablesOf(const Program &part) {
  llvm::StringSet<> names;
  addVariables(part.inputs, names);
  addVariables(part.outputs, names);
  if (auto *code = dynamic_cast<const StepCode *>(part.code.get())) {
    for (const BufferPlace &buffer : code->buffers)
      addVariables(buffer.lengths, names);
    for (const Step &step : code->steps)
      for (const LengthList &list : step.lists)
        addVariables(list.lengths, names);
  }
  return names;
}

/// A part learns the sizes of a run from its inputs. Where a value between
/// parts does not have a variable as a dimension, as [N*S] does not, the
/// smallest input of the model that has it becomes an input of the part, which
/// no step reads.
static void addInputsForSizes(const std::vector<Binding> &whole, Program &part,
                              std::vector<uint32_t> &values) {
  llvm::StringSet<> unknown = variablesOf(part);
  auto learn = [&](const Binding &input) {
    bool isNews = false;
    for (const Length &length : input.lengths)
      if (const SizeVariable *variable = length.variable())
        isNews |= unknown.erase(variable->name);
    return isNews;
  };
  for (const Binding &input : part.inputs)
    learn(input);
  std::vector<uint32_t> order(whole.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](uint32_t a, uint32_t b) {
    return whole[a].type.bytes() < whole[b].type.bytes();
  });
  for (uint32_t index : order)
    if (!unknown.empty() && learn(whole[index])) {
      part.inputs.push_back(whole[index]);
      values.push_back(index);
    }
}

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
    addInputsForSizes(program.inputs, part, inputs);
    code->parts.push_back(
        {std::move(part), std::move(inputs), std::move(outputs)});
  }
  program.code = std::move(code);
  return program;
}

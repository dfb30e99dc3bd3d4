//===- Updates.cpp - states that are updated in place ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Updates.h"
#include <algorithm>

using namespace glow;

bool glow::copies(const Step &step) {
  return step.instruction == "copy" && step.buffers.size() == 2;
}

static const Binding *find(const std::vector<Binding> &bindings,
                           const std::string &name) {
  auto found = std::ranges::find(bindings, name, &Binding::name);
  return found == bindings.end() ? nullptr : &*found;
}

namespace {

/// An input, an output or a port.
struct Storage {
  BufferPlace::Where where;
  size_t index;
};

/// The steps that touch an output and an input of a state, or the carried value
/// of a loop.
class StateSteps {
public:
  StateSteps(const StepCode &code, std::span<const Step> steps, Storage input,
             Storage output)
      : code(code), steps(steps), input(input), output(output) {}

  bool updateInPlace() const {
    bool isCopied = false;
    for (const Step &step : steps) {
      if (isView(step))
        continue;
      const bool reads = touches(step, input);
      if (!isCopied && reads && copies(step) && isWhole(step))
        isCopied = true;
      else if (reads || (!isCopied && touches(step, output)))
        return false;
    }
    return isCopied;
  }

private:
  const StepCode &code;
  const std::span<const Step> steps;
  const Storage input, output;

  bool isIn(uint32_t buffer, Storage storage) const {
    return code.buffers[buffer].where == storage.where &&
           code.buffers[buffer].index == storage.index;
  }
  bool touches(const Step &step, Storage storage) const {
    return std::ranges::any_of(
        step.buffers, [&](uint32_t buffer) { return isIn(buffer, storage); });
  }
  /// Whether all buffers of the step are one piece of memory.
  bool isView(const Step &step) const {
    return std::ranges::all_of(step.buffers, [&](uint32_t buffer) {
      const BufferPlace &one = code.buffers[buffer],
                        &first = code.buffers[step.buffers[0]];
      return one.where == first.where && one.where != BufferPlace::Arena &&
             one.index == first.index && one.offset == first.offset &&
             one.type.bytes() == first.type.bytes();
    });
  }
  /// Whether the step copies the whole input to the output.
  bool isWhole(const Step &step) const {
    const BufferPlace &to = code.buffers[step.buffers[0]],
                      &from = code.buffers[step.buffers[1]];
    return isIn(step.buffers[0], output) && isIn(step.buffers[1], input) &&
           to.offset == 0 && from.offset == 0 &&
           to.type.bytes() == from.type.bytes();
  }
};

} // namespace

bool glow::updatesInPlace(const Program &program, const StatePair &pair) {
  const auto code = std::dynamic_pointer_cast<const StepCode>(program.code);
  const Binding *input = find(program.inputs, pair.input),
                *output = find(program.outputs, pair.output);
  return code && input && output && input->type == output->type &&
         input->lengths.empty() && output->lengths.empty() &&
         StateSteps(
             *code, code->steps,
             {BufferPlace::Input, size_t(input - program.inputs.data())},
             {BufferPlace::Output, size_t(output - program.outputs.data())})
             .updateInPlace();
}

bool glow::updatesInPlace(const StepCode &code, const StepCall &call,
                          uint32_t from, uint32_t to) {
  return StateSteps(code, std::span(code.steps).subspan(call.first, call.count),
                    {BufferPlace::Port, from}, {BufferPlace::Port, to})
      .updateInPlace();
}

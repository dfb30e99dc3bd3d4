//===- KernelRunner.cpp - a kernel for each step --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/KernelRegistry.h"
#include "glow/Runtime/StepDevice.h"

using namespace glow;

Result<std::unique_ptr<KernelRunner>>
KernelRunner::create(const StepCode &code, const std::string &backend,
                     std::function<bool(size_t)> needed) {
  std::unique_ptr<KernelRunner> runner(new KernelRunner(code));
  for (const Step &step : code.steps) {
    Kernel kernel = nullptr;
    // The device executes calls itself.
    if (step.calls.empty() && (!needed || needed(runner->kernels.size()))) {
      std::vector<ElementKind> kinds;
      for (uint32_t buffer : step.buffers)
        kinds.push_back(code.buffers[buffer].type.kind);
      kernel = KernelRegistry::instance().find(backend, step.instruction,
                                               step.segments, kinds);
      if (!kernel)
        return failure(Code::NotFound, "node '", step.node, "': the ", backend,
                       " has no kernel for instruction '", step.instruction,
                       "'");
    }
    runner->kernels.push_back(kernel);
  }
  return runner;
}

Status KernelRunner::setSizes(const RunSizes &sizes) {
  attributes = sizes.lists;
  return Status();
}

Status KernelRunner::run(size_t index, std::span<const TensorView> buffers) {
  const Step &step = code.steps[index];
  const bool isOpen = index < attributes.size() && !step.lists.empty();
  return kernels[index](
      {buffers, step.segments, isOpen ? attributes[index] : step.attributes});
}

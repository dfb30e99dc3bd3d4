//===- Register.cpp - the interpreter and its kernels by hand -------------===//
// SPDX-License-Identifier: MIT

#include "Evaluate.h"
#include "device/Device.h"
#include "glow/Backend/StepBackend.h"
#include "glow/Generated/GlowCalls.h"
#include "glow/Program/CallCheck.h"
#include "glow/Program/KernelRegistry.h"
#include <list>
#include <vector>

using namespace glow;

#include "glow/IR/StructureKernels.cpp.inc"

void glow::registerStepwise(const std::string &name) {
  // A list, because the registry needs a stable address while the process
  // lives.
  static std::list<StepBackend> backends;
  registerBackend(backends.emplace_back(name));
  registerInterpreterDevice(name);
}

static const StepBackend interpreter("interpreter");
[[maybe_unused]] static const bool registered = [] {
  registerAttachment(addEvaluator);
  registerBackend(interpreter);
  return true;
}();

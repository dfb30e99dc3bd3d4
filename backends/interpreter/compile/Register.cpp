//===- Register.cpp - the interpreter and its kernels by hand -------------===//

#include "Evaluate.h"
#include "device/Device.h"
#include "glow/Backend/StepBackend.h"
#include "glow/Program/KernelRegistry.h"
#include <cstring>
#include <list>

using namespace glow;

/// `copy @out dest, @in src`, and every node that keeps the bytes.
static Status copyBytes(const KernelCall &call) {
  const TensorView &to = call.buffers[0], &from = call.buffers[1];
  if (to.data != from.data && to.type->bytes())
    std::memmove(to.data, from.data, to.type->bytes());
  return Status();
}

static constexpr KernelEntry table[] = {{"copy", copyBytes}};
static RegisterKernels kernels(table);

void glow::registerStepwise(const std::string &name) {
  // At the same place for as long as the process lives, as the registry wants.
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

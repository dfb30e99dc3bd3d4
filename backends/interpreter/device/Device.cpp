//===- Device.cpp - the interpreter's device ------------------------------===//

#include "Device.h"
#include "glow/Runtime/DeviceRegistry.h"

using namespace glow;

Result<std::unique_ptr<StepRunner>>
InterpreterDevice::prepare(const StepCode &code) {
  Result<std::unique_ptr<KernelRunner>> runner =
      KernelRunner::create(code, backendName());
  if (!runner)
    return runner.status();
  return std::unique_ptr<StepRunner>(runner.take());
}

void glow::registerInterpreterDevice(const std::string &backend) {
  DeviceRegistry::instance().add(
      backend,
      [backend](
          const DeviceOptions &options) -> Result<std::unique_ptr<Device>> {
        return std::unique_ptr<Device>(new InterpreterDevice(backend, options));
      });
}

[[maybe_unused]] static const bool registered = [] {
  registerInterpreterDevice("interpreter");
  return true;
}();

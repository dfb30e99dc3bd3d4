//===- Device.h - the interpreter's device ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_INTERPRETER_DEVICE_H
#define GLOW_BACKENDS_INTERPRETER_DEVICE_H

#include "glow/Runtime/StepDevice.h"

namespace glow {

/// Runs every step by the kernel that KernelRegistry has for its instruction.
/// The reference by which all other devices are tested.
class InterpreterDevice final : public StepDevice {
public:
  /// Another backend whose programs are steps may use this device under its own
  /// name.
  explicit InterpreterDevice(std::string backend = "interpreter",
                             const DeviceOptions &options = {})
      : StepDevice(std::move(backend), options) {}

  /// Measures the kernels of a product and of a sum.
  Result<DeviceRates> measure() override;

private:
  Result<std::unique_ptr<StepRunner>> prepare(const StepCode &code) override;
};

/// Opens such a device under the name of a backend, from now on.
void registerInterpreterDevice(const std::string &backend);

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_DEVICE_H

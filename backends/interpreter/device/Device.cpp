//===- Device.cpp - the interpreter's device ------------------------------===//
// SPDX-License-Identifier: MIT

#include "Device.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Values/Tensor.h"
#include <algorithm>
#include <chrono>

using namespace glow;

Result<std::unique_ptr<StepRunner>>
InterpreterDevice::prepare(const StepCode &code) {
  Result<std::unique_ptr<KernelRunner>> runner =
      KernelRunner::create(code, backendName());
  if (!runner)
    return runner.status();
  return std::unique_ptr<StepRunner>(runner.take());
}

/// Seconds that the kernel of an instruction with two inputs takes; 0 where
/// there is none.
static double secondsOf(const std::string &instruction,
                        const TensorType &type) {
  Kernel kernel = KernelRegistry::instance().find(instruction);
  std::vector<Tensor> tensors;
  std::vector<TensorView> views;
  for (int i = 0; kernel && i < 3; ++i)
    if (Result<Tensor> tensor = Tensor::zeros(type))
      tensors.push_back(tensor.take());
  if (tensors.size() < 3)
    return 0;
  for (const Tensor &tensor : tensors)
    views.push_back(tensor.view());
  const int32_t segments[] = {1, 1, 1};
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    auto begin = std::chrono::steady_clock::now();
    if (!kernel({views, segments, {}}).ok())
      return 0;
    least = std::min(least, std::chrono::duration<double>(
                                std::chrono::steady_clock::now() - begin)
                                .count());
  }
  return least;
}

static Result<DeviceRates> measureKernels() {
  DeviceRates rates;
  constexpr int64_t size = 128, length = int64_t(1) << 23;
  if (double time = secondsOf("matmul", {ElementKind::F32, {size, size}}))
    rates.multipliesPerSecond[ElementKind::F32] =
        double(size * size * size) / time;
  if (double time = secondsOf("add", {ElementKind::F32, {length}}))
    rates.bytesPerSecond = double(3 * length * 4) / time;
  return rates;
}

Result<DeviceRates> InterpreterDevice::measure() {
  return alone(measureKernels);
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

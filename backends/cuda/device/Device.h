//===- Device.h - a GPU of NVIDIA -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_DEVICE_DEVICE_H
#define GLOW_BACKENDS_CUDA_DEVICE_DEVICE_H

#include "device/Library.h"
#include "glow/Runtime/Device.h"
#include <map>
#include <mutex>

namespace glow::cuda {

class Loaded;

/// One GPU, with a stream on which launches run in order. A program has memory
/// of its own for constants, values, inputs and outputs from `load` to
/// `unload`. `run` returns when `done` was called; other runs wait.
class CudaDevice final : public Device {
public:
  /// Opens the GPU that environment variable GLOW_CUDA_DEVICE chooses, by its
  /// number or a part of its name; else the first. Fails with Code::NotFound if
  /// the machine has no driver, no GPU, or none of that name.
  static Result<std::unique_ptr<Device>> open(const DeviceOptions &options);
  ~CudaDevice() override;

  DeviceInfo info() const override;
  DeviceState state() const override;
  uint64_t freeBytes() const override;
  Result<ProgramId> load(const Program &program) override;
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override;
  void unload(ProgramId program) override;
  Status reset() override;
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) override;
  void observe(std::shared_ptr<StepObserver> observer) override;

private:
  CudaDevice(const Library &cuda, FoundDevice found, uint64_t memoryBytes);
  Status begin();
  void end();
  Status runLoaded(ProgramId id, const Tensors &tensors);
  Status note(Status status);

  const Library &cuda;
  const FoundDevice found;
  const uint64_t capacity;

  std::mutex running; ///< held by the run, or the load, that has the stream
  std::shared_ptr<const OwnContext> context;
  driver::Stream stream = nullptr;
  mutable std::mutex mutex; ///< guards all below
  std::map<ProgramId, std::shared_ptr<Loaded>> programs;
  std::shared_ptr<StepObserver> observer;
  uint64_t taken = 0; ///< by programs
  uint64_t lastId = 0;
  bool isLost = false;
  const std::shared_ptr<std::atomic<uint64_t>> inBuffers =
      std::make_shared<std::atomic<uint64_t>>(0);
};

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_DEVICE_DEVICE_H

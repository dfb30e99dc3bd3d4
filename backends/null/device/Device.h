//===- Device.h - a device that computes nothing ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_NULL_DEVICE_H
#define GLOW_BACKENDS_NULL_DEVICE_H

#include "glow/Runtime/Device.h"
#include <map>
#include <mutex>

namespace glow {

/// Takes programs of backend `null`, whatever their code is, and writes zeros
/// to their outputs. Its memory is made up, so that running out of it can be
/// tested. `run` returns when `done` was called.
class NullDevice final : public Device {
public:
  /// `capacity` in bytes; 0 for a number that is never reached.
  explicit NullDevice(uint64_t capacity = 0)
      : capacity(capacity ? capacity : uint64_t(1) << 40) {}

  DeviceInfo info() const override;
  uint64_t freeBytes() const override;
  Result<ProgramId> load(const Program &program) override;
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override;
  void unload(ProgramId program) override;
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) override;

private:
  /// A loaded program. A real device would also copy its constants and its code
  /// into its own memory.
  struct Loaded {
    std::vector<Binding> inputs, outputs;
    uint64_t bytes;
  };
  /// A buffer for values. A real device would allocate its own memory.
  class Buffer;
  Status runLoaded(ProgramId program, const Tensors &tensors);

  const uint64_t capacity;
  mutable std::mutex mutex;
  std::map<ProgramId, Loaded> programs;
  uint64_t taken = 0; // by programs
  const std::shared_ptr<std::atomic<uint64_t>> inBuffers =
      std::make_shared<std::atomic<uint64_t>>(0);
  uint64_t lastId = 0;
};

} // namespace glow

#endif // GLOW_BACKENDS_NULL_DEVICE_H

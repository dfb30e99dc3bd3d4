//===- Device.cpp - a device that computes nothing ------------------------===//
// SPDX-License-Identifier: MIT

#include "device/Device.h"
#include "glow/Runtime/DeviceRegistry.h"
#include <cstring>

using namespace glow;

DeviceInfo NullDevice::info() const {
  DeviceInfo info;
  info.backend = "null";
  info.hasBuffers = true;
  info.memoryBytes = capacity;
  return info;
}

uint64_t NullDevice::freeBytes() const {
  std::lock_guard lock(mutex);
  return capacity - taken - *inBuffers;
}

Result<ProgramId> NullDevice::load(const Program &program) {
  if (program.backend != "null")
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program.backend, "', this device runs those of 'null'");
  uint64_t bytes = program.constantBytes() + program.arenaBytes;

  std::lock_guard lock(mutex);
  if (uint64_t free = capacity - taken - *inBuffers; bytes > free)
    return failure(Code::OutOfMemory, "the program takes ", bytes,
                   " bytes, the device has ", free, " free");
  taken += bytes;
  ProgramId id{++lastId};
  programs[id] = {program.inputs, program.outputs, bytes};
  return id;
}

Status NullDevice::runLoaded(ProgramId program, const Tensors &tensors) {
  std::lock_guard oneAtATime(mutex);
  auto found = programs.find(program);
  if (found == programs.end())
    return failure(Code::NotFound, "no program is loaded as ",
                   uint64_t(program));
  const Loaded &loaded = found->second;
  Status status = checkTensors(loaded.inputs, loaded.outputs, tensors);
  if (!status.ok())
    return status;
  for (const TensorView &output : tensors.outputs)
    if (uint64_t bytes = output.type->bytes(); bytes && output.data)
      std::memset(output.data, 0, bytes);
  return Status();
}

void NullDevice::run(ProgramId program, Tensors &tensors,
                     std::function<void(Status)> done) {
  // Without the lock: a thread that waits for `done` may call the device again.
  done(runLoaded(program, tensors));
}

void NullDevice::unload(ProgramId program) {
  std::lock_guard lock(mutex);
  auto found = programs.find(program);
  if (found == programs.end())
    return;
  taken -= found->second.bytes;
  programs.erase(found);
}

/// A buffer, which may outlive the device.
class NullDevice::Buffer final : public DeviceBuffer {
public:
  Buffer(std::shared_ptr<std::atomic<uint64_t>> all, uint64_t size)
      : all(std::move(all)), size(size) {
    *this->all += size;
  }
  ~Buffer() override { *all -= size; }
  uint64_t bytes() const override { return size; }

private:
  const std::shared_ptr<std::atomic<uint64_t>> all;
  const uint64_t size;
};

Result<std::unique_ptr<DeviceBuffer>> NullDevice::allocate(uint64_t bytes) {
  std::lock_guard lock(mutex);
  if (uint64_t free = capacity - taken - *inBuffers; bytes > free)
    return failure(Code::OutOfMemory, "a value takes ", bytes,
                   " bytes, the device has ", free, " free");
  return std::unique_ptr<DeviceBuffer>(new Buffer(inBuffers, bytes));
}

static RegisterDevice registration(
    "null",
    [](const DeviceOptions &options) -> Result<std::unique_ptr<Device>> {
      return std::unique_ptr<Device>(new NullDevice(options.memoryBytes));
    });

//===- Loaded.h - a program on a device with OpenCL -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_DEVICE_LOADED_H
#define GLOW_BACKENDS_OPENCL_DEVICE_LOADED_H

#include "device/Code.h"
#include "device/Library.h"
#include "glow/Runtime/Device.h"

namespace glow::opencl {

/// Memory of a device, for a value between programs.
struct Buffer final : DeviceBuffer {
  Buffer(Owned<cl_mem> memory, uint64_t size,
         std::shared_ptr<std::atomic<uint64_t>> all)
      : memory(std::move(memory)), size(size), all(std::move(all)) {
    *this->all += size;
  }
  ~Buffer() override { *all -= size; }
  uint64_t bytes() const override { return size; }

  Owned<cl_mem> memory;
  const uint64_t size;
  const std::shared_ptr<std::atomic<uint64_t>> all;
};

/// Where a program goes: the parts of a device that never change.
struct Target {
  const Library &cl;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

/// A loaded program: its buffers, and a kernel object for each launch.
struct Loaded {
  std::vector<Binding> inputs, outputs;
  std::shared_ptr<const OpenclCode> code;
  uint64_t bytes = 0; ///< of all buffers
  Owned<cl_mem> arena, constants, numbers, failed;
  std::vector<Owned<cl_mem>> ins, outs;
  std::vector<uint64_t> constantOffsets;
  Owned<cl_program> program;
  std::vector<Owned<cl_kernel>> kernels; ///< by launch; null for a copy

  /// Compiles the kernels, and fills the buffers of constants and numbers.
  static Result<std::shared_ptr<Loaded>> load(const Target &target,
                                              const Program &program);
  /// Runs all launches; the device does nothing else.
  Status run(const Target &target, const Tensors &tensors,
             StepObserver *observer);

private:
  /// The work-items of a group in a launch, as many as the device has.
  struct Group {
    size_t launch;
    uint64_t items;
  };
  std::vector<Group> groups;
  std::vector<int64_t> placed; ///< the numbers, with places of constants
  bool wasBound = false; ///< whether arguments are buffers of an earlier run

  Status makeBuffers(const Target &target, const Program &program);
  Status makeKernels(const Target &target);
  cl_mem memoryOf(const BufferPlace &place, const Tensors &tensors) const;
  Status bindTensors(const Target &target, const Tensors &tensors);
  Status writeInputs(const Target &target, const Tensors &tensors);
  Status readOutputs(const Target &target, const Tensors &tensors);
  Status runSteps(const Target &target, const Tensors &tensors,
                  StepObserver *observer);
  Status launch(const Target &target, const Launch &launch, size_t number,
                const Tensors &tensors);
  Status observeStep(const Target &target, const Tensors &tensors,
                     uint32_t step, StepObserver &observer, uint64_t span,
                     std::chrono::steady_clock::time_point begin);
};

/// Compiles a program's kernels for a device. Fails with Code::Unsupported if
/// the driver refuses a kernel; its source and the driver's log are then in a
/// file, which the message names.
Result<Owned<cl_program>> buildKernels(const Target &target,
                                       const OpenclCode &code);

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_DEVICE_LOADED_H

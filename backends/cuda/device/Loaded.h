//===- Loaded.h - a program on a GPU ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_DEVICE_LOADED_H
#define GLOW_BACKENDS_CUDA_DEVICE_LOADED_H

#include "device/Code.h"
#include "device/Library.h"
#include "glow/Runtime/Device.h"

namespace glow::cuda {

/// Where a program goes. The context is current on the calling thread.
struct Target {
  const Library &cuda;
  driver::Device device;
  driver::Stream stream;
};

/// Memory of a GPU.
class Memory {
public:
  Memory() = default;
  Memory(Memory &&other) noexcept { swap(other); }
  Memory &operator=(Memory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Memory();
  driver::Address address() const { return first; }
  /// Memory of at least one byte; `data` fills it, or is null.
  static Result<Memory> make(const Target &target, uint64_t bytes,
                             const void *data = nullptr);

private:
  void swap(Memory &other) {
    std::swap(cuda, other.cuda);
    std::swap(first, other.first);
  }
  const Library *cuda = nullptr;
  driver::Address first = 0;
};

/// Memory for a value between programs.
struct Buffer final : DeviceBuffer {
  Buffer(std::shared_ptr<const OwnContext> context, Memory memory,
         uint64_t size, std::shared_ptr<std::atomic<uint64_t>> all)
      : context(std::move(context)), memory(std::move(memory)), size(size),
        all(std::move(all)) {
    *this->all += size;
  }
  ~Buffer() override {
    *all -= size;
    context->makeCurrent(); // for the memory
  }
  uint64_t bytes() const override { return size; }

  const std::shared_ptr<const OwnContext> context; ///< freed last
  Memory memory;
  const uint64_t size;
  const std::shared_ptr<std::atomic<uint64_t>> all;
};

/// A loaded program: its memory and its functions.
class Loaded {
public:
  ~Loaded();
  /// Has the driver compile the kernels, and fills the memory of constants and
  /// numbers.
  static Result<std::shared_ptr<Loaded>> load(const Target &target,
                                              const Program &program);
  /// Runs all launches; nothing else is on the stream.
  Status run(const Target &target, const Tensors &tensors,
             StepObserver *observer);

  std::vector<Binding> inputs, outputs;
  uint64_t bytes = 0; ///< of all memory

private:
  Status makeMemory(const Target &target, const Program &program);
  Status makeFunctions(const Target &target);
  driver::Address addressOf(const BufferPlace &place,
                            const Tensors &tensors) const;
  Status writeInputs(const Target &target, const Tensors &tensors);
  Status readOutputs(const Target &target, const Tensors &tensors);
  Status runSteps(const Target &target, const Tensors &tensors,
                  StepObserver *observer);
  Status runGraph(const Target &target, const Tensors &tensors);
  Status launch(const Target &target, const Launch &launch,
                const Tensors &tensors);
  Status observeStep(const Target &target, const Tensors &tensors,
                     uint32_t step, StepObserver &observer,
                     std::chrono::steady_clock::time_point begin);

  const Library *cuda = nullptr;
  std::shared_ptr<const CudaCode> code;
  Memory arena, constants, numbers, failed;
  std::vector<Memory> ins, outs;
  std::vector<uint64_t> constantOffsets;
  std::vector<int64_t> placed; ///< the numbers, with places of constants
  driver::Module module = nullptr;
  std::vector<driver::Function> functions; ///< by kernel
  driver::GraphExec graph = nullptr; ///< all launches, for memory of its own
};

/// Has the driver compile a program's kernels. Fails with Code::Unsupported if
/// it refuses them; they and its log are then in a file, which the message
/// names.
Result<driver::Module> loadModule(const Target &target, const CudaCode &code);

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_DEVICE_LOADED_H

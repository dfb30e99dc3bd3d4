//===- Device.cpp - the host's processor as a device ----------------------===//

#include "Code.h"
#include "Threads.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/StepDevice.h"
#include "glow/Values/Tensor.h"

using namespace glow;
using namespace glow::cpu;

namespace {

GLOW_CALLS_MADE_CODE
void callKernel(StepKernel kernel, const StepInfo *info, char *const *buffers,
                int64_t begin, int64_t end, char *scratch) {
  kernel(info, buffers, begin, end, scratch);
}

/// Runs native steps on threads, others by the interpreter's kernels.
class CpuRunner final : public StepRunner {
public:
  CpuRunner(const CpuCode &code, std::shared_ptr<Threads> threads,
            std::unique_ptr<KernelRunner> kernels, Tensor scratch,
            Tensor shared)
      : code(code), threads(std::move(threads)), kernels(std::move(kernels)),
        scratch(std::move(scratch)), shared(std::move(shared)),
        scratchOfThread(this->scratch.type().elements() /
                        this->threads->count()) {}

  Status run(size_t index, std::span<const TensorView> buffers) override {
    const CpuCode::Native &native = code.natives[index];
    const StepSymbols &symbols = code.symbols[index];
    if (native.phases.empty())
      return kernels->run(index, buffers);
    pointers.clear();
    for (const TensorView &buffer : buffers)
      pointers.push_back(static_cast<char *>(buffer.data));
    auto *memory = static_cast<char *>(scratch.data());
    auto *flag = static_cast<int64_t *>(shared.data());
    if (symbols.sharedBytes)
      pointers.push_back(static_cast<char *>(shared.data()));
    if (!symbols.failure.empty())
      *flag = 0;
    const StepInfo *info = native.info ? native.info->get() : nullptr;
    for (size_t i = 0; i < native.phases.size(); ++i)
      threads->run(symbols.phases[i].chunks,
                   [&](int64_t begin, int64_t end, unsigned thread) {
                     callKernel(native.phases[i], info, pointers.data(), begin,
                                end, memory + thread * scratchOfThread);
                   });
    // `run` has returned on all threads: what they wrote is seen.
    if (!symbols.failure.empty() && *flag)
      return Status(Code::InvalidArgument, symbols.failure);
    return Status();
  }

private:
  const CpuCode &code;
  std::shared_ptr<Threads> threads;
  std::unique_ptr<KernelRunner> kernels;
  Tensor scratch; // of each thread, one after the other
  Tensor shared;
  int64_t scratchOfThread;
  std::vector<char *> pointers; // of the step that runs
};

class CpuDevice final : public StepDevice {
public:
  explicit CpuDevice(std::shared_ptr<Threads> threads)
      : StepDevice("cpu"), threads(std::move(threads)) {}

private:
  Result<std::unique_ptr<StepRunner>> prepare(const StepCode &steps) override {
    auto *code = dynamic_cast<const CpuCode *>(&steps);
    if (!code || code->natives.size() != code->steps.size() ||
        code->symbols.size() != code->steps.size())
      return Status(Code::InvalidArgument, "the program has no code for 'cpu'");
    int64_t scratchBytes = 0, sharedBytes = 0;
    for (const StepSymbols &symbols : code->symbols) {
      scratchBytes = std::max(scratchBytes, symbols.scratchBytes);
      sharedBytes = std::max(sharedBytes, symbols.sharedBytes);
    }
    // Each thread's begins with a line of its own.
    scratchBytes = (scratchBytes + 63) / 64 * 64;
    Result<Tensor> scratch = Tensor::zeros(
        {ElementKind::U8, {scratchBytes * int64_t(threads->count())}});
    Result<Tensor> shared = Tensor::zeros({ElementKind::U8, {sharedBytes}});
    if (!scratch || !shared)
      return (!scratch ? scratch : shared)
          .status()
          .prefixed("scratch memory: ");
    auto kernels =
        KernelRunner::create(*code, backendName(), [&](size_t index) {
          return code->natives[index].phases.empty();
        });
    if (!kernels)
      return kernels.status();
    return std::unique_ptr<StepRunner>(new CpuRunner(
        *code, threads, kernels.take(), scratch.take(), shared.take()));
  }

  std::shared_ptr<Threads> threads;
};

} // namespace

static RegisterDevice registration(
    "cpu", [](const DeviceOptions &options) -> Result<std::unique_ptr<Device>> {
      Result<std::shared_ptr<Threads>> threads =
          Threads::start(options.threads);
      if (!threads)
        return threads.status();
      return std::unique_ptr<Device>(new CpuDevice(threads.take()));
    });

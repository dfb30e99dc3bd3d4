//===- Device.cpp - the host's processor as a device ----------------------===//
// SPDX-License-Identifier: MIT

#include "Rates.h"
#include "StepMemory.h"
#include "Threads.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/StepDevice.h"
#include "glow/Values/Tensor.h"
#include <functional>

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
            std::unique_ptr<KernelRunner> kernels)
      : code(code), threads(std::move(threads)), kernels(std::move(kernels)) {}

  Status setArena(std::span<char> arena) override {
    memory =
        placeStepMemory(code, code.symbols, arena.size(), threads->count());
    uint64_t from = StepMemory::behind(arena.size());
    Result<Tensor> more = Tensor::zeros(
        {ElementKind::U8, {int64_t(std::max(memory.arenaBytes, from) - from)}});
    if (!more)
      return more.status().prefixed("scratch memory: ");
    behind = more.take();
    auto at = [&](uint64_t offset) {
      return offset < from ? arena.data() + offset
                           : static_cast<char *>(behind.data()) + offset - from;
    };
    for (const StepMemory::Place &place : memory.places)
      own.push_back({at(place.shared), at(place.scratch)});
    return Status();
  }

  std::vector<ArenaPiece> ownMemory(uint64_t arenaBytes) override {
    memory = placeStepMemory(code, code.symbols, arenaBytes, threads->count());
    own.assign(memory.places.size(), {});
    std::vector<ArenaPiece> pieces;
    visitOwn([&](size_t step, bool isScratch, uint64_t bytes) {
      const StepMemory::Place &place = memory.places[step];
      pieces.push_back(
          {isScratch ? place.scratch : place.shared, bytes, uint32_t(step)});
    });
    return pieces;
  }

  void measureOwn(std::span<uint64_t> bytes) override {
    for (size_t step : openSteps)
      if (code.natives[step].measure)
        memory.places[step].scratchOfThread = open[step].scratchOfThread;
    size_t next = 0;
    visitOwn([&](size_t, bool, uint64_t size) { bytes[next++] = size; });
  }

  void placeOwn(std::span<char *const> addresses) override {
    size_t next = 0;
    visitOwn([&](size_t step, bool isScratch, uint64_t) {
      (isScratch ? own[step].scratch : own[step].shared) = addresses[next++];
    });
  }

  Status setSizes(const RunSizes &sizes) override {
    if (open.empty()) {
      values.resize(code.sizes.size());
      open.resize(code.steps.size());
      for (size_t i = 0; i < code.steps.size(); ++i)
        if (!code.natives[i].phases.empty() && isOpen(code, code.steps[i]))
          openSteps.push_back(i);
    }
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = sizes.values.at(code.sizes[i]);
    for (size_t step : openSteps)
      if (Status status = setSizes(step, sizes); !status.ok())
        return status;
    return kernels->setSizes(sizes);
  }

  Status run(size_t index, std::span<const TensorView> buffers) override {
    const CpuCode::Native &native = code.natives[index];
    const StepSymbols &symbols = code.symbols[index];
    const StepMemory::Place &place = memory.places[index];
    if (native.phases.empty())
      return kernels->run(index, buffers);
    pointers.clear();
    for (const TensorView &buffer : buffers)
      pointers.push_back(static_cast<char *>(buffer.data));
    auto [shared, scratch] = own[index];
    auto *flag = reinterpret_cast<int64_t *>(shared);
    if (symbols.sharedBytes)
      pointers.push_back(shared);
    if (!symbols.failure.empty())
      *flag = 0;
    const StepInfo *info = native.info ? native.info->get() : nullptr;
    const Open *sizes =
        index < open.size() && open[index].info ? &open[index] : nullptr;
    if (sizes)
      info = sizes->info->get();
    for (size_t i = 0; i < native.phases.size(); ++i) {
      const auto body = [&](int64_t begin, int64_t end, unsigned thread) {
        callKernel(native.phases[i], info, pointers.data(), begin, end,
                   scratch + thread * place.scratchOfThread);
      };
      // By reference: a copy would take memory in every step.
      threads->run(sizes ? sizes->chunks[i] : symbols.phases[i].chunks,
                   std::cref(body), worked);
    }
    // `run` has returned on all threads, so that their writes are visible.
    if (!symbols.failure.empty() && *flag)
      return Status(Code::InvalidArgument, symbols.failure);
    return Status();
  }

  void reportWork(const Worked *observer) override { worked = observer; }

private:
  /// Gives a step the sizes of the runs that follow.
  Status setSizes(size_t index, const RunSizes &sizes) {
    const CpuCode::Native &native = code.natives[index];
    const StepSymbols &symbols = code.symbols[index];
    const Step &step = code.steps[index];
    if (!symbols.measure.empty() && !native.measure)
      return failure(Code::Unsupported, "node '", step.node,
                     "' was stored with its work for fixed sizes");
    Open &mine = open[index];
    if (!mine.info)
      mine.info = std::make_unique<OwnedStepInfo>(
          step, sizes.types,
          step.lists.empty() ? step.attributes : sizes.lists[index],
          values.data());
    mine.chunks.clear();
    mine.scratchOfThread = 0;
    for (size_t i = 0; i < native.phases.size(); ++i) {
      StepMeasure measure =
          native.measure ? native.measure : native.measures[i];
      StepWork work{measure ? 1 : symbols.phases[i].chunks, 0};
      if (measure)
        callMeasure(measure, mine.info->get(), work);
      if (work.scratchBytes > symbols.scratchBytes)
        return failure(Code::Internal, "node '", step.node, "' takes ",
                       work.scratchBytes,
                       " bytes for these sizes, more than for the greatest: ",
                       symbols.scratchBytes);
      mine.chunks.push_back(work.chunks);
      mine.scratchOfThread =
          std::max(mine.scratchOfThread,
                   StepMemory::ofThread(uint64_t(work.scratchBytes)));
    }
    return Status();
  }

  /// Visits the memory of steps that have some, in their order, with its bytes
  /// for the sizes of the runs that follow.
  template <typename Visit> void visitOwn(Visit visit) const {
    for (size_t i = 0; i < code.symbols.size(); ++i) {
      if (code.symbols[i].sharedBytes)
        visit(i, false, uint64_t(code.symbols[i].sharedBytes));
      if (code.symbols[i].scratchBytes)
        visit(i, true, memory.places[i].scratchOfThread * threads->count());
    }
  }

  /// The memory of a step beside its buffers.
  struct Own {
    char *shared = nullptr, *scratch = nullptr;
  };

  /// A step for the sizes of the runs that follow.
  struct Open {
    std::unique_ptr<const OwnedStepInfo> info; ///< null for fixed sizes
    std::vector<int64_t> chunks;               ///< one a phase
    uint64_t scratchOfThread = 0;              ///< by the measure of its kernel
  };

  const CpuCode &code;
  std::shared_ptr<Threads> threads;
  std::unique_ptr<KernelRunner> kernels;
  std::vector<Open> open; ///< empty before the first sizes
  std::vector<size_t> openSteps;
  std::vector<int64_t> values; ///< of CpuCode::sizes
  StepMemory memory;
  std::vector<Own> own;         // one a step
  Tensor behind;                // step memory that does not fit into the arena
  std::vector<char *> pointers; // buffers of the current step
  const Worked *worked = nullptr;
};

class CpuDevice final : public StepDevice {
public:
  CpuDevice(std::shared_ptr<Threads> threads, const DeviceOptions &options)
      : StepDevice("cpu", options), threads(std::move(threads)) {}

  DeviceInfo info() const override {
    DeviceInfo info = StepDevice::info();
    info.threads = threads->count();
    return info;
  }

  Result<DeviceRates> measure() override {
    return alone([this] { return measureRates(*threads); });
  }

private:
  Result<std::unique_ptr<StepRunner>> prepare(const StepCode &steps) override {
    auto *code = dynamic_cast<const CpuCode *>(&steps);
    if (!code || code->natives.size() != code->steps.size() ||
        code->symbols.size() != code->steps.size())
      return Status(Code::InvalidArgument, "the program has no code for 'cpu'");
    auto kernels =
        KernelRunner::create(*code, backendName(), [&](size_t index) {
          return code->natives[index].phases.empty();
        });
    if (!kernels)
      return kernels.status();
    return std::unique_ptr<StepRunner>(
        new CpuRunner(*code, threads, kernels.take()));
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
      return std::unique_ptr<Device>(new CpuDevice(threads.take(), options));
    });

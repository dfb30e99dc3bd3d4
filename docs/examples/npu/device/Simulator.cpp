//===- Simulator.cpp - a device that executes the chip's commands ---------===//
//
// A copy has the effect that it began with when it is waited for: what reads
// too early, or takes its memory, would be seen. With NPU_REPORT a line of JSON
// is added to that file after each run of a program; with NPU_FAULT=N the N-th
// command of a run fails.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/StepDevice.h"
#include <cstdlib>
#include <fstream>

using namespace glow;

namespace {

/// A copy that was begun.
struct Flight {
  unsigned number; ///< of the transfer
  size_t step;
  std::vector<TensorView> buffers;
};

class NpuRunner final : public StepRunner {
public:
  NpuRunner(const StepCode &code, std::unique_ptr<KernelRunner> kernels)
      : code(code), kernels(std::move(kernels)) {
    if (const char *number = std::getenv("NPU_FAULT"))
      fault = std::strtoull(number, nullptr, 10);
  }

  Status setArena(std::span<char> given) override {
    arena = given.data();
    return Status();
  }

  Status run(size_t index, std::span<const TensorView> buffers) override {
    if (index == 0)
      timing = npu::Timing(), flights.clear();
    if (index + 1 == fault)
      return failure(Code::DeviceLost, "the chip faults at command ", fault,
                     ", '", code.steps[index].instruction, "'");
    Status status = execute(index, buffers);
    if (status.ok() && index + 1 == code.steps.size())
      report();
    return status;
  }

private:
  const StepCode &code;
  std::unique_ptr<KernelRunner> kernels;
  npu::Timing timing;
  std::map<void *, Flight> flights; ///< by their tokens
  const char *arena = nullptr;
  uint64_t fault = 0;

  Status execute(size_t index, std::span<const TensorView> buffers) {
    const std::string &name = code.steps[index].instruction;
    if (name == "npu_load" || name == "npu_store" || name == "npu_store_sum") {
      unsigned number = timing.start(transferOf(index, buffers));
      flights[buffers[1].data] = {
          number, index, {buffers.begin(), buffers.end()}};
      return Status();
    }
    if (name == "npu_wait")
      return land(buffers[0].data);
    if (name == "npu_windows" || name == "npu_product")
      compute(buffers);
    return kernels->run(index, buffers);
  }

  Status land(void *token) {
    auto found = flights.find(token);
    if (found == flights.end())
      return Status(Code::InvalidArgument, "the chip waits for no copy");
    Flight flight = std::move(found->second);
    flights.erase(found);
    timing.wait(flight.number);
    return kernels->run(flight.step, flight.buffers);
  }

  /// Loads have the tensor of the host last, others first.
  npu::Transfer transferOf(size_t index, std::span<const TensorView> buffers) {
    const Step &step = code.steps[index];
    bool goesOut = step.instruction != "npu_load";
    const TensorView &host = buffers[goesOut ? 0 : 2];
    const TensorView &chip = buffers[goesOut ? 2 : 0];
    const auto &starts = std::get<Ints>(step.attributes[0]);
    const auto &sizes = std::get<Ints>(step.attributes[1]);
    uint64_t run = host.type->bytes() / uint64_t(host.type->elements());
    uint64_t rows = 1, step_ = run, offset = 0, rowStep = 0;
    bool isWhole = true;
    for (size_t i = sizes.size(); i-- > 0;) {
      offset += uint64_t(starts[i]) * step_;
      if (isWhole)
        run *= uint64_t(sizes[i]);
      else
        rows *= uint64_t(sizes[i]);
      if (!isWhole && rowStep == 0)
        rowStep = step_;
      isWhole &= sizes[i] == host.type->shape[i];
      step_ *= uint64_t(host.type->shape[i]);
    }
    return {reinterpret_cast<uint64_t>(host.data) + offset,
            rows,
            run,
            rowStep,
            uint64_t(static_cast<const char *>(chip.data) - arena),
            step.instruction != "npu_store",
            goesOut};
  }

  /// Sums, then what is multiplied: an image and filters, or two matrices.
  void compute(std::span<const TensorView> buffers) {
    const Ints &sums = buffers[0].type->shape, &right = buffers[2].type->shape;
    auto blocks = [](int64_t count) { return uint64_t(count + 15) / 16; };
    bool isProduct = sums.size() == 2;
    int64_t depth = isProduct ? right[0] : right[1] * right[2] * right[3];
    int64_t columns = sums[1];
    int64_t rows = isProduct ? sums[0] : sums[2] * sums[3];
    bool isApart = !isProduct && right[1] != buffers[1].type->shape[1];
    timing.compute(blocks(depth) *
                           (isApart ? uint64_t(columns) : blocks(columns)) *
                           uint64_t(rows + 16) +
                       32,
                   uint64_t(depth * columns * rows));
  }

  void report() const {
    const char *path = std::getenv("NPU_REPORT");
    if (!path)
      return;
    npu::Counts counts = timing.counts();
    std::ofstream(path, std::ios::app)
        << "{\"cycles\": " << counts.cycles
        << ", \"computing\": " << counts.computing
        << ", \"waiting\": " << counts.waiting << ", \"macs\": " << counts.macs
        << ", \"bytes_in\": " << counts.bytesIn
        << ", \"bytes_out\": " << counts.bytesOut
        << ", \"conflicts\": " << counts.conflicts
        << ", \"page_misses\": " << counts.pageMisses << "}\n";
  }
};

class NpuDevice final : public StepDevice {
public:
  explicit NpuDevice(const DeviceOptions &options)
      : StepDevice("npu", options) {}

private:
  Result<std::unique_ptr<StepRunner>> prepare(const StepCode &code) override {
    Result<std::unique_ptr<KernelRunner>> kernels =
        KernelRunner::create(code, backendName());
    if (!kernels)
      return kernels.status();
    return std::unique_ptr<StepRunner>(new NpuRunner(code, kernels.take()));
  }
};

} // namespace

[[maybe_unused]] static const bool registered = [] {
  DeviceRegistry::instance().replace(
      "npu",
      [](const DeviceOptions &options) -> Result<std::unique_ptr<Device>> {
        return std::unique_ptr<Device>(new NpuDevice(options));
      });
  return true;
}();

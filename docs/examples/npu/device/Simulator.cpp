//===- Simulator.cpp - a device that executes the chip's commands ---------===//
// SPDX-License-Identifier: MIT
//
// A copy has the effect that it began with when it is waited for: what reads
// too early, or takes its memory, would be seen. With NPU_REPORT a line of JSON
// is added to that file after each run of a program, with the counts of all of
// it and of each node; with NPU_FAULT=N the N-th command of a run fails.
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
      timing = npu::Timing(), flights.clear(), ofNodes.clear();
    if (index + 1 == fault)
      return failure(Code::DeviceLost, "the chip faults at command ", fault,
                     ", '", code.steps[index].instruction, "'");
    npu::Counts before = timing.counts();
    Status status = execute(index, buffers);
    const std::string &node = code.steps[index].node;
    if (ofNodes.empty() || ofNodes.back().first != node)
      ofNodes.push_back({node, {}});
    ofNodes.back().second.add(before, timing.counts());
    if (status.ok() && index + 1 == code.steps.size())
      report();
    return status;
  }

private:
  const StepCode &code;
  std::unique_ptr<KernelRunner> kernels;
  npu::Timing timing;
  std::map<void *, Flight> flights; ///< by their tokens
  /// Nodes in their order: a copy that begins early may be between others.
  std::vector<std::pair<std::string, npu::Counts>> ofNodes;
  const char *arena = nullptr;
  uint64_t fault = 0;

  Status execute(size_t index, std::span<const TensorView> buffers) {
    const std::string &name = code.steps[index].instruction;
    if (name == "npu_load" || name.starts_with("npu_store")) {
      unsigned number = timing.start(transferOf(index, buffers));
      flights[buffers[1].data] = {
          number, index, {buffers.begin(), buffers.end()}};
      return Status();
    }
    if (name == "npu_wait")
      return land(buffers[0].data);
    if (name == "npu_windows" || name == "npu_product")
      compute(index, buffers);
    else if (name == "npu_begin")
      timing.compute(1, 0);
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
    uint64_t element = host.type->bytes() / uint64_t(host.type->elements());
    uint64_t run = element, rows = 1, stride = element, rowStep = 0;
    bool isWhole = true;
    for (size_t i = sizes.size(); i-- > 0;) {
      if (isWhole)
        run *= uint64_t(sizes[i]);
      else
        rows *= uint64_t(sizes[i]);
      if (!isWhole && rowStep == 0)
        rowStep = stride;
      isWhole &= sizes[i] == host.type->shape[i];
      stride *= uint64_t(host.type->shape[i]);
    }
    uint64_t place = static_cast<const char *>(chip.data) - arena;
    if (!goesOut)
      place += element * elementAt(chip, std::get<Ints>(step.attributes[2]));
    return {reinterpret_cast<uint64_t>(host.data) +
                element * elementAt(host, starts),
            rows,
            run,
            rowStep,
            place,
            step.instruction != "npu_store",
            goesOut};
  }

  static uint64_t elementAt(const TensorView &tensor, const Ints &starts) {
    uint64_t element = 0;
    for (size_t i = 0; i < starts.size(); ++i)
      element = element * uint64_t(tensor.type->shape[i]) + uint64_t(starts[i]);
    return element;
  }

  /// Sums, then what is multiplied: an image and filters, or two matrices.
  void compute(size_t index, std::span<const TensorView> buffers) {
    const Ints &sums = buffers[0].type->shape, &right = buffers[2].type->shape;
    auto blocks = [](int64_t count) { return uint64_t(count + 15) / 16; };
    bool isProduct = sums.size() == 2;
    int64_t depth = isProduct ? right[0] : right[1] * right[2] * right[3];
    int64_t columns = sums[1];
    int64_t rows = isProduct ? sums[0] : sums[2] * sums[3];
    bool isApart =
        !isProduct && std::get<bool>(code.steps[index].attributes.back());
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
    std::ofstream file(path, std::ios::app);
    file << "{" << textOf(timing.counts()) << ", \"nodes\": [";
    for (size_t i = 0; i < ofNodes.size(); ++i)
      file << (i ? ", " : "") << "{\"name\": \"" << escaped(ofNodes[i].first)
           << "\", " << textOf(ofNodes[i].second) << "}";
    file << "]}\n";
  }

  static std::string textOf(const npu::Counts &counts) {
    std::string text;
    auto add = [&](const char *name, uint64_t count) {
      text += (text.empty() ? "\"" : ", \"") + std::string(name) +
              "\": " + std::to_string(count);
    };
    add("cycles", counts.cycles);
    add("computing", counts.computing);
    add("waiting", counts.waiting);
    add("copying", counts.copying);
    add("macs", counts.macs);
    add("bytes_in", counts.bytesIn);
    add("bytes_out", counts.bytesOut);
    add("conflicts", counts.conflicts);
    add("page_misses", counts.pageMisses);
    return text;
  }

  static std::string escaped(const std::string &name) {
    std::string text;
    for (char c : name) {
      if (c == '"' || c == '\\')
        text += '\\';
      text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return text;
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

//===- DeviceLoss.cpp - devices that are lost while they run --------------===//
// SPDX-License-Identifier: MIT
//
// Devices need no support for simulated losses. A wrapper device ends a run
// after its first step, overwrites the results of the step, and reports that
// the device is lost. Later requests - to unload, to load, to run - go to the
// actual device, whose last run was left in the middle.
//
//===----------------------------------------------------------------------===//

#include "DeviceLoss.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Host.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <future>
#include <thread>

using namespace glow;

namespace {

/// Whether the next run, on any device, is lost.
using NextIsLost = std::atomic<bool>;

/// Ends a run after its first step.
class EndAfterStep final : public StepObserver {
public:
  void stepDone(const StepEvent &) override { isEnded = true; }
  std::atomic<bool> isEnded = false;
};

class LosingDevice final : public Device {
public:
  LosingDevice(std::unique_ptr<Device> device, NextIsLost &nextIsLost)
      : device(std::move(device)), nextIsLost(nextIsLost) {}

  DeviceInfo info() const override { return device->info(); }
  uint64_t freeBytes() const override { return device->freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    return device->load(program);
  }
  void unload(ProgramId program) override { device->unload(program); }
  glow::Status reset() override { return device->reset(); }
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) override {
    return device->allocate(bytes);
  }

  void run(ProgramId program, Tensors &tensors,
           std::function<void(glow::Status)> done) override {
    if (!nextIsLost.exchange(false))
      return device->run(program, tensors, std::move(done));
    auto observer = std::make_shared<EndAfterStep>();
    auto ended = std::make_shared<Tensors>(tensors);
    ended->cancelled = &observer->isEnded;
    device->observe(observer);
    device->run(program, *ended,
                [this, observer, ended, done = std::move(done)](glow::Status) {
                  device->observe(nullptr);
                  for (const TensorView &output : ended->outputs)
                    if (output.data)
                      std::memset(output.data, 0x5a, output.type->bytes());
                  done(glow::Status(Code::DeviceLost, "a test lost it"));
                });
  }

private:
  const std::unique_ptr<Device> device;
  NextIsLost &nextIsLost;
};

class LossTest {
public:
  LossTest(const Program &program, llvm::ArrayRef<Tensor> inputs,
           const std::string &expected)
      : program(program), inputs(inputs), expected(expected), host(options()) {}

  std::string run(unsigned devices) {
    for (unsigned i = 0; i < devices; ++i)
      if (std::string why = addDevice(); !why.empty())
        return why;
    std::string why = serve();
    if (!why.empty())
      return why;
    nextIsLost = true;
    why = request();
    if (why.empty() && nextIsLost)
      why = "is asked for nothing";
    if (why.empty())
      why = comeBack();
    for (unsigned i = 0; i < devices && why.empty(); ++i)
      why = request();
    return why;
  }

private:
  static HostOptions options() {
    HostOptions options;
    options.backOff = std::chrono::milliseconds(1);
    return options;
  }

  std::string addDevice() {
    auto device = DeviceRegistry::instance().open(program.backend, {});
    if (!device)
      return device.status().message();
    return host
        .addDevice(std::make_shared<LosingDevice>(device.take(), nextIsLost))
        .message();
  }

  std::string serve() {
    ModelSpec spec;
    spec.name = "sample";
    spec.programs = {program};
    spec.copies = 0;
    Result<std::vector<Tensor>> canary = copies();
    if (!canary)
      return canary.status().message();
    spec.canaryInputs = canary.take();
    Result<ModelId> served = host.add(std::move(spec));
    if (!served)
      return "is not served: " + served.status().message();
    model = *served;
    return "";
  }

  Result<std::vector<Tensor>> copies() const {
    std::vector<Tensor> copies;
    for (const Tensor &input : inputs) {
      Result<Tensor> copy = Tensor::copyOf(input.view());
      if (!copy)
        return copy.status();
      copies.push_back(copy.take());
    }
    return copies;
  }

  std::string request() {
    Result<std::vector<Tensor>> given = copies();
    if (!given)
      return given.status().message();
    std::promise<std::string> answer;
    host.submit(model, given.take(), {},
                [&](glow::Status status, std::vector<Tensor> outputs) {
                  answer.set_value(whyWrong(status, outputs));
                });
    return answer.get_future().get();
  }

  std::string whyWrong(const glow::Status &status,
                       const std::vector<Tensor> &outputs) const {
    if (!status.ok())
      return "fails: " + status.message();
    std::string bytes;
    for (const Tensor &output : outputs)
      bytes.append(static_cast<const char *>(output.data()),
                   output.type().bytes());
    return bytes == expected ? "" : "gives other results";
  }

  /// Waits until the lost device has recovered, as a correct run shows.
  std::string comeBack() {
    while (true) {
      HostReport report = host.report();
      uint64_t faults = 0;
      for (const DeviceReport &device : report.devices)
        faults += device.counters.faults;
      if (faults > 1)
        return "is lost again when it is loaded again";
      if (faults == 1 && llvm::all_of(report.devices, [](auto &device) {
            return device.state == name(DeviceState::Good);
          }))
        return "";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  const Program &program;
  llvm::ArrayRef<Tensor> inputs;
  const std::string &expected;
  NextIsLost nextIsLost = false; // outlives the host, whose devices ask
  Host host;
  ModelId model{};
};

} // namespace

std::string glow::loseInTheMiddle(const Program &program,
                                  llvm::ArrayRef<Tensor> inputs,
                                  const std::string &expected) {
  for (unsigned devices : {1, 2})
    if (std::string why = LossTest(program, inputs, expected).run(devices);
        !why.empty())
      return (devices == 1 ? "lost in the middle of a run, it "
                           : "lost beside another one, it ") +
             why;
  return "";
}

//===- PinnedDevice.cpp - a device on some processors ---------------------===//
//
// A thread has the processors of the one that began it. So what a device begins
// when it is opened stays where the thread is that opens it, whatever the
// device is, and its memory is first touched, and hence lies, there as well.
//
//===----------------------------------------------------------------------===//

#include "PinnedDevice.h"
#include "glow/Runtime/Workers.h"
#include <algorithm>
#include <cstring>
#include <future>
#include <sched.h>

using namespace glow;
using namespace glow::runtime;

namespace {

class PinnedDevice final : public Device {
public:
  explicit PinnedDevice(Processors processors)
      : processors(std::move(processors)) {}
  ~PinnedDevice() override;
  Status open(const DeviceFactory &factory, const DeviceOptions &options);

  DeviceInfo info() const override;
  DeviceState state() const override { return device->state(); }
  void watch(std::function<void()> changed) override {
    device->watch(std::move(changed));
  }
  uint64_t freeBytes() const override { return device->freeBytes(); }
  Result<DeviceRates> measure() override;
  Result<ProgramId> load(const Program &program) override;
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override;
  void unload(ProgramId program) override;
  Status reset() override { return device->reset(); }
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) override {
    return device->allocate(bytes);
  }
  void observe(std::shared_ptr<StepObserver> observer) override {
    device->observe(std::move(observer));
  }

private:
  template <typename Call> auto wait(Call call) -> decltype(call());
  Status enter() const;

  const Processors processors;
  std::shared_ptr<Workers> thread = threadWorkers(1);
  std::unique_ptr<Device> device;
};

/// The device whose thread this is.
thread_local const PinnedDevice *here = nullptr;

} // namespace

/// Begins a task of the device's thread, of which there is another one in a
/// child of fork().
Status PinnedDevice::enter() const {
  if (std::exchange(here, this) == this)
    return Status();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (unsigned processor : processors)
    CPU_SET(processor, &set);
  if (::sched_setaffinity(0, sizeof set, &set) == 0)
    return Status();
  return failure(Code::InvalidArgument, "cannot stay on processors ",
                 textOf(processors), ": ", std::strerror(errno));
}

/// Calls on the device's thread, behind what it was given before, and waits; at
/// once on the thread itself, or if a child of fork() has no other thread.
template <typename Call>
auto PinnedDevice::wait(Call call) -> decltype(call()) {
  if (here == this || !thread->begin(false).ok())
    return call();
  // Shared: what sets the value may still be inside when it is read here.
  auto result = std::make_shared<std::promise<decltype(call())>>();
  thread->post([this, result, &call] {
    try {
      (void)enter();
      result->set_value(call());
    } catch (...) {
      result->set_exception(std::current_exception());
    }
  });
  return result->get_future().get();
}

Status PinnedDevice::open(const DeviceFactory &factory,
                          const DeviceOptions &options) {
  if (Status status = thread->begin(false); !status.ok())
    return status;
  auto result = std::make_shared<std::promise<Status>>();
  thread->post([this, result, &factory, &options] {
    Status status = enter();
    if (status.ok()) {
      Result<std::unique_ptr<Device>> opened = factory(options);
      status = opened.status();
      if (opened)
        device = opened.take();
    }
    result->set_value(status);
  });
  return result->get_future().get();
}

PinnedDevice::~PinnedDevice() {
  (void)wait([&] {
    device = nullptr;
    return Status();
  });
}

DeviceInfo PinnedDevice::info() const {
  DeviceInfo info = device->info();
  info.returnsAtOnce = true;
  info.processors = processors;
  return info;
}

Result<DeviceRates> PinnedDevice::measure() {
  return wait([&] { return device->measure(); });
}

Result<ProgramId> PinnedDevice::load(const Program &program) {
  return wait([&] { return device->load(program); });
}

void PinnedDevice::run(ProgramId program, Tensors &tensors,
                       std::function<void(Status)> done) {
  auto runHere = [this, program, &tensors, done = std::move(done)] {
    // Nothing on this thread can be thrown at; the second of two ends, if it is
    // one, says as much to the host.
    try {
      device->run(program, tensors, done);
    } catch (const std::exception &error) {
      done(failure(Code::DeviceLost, "threw: ", error.what()));
    } catch (...) {
      done(Status(Code::DeviceLost, "threw"));
    }
  };
  if (!thread->begin(false).ok())
    return runHere();
  thread->post([this, runHere] {
    (void)enter();
    runHere();
  });
}

void PinnedDevice::unload(ProgramId program) {
  if (here == this) // from within `done`: runs may wait that came before
    return thread->post([this, program] { device->unload(program); });
  (void)wait([&] {
    device->unload(program);
    return Status();
  });
}

Result<std::unique_ptr<Device>>
runtime::openPinned(const DeviceFactory &factory,
                    const DeviceOptions &options) {
  const Processors allowed = allowedProcessors();
  for (unsigned processor : options.processors)
    if (!std::ranges::binary_search(allowed, processor))
      return failure(
          Code::InvalidArgument, "processor ", processor,
          " is none that this process may run on: ", textOf(allowed));
  auto device = std::make_unique<PinnedDevice>(options.processors);
  if (Status status = device->open(factory, options); !status.ok())
    return status;
  return std::unique_ptr<Device>(std::move(device));
}

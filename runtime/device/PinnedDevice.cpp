//===- PinnedDevice.cpp - a device on some processors ---------------------===//
// SPDX-License-Identifier: MIT
//
// A thread inherits the processors of the thread that starts it. So the threads
// that a device starts when it is opened stay on the processors of the opening
// thread, whatever the device is. Its memory is first touched there, and hence
// lies there as well.
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

/// The device to which the current thread belongs; null on all other threads.
thread_local const PinnedDevice *here = nullptr;

} // namespace

/// Binds the current thread to the processors, in its first task. Called at the
/// begin of each task, because a child of fork() has another thread.
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

/// Makes a call on the device's thread, after the tasks that it has already,
/// and waits for it. On that thread itself, or if the system gives no thread,
/// the call is made at once.
template <typename Call>
auto PinnedDevice::wait(Call call) -> decltype(call()) {
  if (here == this || !thread->begin(false).ok())
    return call();
  // Shared: set_value() may still run when the value is read here.
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
    // No caller on this thread catches exceptions. If `done` was called before
    // the exception, the host sees a second completion, which is a fault.
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
  // Inside `done`, earlier runs may still wait in the queue of this thread: the
  // call is posted behind them.
  if (here == this)
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

//===- LoadTest.cpp - devices that do not come back from a load -----------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include <condition_variable>
#include <gtest/gtest.h>

using namespace glow;
using namespace std::chrono_literals;

namespace {

/// The interpreter, whose loads wait while it is stuck; a run of it can be its
/// last.
class StickyDevice final : public Device {
public:
  DeviceInfo info() const override { return device.info(); }
  uint64_t freeBytes() const override { return device.freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    std::unique_lock lock(mutex);
    ++loads;
    changed.notify_all();
    changed.wait(lock, [&] { return !isStuck; });
    if (isCut)
      return Status(Code::DeviceLost, "the link was cut");
    return device.load(program);
  }
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override {
    if (isLost.exchange(false))
      return done(Status(Code::DeviceLost, "it fell off"));
    device.run(program, tensors, std::move(done));
  }
  void unload(ProgramId program) override { device.unload(program); }

  void stick(bool sticks) {
    std::lock_guard lock(mutex);
    isStuck = sticks;
    changed.notify_all();
  }
  void waitForLoads(int count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return loads >= count; });
  }
  int countOfLoads() {
    std::lock_guard lock(mutex);
    return loads;
  }

  std::atomic<bool> isLost = false;
  std::atomic<bool> isCut = false; ///< while it loads

private:
  InterpreterDevice device;
  std::mutex mutex;
  std::condition_variable changed;
  bool isStuck = false;
  int loads = 0;
};

class Load : public testing::Test {
protected:
  static HostOptions options() {
    HostOptions options;
    options.hangFactor = 1000;
    options.loadLimit = 20ms;
    options.backOff = 1ms;
    return options;
  }

  void TearDown() override { device->stick(false); }

  Result<ModelId> add() {
    ModelSpec spec;
    spec.name = "add";
    spec.copies = 0;
    spec.programs.push_back(addTwice(3));
    return host.add(std::move(spec));
  }

  Status run(ModelId model) {
    std::vector<Tensor> inputs;
    inputs.push_back(tensorOf<float>({1, 2, 3}));
    Event isDone;
    Status result;
    host.submit(model, std::move(inputs), {},
                [&](Status status, std::vector<Tensor> outputs) {
                  if (status.ok()) {
                    EXPECT_EQ(listOf<float>(outputs[0]),
                              (std::vector<float>{21, 22, 23}));
                  }
                  result = std::move(status);
                  isDone.set();
                });
    isDone.wait();
    return result;
  }

  void waitUntil(const std::string &state) {
    while (host.report().devices[0].state != state)
      std::this_thread::sleep_for(1ms);
  }

  std::shared_ptr<StickyDevice> device = std::make_shared<StickyDevice>();
  Host host{options()};
};

} // namespace

TEST_F(Load, ADeviceThatDoesNotComeBackIsLostUntilItDoes) {
  ASSERT_TRUE(host.addDevice(device, "sticky").ok());
  device->stick(true);
  Result<ModelId> model = add();
  EXPECT_EQ(model.status().code(), Code::DeviceLost);
  EXPECT_EQ(model.status().message(),
            "device 'sticky' was lost: did not end loading in its time");
  EXPECT_EQ(host.report().devices[0].state, "lost");

  // Others serve meanwhile, and it is left alone.
  ASSERT_TRUE(
      host.addDevice(std::make_shared<InterpreterDevice>(), "other").ok());
  model = add();
  ASSERT_TRUE(model) << model.status().message();
  EXPECT_TRUE(run(*model).ok());
  EXPECT_EQ(device->countOfLoads(), 1);

  device->stick(false);
  waitUntil("good");
  model = add();
  ASSERT_TRUE(model) << model.status().message();
  EXPECT_EQ(device->countOfLoads(), 2);
}

TEST_F(Load, WhatCannotComeBackIsNotWaitedFor) {
  ASSERT_TRUE(host.addDevice(device, "sticky").ok());
  Result<ModelId> model = add();
  ASSERT_TRUE(model) << model.status().message();
  EXPECT_TRUE(run(*model).ok());

  device->stick(true);
  device->isLost = true;
  Status status = run(*model);
  EXPECT_EQ(status.code(), Code::DeviceLost);
  EXPECT_EQ(status.message(), "device 'sticky' cannot be loaded again: did not "
                              "end loading in its time");
  EXPECT_EQ(device->countOfLoads(), 2);

  device->stick(false);
  waitUntil("good");
  EXPECT_TRUE(run(*model).ok());
}

// A caller that serves a model does not wait until the device is tried again.
TEST_F(Load, AModelFailsAtOnceWithADeviceThatIsLost) {
  HostOptions patient = options();
  patient.backOff = patient.backOffMost = 24h;
  Host waits{patient};
  ASSERT_TRUE(waits.addDevice(device, "cut").ok());
  device->isCut = true;
  ModelSpec spec;
  spec.name = "add";
  spec.programs.push_back(addTwice(3));
  Result<ModelId> model = waits.add(std::move(spec));
  EXPECT_EQ(model.status().code(), Code::DeviceLost);
  EXPECT_EQ(model.status().message(),
            "device 'cut' was lost: the link was cut");
  EXPECT_EQ(waits.find("add").status().code(), Code::NotFound);
}

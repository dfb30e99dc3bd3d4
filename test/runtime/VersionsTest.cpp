//===- VersionsTest.cpp - versions of a model that follow one another -----===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include <condition_variable>
#include <future>
#include <gtest/gtest.h>

using namespace glow;

namespace {

/// The interpreter, on which the load of one program waits.
class GateDevice final : public Device {
public:
  DeviceInfo info() const override { return device.info(); }
  uint64_t freeBytes() const override { return device.freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    {
      std::unique_lock lock(mutex);
      if (program.entry == "slow") {
        isWaiting = true;
        changed.notify_all();
        changed.wait(lock, [&] { return isOpen; });
      }
    }
    return device.load(program);
  }
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override {
    device.run(program, tensors, std::move(done));
  }
  void unload(ProgramId program) override { device.unload(program); }

  void waitForSlow() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return isWaiting; });
  }
  void open() {
    std::lock_guard lock(mutex);
    isOpen = true;
    changed.notify_all();
  }

private:
  InterpreterDevice device;
  std::mutex mutex;
  std::condition_variable changed;
  bool isWaiting = false, isOpen = false;
};

class Versions : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(host.addDevice(device, "one").ok()); }
  void TearDown() override { device->open(); }

  static ModelSpec spec(const std::string &entry) {
    ModelSpec spec;
    spec.name = "add";
    spec.programs.push_back(addTwice(2));
    spec.programs.back().entry = entry;
    return spec;
  }

  Status run(ModelId model) {
    std::vector<Tensor> inputs;
    inputs.push_back(tensorOf<float>({1, 2}));
    std::promise<Status> answered;
    host.submit(model, std::move(inputs), {},
                [&](Status status, std::vector<Tensor>) {
                  answered.set_value(std::move(status));
                });
    return answered.get_future().get();
  }

  std::vector<uint64_t> served() {
    std::vector<uint64_t> versions;
    for (const ModelReport &model : host.report().models)
      if (model.state == "serving")
        versions.push_back(model.version);
    return versions;
  }

  std::shared_ptr<GateDevice> device = std::make_shared<GateDevice>();
  Host host{HostOptions{}};
};

} // namespace

// To end an old version after a newer one took its place is a tidy-up.
TEST_F(Versions, AnIdEndsTheVersionThatItWasGivenFor) {
  Result<ModelId> first = host.add(spec("main"));
  Result<ModelId> second = host.add(spec("main"));
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(run(*first).ok()); // by the second
  host.unload(*first);
  EXPECT_TRUE(run(*second).ok());
  EXPECT_TRUE(run(*first).ok());
  EXPECT_EQ(served(), std::vector<uint64_t>{2});
  host.unload(*second);
  EXPECT_EQ(run(*second).code(), Code::NotFound);
  EXPECT_EQ(run(*first).code(), Code::NotFound);
}

TEST_F(Versions, OfTwoThatLoadAtOnceTheLaterIsServed) {
  std::promise<Result<ModelId>> loaded;
  host.add(spec("slow"), [&](Result<ModelId> id) { loaded.set_value(id); });
  device->waitForSlow();
  Result<ModelId> second = host.add(spec("main"));
  ASSERT_TRUE(second) << second.status().message();
  EXPECT_EQ(served(), std::vector<uint64_t>{2});
  device->open();
  Result<ModelId> first = loaded.get_future().get();
  ASSERT_TRUE(first) << first.status().message();
  EXPECT_EQ(served(), std::vector<uint64_t>{2});
  EXPECT_EQ(*host.find("add"), *second);
  // Its requests go to the newer.
  EXPECT_TRUE(run(*first).ok());
  EXPECT_TRUE(run(*second).ok());
}

TEST_F(Versions, AnOlderOneIsServedIfTheLaterHasEnded) {
  std::promise<Result<ModelId>> loaded;
  host.add(spec("slow"), [&](Result<ModelId> id) { loaded.set_value(id); });
  device->waitForSlow();
  Result<ModelId> second = host.add(spec("main"));
  ASSERT_TRUE(second);
  host.unload(*second);
  device->open();
  Result<ModelId> first = loaded.get_future().get();
  ASSERT_TRUE(first);
  EXPECT_EQ(*host.find("add"), *first);
  EXPECT_TRUE(run(*first).ok());
}

//===- ProcessorsTest.cpp - processor lists and their devices -------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Processors.h"
#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Host.h"
#include <filesystem>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <sched.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

TEST(Processors, AreNumbersAndRanges) {
  EXPECT_EQ(parseProcessors("0"), (Processors{0}));
  EXPECT_EQ(parseProcessors("8,0-3"), (Processors{0, 1, 2, 3, 8}));
  for (const char *text : {"", ",", "0,", "1-", "-1", "3-1", "0-3,2", "1,1",
                           "0x1", " 0", "a", "0-999999999", "4096"})
    EXPECT_FALSE(parseProcessors(text)) << text;
  EXPECT_EQ(textOf(Processors{0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(textOf(Processors{}), "");
}

namespace {
/// Linux's files about a machine of two nodes, each of two cores of two units.
class Groups : public testing::Test {
protected:
  void SetUp() override {
    write("node/node0/cpulist", "0-1,4-5");
    write("node/node1/cpulist", "2-3,6-7");
    write("node/node2/cpulist", ""); // memory alone
    for (int i = 0; i < 7; ++i)      // unit 7 has no file
      write("cpu/cpu" + std::to_string(i) + "/topology/thread_siblings_list",
            std::to_string(i % 4) + "," + std::to_string(i % 4 + 4));
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const std::string &file, const std::string &text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text << "\n";
  }
  std::vector<Processors> groups(GroupBy what, const Processors &allowed) {
    return processorGroups(what, allowed, root);
  }
  const fs::path root = fs::temp_directory_path() /
                        ("glow-processors-" + std::to_string(::getpid()));
};
} // namespace

TEST_F(Groups, AreNodesOrCores) {
  const Processors all{0, 1, 2, 3, 4, 5, 6, 7};
  using Lists = std::vector<Processors>;
  EXPECT_EQ(groups(GroupBy::Nodes, all), (Lists{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  EXPECT_EQ(groups(GroupBy::Cores, all),
            (Lists{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
}

TEST_F(Groups, HaveWhatIsAllowed) {
  using Lists = std::vector<Processors>;
  EXPECT_EQ(groups(GroupBy::Nodes, {1, 4}), (Lists{{1, 4}}));
  EXPECT_EQ(groups(GroupBy::Cores, {0, 5}), (Lists{{0}, {5}}));
}

TEST_F(Groups, HaveWhatNothingIsToldOf) {
  using Lists = std::vector<Processors>;
  EXPECT_EQ(groups(GroupBy::Cores, {7, 9}), (Lists{{7}, {9}}));
  EXPECT_EQ(groups(GroupBy::Nodes, {0, 9}), (Lists{{0}, {9}}));
  fs::remove_all(root);
  EXPECT_EQ(groups(GroupBy::Nodes, {0, 1}), (Lists{{0, 1}}));
}

//===----------------------------------------------------------------------===//
// Devices on processors
//===----------------------------------------------------------------------===//

namespace {

/// Where kernels ran last, and what the next run does.
std::atomic<int> ranOn = -1;
std::atomic<bool> throws = false;

class Watched final : public StepDevice {
public:
  Watched() : StepDevice("watched") {}

private:
  struct Runner final : StepRunner {
    Status run(size_t, std::span<const TensorView> buffers) override {
      ranOn = ::sched_getcpu();
      if (throws)
        throw std::runtime_error("a fault");
      buffers[0].as<float>()[0] = buffers[1].as<float>()[0] + 1;
      return Status();
    }
  };
  Result<std::unique_ptr<StepRunner>> prepare(const StepCode &) override {
    return std::unique_ptr<StepRunner>(new Runner);
  }
};

const RegisterDevice
    watched("watched",
            [](const DeviceOptions &) -> Result<std::unique_ptr<Device>> {
              return std::unique_ptr<Device>(new Watched);
            });

/// The last processor of those allowed.
unsigned last() { return allowedProcessors().back(); }

std::unique_ptr<Device> openPinned() {
  DeviceOptions options;
  options.processors = {last()};
  return DeviceRegistry::instance().open("watched", options).take();
}

Status runOn(Device &device, ProgramId program) {
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({0});
  Tensors tensors{{x.view()}, {y.view()}};
  std::promise<Status> done;
  device.run(program, tensors, [&](Status status) { done.set_value(status); });
  return done.get_future().get();
}

} // namespace

TEST(PinnedDevice, StaysWhereItShould) {
  std::unique_ptr<Device> device = openPinned();
  EXPECT_EQ(device->info().processors, (Processors{last()}));
  EXPECT_TRUE(device->info().returnsAtOnce);
  Result<ProgramId> program = device->load(addTwice(1, "watched"));
  ASSERT_TRUE(program) << program.status().message();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(runOn(*device, *program).ok());
    EXPECT_EQ(ranOn, int(last()));
  }
  // The processors of this thread have not changed.
  EXPECT_EQ(allowedProcessors().back(), last());
  const uint64_t taken = device->freeBytes();
  device->unload(*program);
  EXPECT_GT(device->freeBytes(), taken);
  EXPECT_EQ(runOn(*device, *program).code(), Code::NotFound);
}

TEST(PinnedDevice, IsLostWhenItThrows) {
  std::unique_ptr<Device> device = openPinned();
  Result<ProgramId> program = device->load(addTwice(1, "watched"));
  throws = true;
  Status status = runOn(*device, *program);
  throws = false;
  EXPECT_EQ(status.code(), Code::DeviceLost);
  EXPECT_EQ(status.message(), "threw: a fault");
  EXPECT_TRUE(runOn(*device, *program).ok());
}

// Calls that `done` may make on the device's own thread.
TEST(PinnedDevice, IsCalledFromWithin) {
  std::unique_ptr<Device> device = openPinned();
  Result<ProgramId> program = device->load(addTwice(1, "watched"));
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({0});
  Tensors tensors{{x.view()}, {y.view()}};
  std::promise<Result<ProgramId>> other;
  device->run(*program, tensors, [&](Status) {
    device->unload(*program);
    other.set_value(device->load(addTwice(1, "watched")));
  });
  Result<ProgramId> loaded = other.get_future().get();
  ASSERT_TRUE(loaded) << loaded.status().message();
  EXPECT_TRUE(runOn(*device, *loaded).ok());
  EXPECT_EQ(runOn(*device, *program).code(), Code::NotFound);
}

TEST(PinnedDevice, IsThereInAChild) {
  std::unique_ptr<Device> device = openPinned();
  Result<ProgramId> program = device->load(addTwice(1, "watched"));
  pid_t child = ::fork();
  if (child == 0) {
    const bool isRight = runOn(*device, *program).ok() && ranOn == int(last());
    ::_exit(isRight ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(runOn(*device, *program).ok());
}

TEST(PinnedDevice, IsRefusedElsewhere) {
  DeviceOptions options;
  options.processors = {last() + 1};
  auto device = DeviceRegistry::instance().open("watched", options);
  EXPECT_EQ(device.status().code(), Code::InvalidArgument);
  EXPECT_EQ(device.status().message(),
            "processor " + std::to_string(last() + 1) +
                " is none that this process may run on: " +
                textOf(allowedProcessors()));
}

//===- SideBySideTest.cpp - runs of one program at the same time ----------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include <condition_variable>
#include <gtest/gtest.h>
#include <thread>

using namespace glow;

namespace {

/// Where runs wait for each other, or for the test.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0, wanted = 1;
  bool isOpen = false;

  /// False if the others do not come.
  bool meet() {
    std::unique_lock lock(mutex);
    ++inside;
    changed.notify_all();
    return changed.wait_for(lock, std::chrono::minutes(1),
                            [&] { return isOpen || inside >= wanted; });
  }
  void waitFor(int count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return inside >= count; });
  }
  void open() {
    std::lock_guard lock(mutex);
    isOpen = true;
    changed.notify_all();
  }
};
Meeting *meeting = nullptr;

/// test_add, after a meeting.
Status testMeet(const KernelCall &call) {
  if (!meeting->meet())
    return Status(Code::Internal, "the others did not come");
  return testAdd(call);
}

/// y = (x + w) + w, where the first sum waits.
Program meetThenAdd() {
  static const KernelEntry table[] = {{"test_meet", testMeet}};
  KernelRegistry::instance().add(table);
  Program program = addTwice(64);
  auto code = std::make_shared<StepCode>(
      *std::dynamic_pointer_cast<const StepCode>(program.code));
  code->steps[0].instruction = "test_meet";
  program.code = code;
  return program;
}

/// The tensors of one run.
struct Values {
  explicit Values(float x)
      : in(tensorOf<float>(std::vector<float>(64, x))),
        out(tensorOf<float>(std::vector<float>(64, 0))),
        tensors{{in.view()}, {out.view()}} {}
  float result() const { return out.elements<float>()[63]; }
  Tensor in, out;
  Tensors tensors;
};

/// Runs with x = 0, 1 ... on a thread each.
void runOnThreads(Device &device, ProgramId id, int count) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&device, id, t] {
      Values values{float(t)};
      device.run(id, values.tensors, [](Status status) {
        EXPECT_TRUE(status.ok()) << status.message();
      });
      EXPECT_EQ(values.result(), float(t) + 20);
    });
  for (std::thread &thread : threads)
    thread.join();
}

struct SideBySide : testing::Test {
  Meeting here;
  SideBySide() { meeting = &here; }
};

} // namespace

// Each has an arena, which is made when it is needed and then kept.
TEST_F(SideBySide, RunsMeetInOneProgram) {
  DeviceOptions options;
  options.memoryBytes = 1 << 20, options.runsAtOnce = 3;
  InterpreterDevice device("interpreter", options);
  EXPECT_EQ(device.info().programsAtOnce, 3u);
  const Program program = meetThenAdd();
  Result<ProgramId> id = device.load(program);
  ASSERT_TRUE(id) << id.status().message();
  const uint64_t free = device.freeBytes();
  runOnThreads(device, *id, 1);
  EXPECT_EQ(device.freeBytes(), free);
  here.inside = 0, here.wanted = 3;
  runOnThreads(device, *id, 3);
  EXPECT_EQ(device.freeBytes(), free - 2 * program.arenaBytes);
  runOnThreads(device, *id, 9);
  EXPECT_EQ(device.freeBytes(), free - 2 * program.arenaBytes);
  device.unload(*id);
  EXPECT_EQ(device.freeBytes(), uint64_t(1) << 20);
}

// Without memory for another arena, the runs follow each other.
TEST_F(SideBySide, RunsWaitForAnArena) {
  const Program program = meetThenAdd();
  DeviceOptions options;
  options.memoryBytes = program.constantBytes() + program.arenaBytes;
  options.runsAtOnce = 4;
  InterpreterDevice device("interpreter", options);
  Result<ProgramId> id = device.load(program);
  ASSERT_TRUE(id) << id.status().message();
  runOnThreads(device, *id, 4);
  EXPECT_EQ(here.inside, 4);
  EXPECT_EQ(device.freeBytes(), 0u);
}

// A program that is unloaded during runs stays until they are done.
TEST_F(SideBySide, UnloadWaits) {
  DeviceOptions options;
  options.memoryBytes = 1 << 20, options.runsAtOnce = 2;
  InterpreterDevice device("interpreter", options);
  Result<ProgramId> id = device.load(meetThenAdd());
  ASSERT_TRUE(id);
  here.wanted = 3; // never: it is opened
  std::thread runs([&] { runOnThreads(device, *id, 2); });
  here.waitFor(2);
  std::thread unloads([&] {
    device.unload(*id);
    EXPECT_EQ(device.freeBytes(), uint64_t(1) << 20);
  });
  here.open();
  runs.join();
  unloads.join();
}

TEST_F(SideBySide, ARunThatWaitsIsCancelled) {
  Host host;
  Result<ModelId> network = host.load(meetThenAdd());
  ASSERT_TRUE(network);
  here.wanted = here.inside + 2; // never: it is opened
  const int before = here.inside;
  Values values(1);
  RequestHandle handle;
  std::thread run([&] {
    EXPECT_EQ(host.run(*network, values.tensors, &handle).code(),
              Code::Cancelled);
  });
  here.waitFor(before + 1);
  host.cancel(handle);
  here.open();
  run.join();
  EXPECT_EQ(values.result(), 0); // the second step did not run
}

TEST_F(SideBySide, ARunIsStarted) {
  Host host;
  Result<ModelId> network = host.load(meetThenAdd());
  ASSERT_TRUE(network);
  const int before = here.inside;
  here.wanted = before + 2;
  Values values(1), other(2);
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Code> codes;
  auto done = [&](Status status) {
    std::lock_guard lock(mutex);
    codes.push_back(status.code());
    changed.notify_all();
  };
  RequestHandle first, second;
  ASSERT_TRUE(host.start(*network, values.tensors, done, first).ok());
  here.waitFor(before + 1);
  // One at a time: the second waits in the queue, and never begins.
  ASSERT_TRUE(host.start(*network, other.tensors, done, second).ok());
  host.cancel(second);
  here.open();
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return codes.size() == 2; });
  EXPECT_EQ(codes[0], Code::Cancelled);
  EXPECT_EQ(codes[1], Code::Ok);
  EXPECT_EQ(values.result(), 21);
  EXPECT_EQ(other.result(), 0);
  Values wrong(1);
  wrong.tensors.inputs.clear();
  EXPECT_EQ(host.start(*network, wrong.tensors, done, first).code(),
            Code::ShapeMismatch);
}

//===- DirectTest.cpp - runs on the threads of their callers --------------===//
// SPDX-License-Identifier: MIT
//
// A blocking run on an idle host takes no memory, and is counted, fails, is
// cancelled and survives the loss of its device as any other request.
// `tools/check.sh --tsan` runs these tests under the thread sanitiser.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include <cstdlib>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <new>
#include <semaphore>
#include <thread>

using namespace glow;

/// Calls of operator new on this thread. Sanitizers have an operator of their
/// own, and count none.
static thread_local uint64_t allocations = 0;

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace {

/// Signals between the instruction test_pause of a run and its test.
struct Pause {
  std::binary_semaphore entered{0}, mayGo{0};
};
std::atomic<Pause *> pause = nullptr;

Status testPause(const KernelCall &call) {
  if (Pause *at = pause) {
    at->entered.release();
    at->mayGo.acquire();
  }
  return testAdd(call);
}

Status testThrow(const KernelCall &) { throw std::runtime_error("no chip"); }

/// y = x + 20, whose first step is another instruction.
Program addWith(const char *instruction, Kernel kernel) {
  const KernelEntry table[] = {{instruction, kernel}};
  KernelRegistry::instance().add(table);
  Program program = addTwice(4);
  auto code = std::make_shared<StepCode>(
      *std::dynamic_pointer_cast<const StepCode>(program.code));
  code->steps[0].instruction = instruction;
  program.code = code;
  return program;
}

Program pauseThenAdd() { return addWith("test_pause", testPause); }

/// The tensors of a run.
struct Values {
  explicit Values(float x)
      : in(tensorOf<float>(std::vector<float>(4, x))),
        out(tensorOf<float>(std::vector<float>(4, 0))),
        tensors{{in.view()}, {out.view()}} {}
  float result() const { return out.elements<float>()[3]; }
  Tensor in, out;
  Tensors tensors;
};

/// The interpreter, which is lost in its next run if the test says so.
class FragileDevice final : public Device, public DirectDevice {
public:
  DeviceInfo info() const override { return device.info(); }
  uint64_t freeBytes() const override { return device.freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    return device.load(program);
  }
  void unload(ProgramId program) override { device.unload(program); }
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override {
    done(runHere(program, tensors));
  }
  Status runHere(ProgramId program, const Tensors &tensors) override {
    if (losses-- > 0)
      return Status(Code::DeviceLost, "the cable is out");
    return device.runHere(program, tensors);
  }

  std::atomic<int> losses = 0;

private:
  InterpreterDevice device{"interpreter"};
};

ModelCounters countersOf(const Host &host) {
  HostReport report = host.report();
  return report.models.empty() ? ModelCounters() : report.models[0].counters;
}

class Direct : public testing::Test {
protected:
  ~Direct() override { pause = nullptr; }

  /// A run that waits in its first step, on a thread of its own.
  std::future<Status> beginPaused(Values &values, Pause &at,
                                  RequestHandle *handle = nullptr) {
    pause = &at;
    std::future<Status> status =
        std::async(std::launch::async, [this, &values, handle] {
          return host.run(*model, values.tensors, handle);
        });
    at.entered.acquire();
    pause = nullptr;
    return status;
  }

  Host host;
  Result<ModelId> model = host.load(pauseThenAdd());
};

} // namespace

TEST_F(Direct, TakesNoMemory) {
  Values values(1);
  ASSERT_TRUE(host.run(*model, values.tensors).ok());
  const uint64_t before = allocations;
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(host.run(*model, values.tensors).ok());
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(values.result(), 21);
}

TEST_F(Direct, CountsAsOtherRequests) {
  Values values(1);
  constexpr uint64_t count = 7;
  for (uint64_t i = 0; i < count; ++i)
    ASSERT_TRUE(host.run(*model, values.tensors).ok());
  const HostReport report = host.report();
  const ModelCounters &counters = report.models[0].counters;
  EXPECT_EQ(counters.admitted, count);
  EXPECT_EQ(counters.answered, count);
  EXPECT_EQ(counters.runs, count);
  EXPECT_EQ(counters.rows, count);
  EXPECT_EQ(counters.padding, 0u);
  EXPECT_EQ(counters.queueTime.count(), count);
  EXPECT_EQ(counters.runTime.count(), count);
  EXPECT_GT(counters.runTime.sum().count(), 0);
  EXPECT_EQ(report.devices[0].counters.runs, count);
  EXPECT_EQ(report.devices[0].running, 0u);
}

TEST_F(Direct, IsOnTheDeviceMeanwhile) {
  Values values(1);
  Pause at;
  std::future<Status> status = beginPaused(values, at);
  const HostReport report = host.report();
  EXPECT_EQ(report.devices[0].running, 1u);
  EXPECT_EQ(report.models[0].counters.admitted, 1u);
  EXPECT_EQ(report.models[0].counters.answered, 0u);
  at.mayGo.release();
  EXPECT_TRUE(status.get().ok());
  EXPECT_EQ(countersOf(host).answered, 1u);
}

TEST_F(Direct, Fails) {
  Values bad(-1), good(1);
  Status status = host.run(*model, bad.tensors);
  EXPECT_EQ(status.code(), Code::InvalidArgument);
  EXPECT_EQ(status.message(), "node 'first': element 0 is negative");
  EXPECT_TRUE(host.run(*model, good.tensors).ok());
  const ModelCounters counters = countersOf(host);
  EXPECT_EQ(counters.admitted, 2u);
  EXPECT_EQ(counters.answered, 1u);
  EXPECT_EQ(counters.failed, 1u);
}

// The flag of the tensors, and the handle of the run that waits for it.
TEST_F(Direct, IsCancelled) {
  Values first(1), second(1);
  std::atomic<bool> cancelled = false, alsoCancelled = false;
  first.tensors.cancelled = &cancelled;
  second.tensors.cancelled = &alsoCancelled;
  RequestHandle handle, other;
  Pause at;
  std::future<Status> running = beginPaused(first, at, &handle);
  std::future<Status> waiting = std::async(std::launch::async, [&] {
    return host.run(*model, second.tensors, &other);
  });
  while (!host.report().waiting)
    std::this_thread::yield();
  alsoCancelled = true;
  host.cancel(other);
  EXPECT_EQ(waiting.get().code(), Code::Cancelled);
  cancelled = true;
  host.cancel(handle); // of no request
  at.mayGo.release();
  Status status = running.get();
  EXPECT_EQ(status.code(), Code::Cancelled);
  EXPECT_EQ(status.message(), "the request was cancelled");
  EXPECT_EQ(countersOf(host).cancelled, 2u);
  cancelled = false;
  EXPECT_TRUE(host.run(*model, first.tensors, &handle).ok());
}

TEST_F(Direct, IsCancelledBeforeItsBegin) {
  Values values(1);
  std::atomic<bool> cancelled = true;
  values.tensors.cancelled = &cancelled;
  RequestHandle handle;
  EXPECT_EQ(host.run(*model, values.tensors, &handle).code(), Code::Cancelled);
  // An observer makes it a request.
  host.observe(std::make_shared<Trace>());
  EXPECT_EQ(host.run(*model, values.tensors, &handle).code(), Code::Cancelled);
}

TEST_F(Direct, OthersFollow) {
  Values values(1);
  Pause at;
  std::future<Status> running = beginPaused(values, at);
  std::promise<Status> answered;
  std::vector<Tensor> inputs;
  inputs.push_back(tensorOf<float>(std::vector<float>(4, 2)));
  host.submit(*model, std::move(inputs), {},
              [&](Status status, std::vector<Tensor> outputs) {
                EXPECT_EQ(outputs[0].elements<float>()[0], 22);
                answered.set_value(std::move(status));
              });
  EXPECT_EQ(host.report().waiting, 1u);
  at.mayGo.release();
  EXPECT_TRUE(running.get().ok());
  EXPECT_TRUE(answered.get_future().get().ok());
}

TEST_F(Direct, KeepsWhatIsUnloaded) {
  Values values(1);
  Pause at;
  std::future<Status> running = beginPaused(values, at);
  host.unload(*model);
  EXPECT_EQ(host.report().models.size(), 1u);
  EXPECT_EQ(host.report().devices[0].programs, 1u);
  at.mayGo.release();
  EXPECT_TRUE(running.get().ok());
  EXPECT_EQ(values.result(), 21);
  EXPECT_EQ(host.report().models.size(), 0u);
  EXPECT_EQ(host.report().devices[0].programs, 0u);
  EXPECT_EQ(host.run(*model, values.tensors).code(), Code::NotFound);
}

TEST_F(Direct, ServesThreads) {
  constexpr int threads = 4, each = 200;
  std::latch start(threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      Values values{float(t)};
      start.arrive_and_wait();
      for (int i = 0; i < each; ++i) {
        Status status = host.run(*model, values.tensors);
        ASSERT_TRUE(status.ok()) << status.message();
        ASSERT_EQ(values.result(), float(t) + 20);
      }
    });
  for (std::thread &thread : all)
    thread.join();
  EXPECT_EQ(countersOf(host).answered, uint64_t(threads * each));
}

//===----------------------------------------------------------------------===//
// Lost devices
//===----------------------------------------------------------------------===//

TEST_F(Direct, LosesADeviceThatThrows) {
  Result<ModelId> throws = host.load(addWith("test_throw", testThrow));
  ASSERT_TRUE(throws);
  Values values(1);
  Status status = host.run(*throws, values.tensors);
  EXPECT_EQ(status.code(), Code::DeviceLost);
  EXPECT_EQ(status.message(), "device 'interpreter' threw: no chip");
  EXPECT_EQ(host.report().devices[0].counters.faults, 1u);
}

TEST(DirectLoss, RunsAgain) {
  HostOptions options;
  options.backOff = std::chrono::milliseconds(1);
  Host host(options);
  auto device = std::make_shared<FragileDevice>();
  ASSERT_TRUE(host.addDevice(device).ok());
  Result<ModelId> model = host.load(addTwice(4));
  ASSERT_TRUE(model) << model.status().message();
  Values values(1);
  device->losses = 1;
  Status status = host.run(*model, values.tensors);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(values.result(), 21);
  const ModelCounters counters = countersOf(host);
  EXPECT_EQ(counters.admitted, 1u);
  EXPECT_EQ(counters.answered, 1u);
  EXPECT_EQ(counters.again, 1u);
  EXPECT_EQ(counters.runs, 2u);
  EXPECT_EQ(host.report().devices[0].counters.faults, 1u);
}

TEST(DirectLoss, TwoLossesAreEnough) {
  HostOptions options;
  options.backOff = std::chrono::milliseconds(1);
  Host host(options);
  auto device = std::make_shared<FragileDevice>();
  ASSERT_TRUE(host.addDevice(device).ok());
  Result<ModelId> model = host.load(addTwice(4));
  ASSERT_TRUE(model) << model.status().message();
  Values values(1);
  device->losses = 2;
  Status status = host.run(*model, values.tensors);
  EXPECT_EQ(status.code(), Code::Poison);
  EXPECT_EQ(countersOf(host).failed, 1u);
}

TEST(DirectLoss, IsReportedWithoutPatience) {
  Host host;
  auto device = std::make_shared<FragileDevice>();
  ASSERT_TRUE(host.addDevice(device, "fragile").ok());
  Result<ModelId> model = host.load(addTwice(4));
  ASSERT_TRUE(model) << model.status().message();
  Values values(1);
  device->losses = 1;
  Status status = host.run(*model, values.tensors);
  EXPECT_EQ(status.code(), Code::DeviceLost);
  EXPECT_EQ(status.message(), "device 'fragile' was lost: the cable is out");
}

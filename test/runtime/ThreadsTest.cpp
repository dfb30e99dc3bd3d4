//===- ThreadsTest.cpp - a host that many threads use ---------------------===//
// SPDX-License-Identifier: MIT
//
// The headers' promises about threads. `tools/check.sh --tsan` runs these tests
// under the thread sanitiser.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Host.h"
#include <condition_variable>
#include <deque>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

using namespace glow;

namespace {

/// The interpreter on a thread of its own: `run` returns at once.
class AsynchronousDevice final : public Device {
public:
  AsynchronousDevice() : worker([this] { work(); }) {}
  ~AsynchronousDevice() override {
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    changed.notify_one();
    worker.join();
  }

  uint64_t freeBytes() const override { return device.freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    return device.load(program);
  }
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override {
    {
      std::lock_guard lock(mutex);
      tasks.push_back([this, program, &tensors, done = std::move(done)] {
        device.run(program, tensors, done);
      });
    }
    changed.notify_one();
  }
  void unload(ProgramId program) override { device.unload(program); }

private:
  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stop || !tasks.empty(); });
      if (tasks.empty())
        return;
      auto task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
      task = nullptr; // what it holds may unload a program
      lock.lock();
    }
  }

  InterpreterDevice device{"asynchronous"};
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  bool stop = false;
  std::thread worker; // last: it uses the others
};

const RegisterDevice
    registration("asynchronous",
                 [](const DeviceOptions &) -> Result<std::unique_ptr<Device>> {
                   return std::unique_ptr<Device>(new AsynchronousDevice());
                 });

template <typename Body> void onThreads(int count, Body body) {
  std::vector<std::thread> threads;
  std::latch start(count);
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      body(t);
    });
  for (std::thread &thread : threads)
    thread.join();
}

std::vector<NamedTensor> inputOf(float value) {
  std::vector<NamedTensor> list;
  list.push_back({"x", tensorOf<float>(std::vector<float>(64, value))});
  return list;
}

/// Runs on every thread, each with its own tensors.
void runOnThreads(Host &host, ModelId network) {
  onThreads(4, [&](int t) {
    std::vector<NamedTensor> inputs = inputOf(float(t)), outputs;
    for (int i = 0; i < 50; ++i) {
      Status status = host.run(network, inputs, outputs);
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(outputs[0].tensor.elements<float>()[63], float(t) + 20);
    }
  });
}

} // namespace

TEST(Threads, RunOneNetwork) {
  Host host;
  Result<ModelId> network = host.load(addTwice(64));
  ASSERT_TRUE(network);
  runOnThreads(host, *network);
}

TEST(Threads, RunOnADeviceOfItsOwnThread) {
  Host host;
  Result<ModelId> network = host.load(addTwice(64, "asynchronous"));
  ASSERT_TRUE(network) << network.status().message();
  runOnThreads(host, *network);
}

TEST(Threads, AdmitRunAndEvict) {
  Host host;
  onThreads(4, [&](int t) {
    const char *backend = t % 2 ? "interpreter" : "asynchronous";
    std::vector<NamedTensor> inputs = inputOf(float(t)), outputs;
    for (int i = 0; i < 20; ++i) {
      Result<ModelId> network = host.load(addTwice(64, backend));
      ASSERT_TRUE(network) << network.status().message();
      EXPECT_TRUE(host.run(*network, inputs, outputs).ok());
      host.unload(*network);
    }
  });
}

// A run goes on, or fails with a status; it never reads freed memory.
TEST(Threads, EvictWhileOthersRun) {
  Host host;
  for (int round = 0; round < 20; ++round) {
    Result<ModelId> network = host.load(addTwice(64, "asynchronous"));
    ASSERT_TRUE(network);
    onThreads(3, [&](int t) {
      if (t == 0)
        return host.unload(*network);
      std::vector<NamedTensor> inputs = inputOf(1), outputs;
      Status status = host.run(*network, inputs, outputs);
      EXPECT_TRUE(status.ok() || status.code() == Code::NotFound)
          << status.message();
    });
  }
}

// Runs that overlap do not hand each other's values on.
TEST(Threads, RunPartsOnTwoDevices) {
  Host host;
  Result<ModelId> network = host.load(addInParts("asynchronous"));
  ASSERT_TRUE(network);
  onThreads(4, [&](int t) {
    std::vector<NamedTensor> inputs = inputOf(float(t)), outputs;
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(host.run(*network, inputs, outputs).ok());
      EXPECT_EQ(outputs[0].tensor.elements<float>()[0], float(t) + 40);
    }
  });
}

TEST(Threads, ObserveWhileOthersRun) {
  Host host;
  Result<ModelId> network = host.load(addTwice(64));
  ASSERT_TRUE(network);
  auto trace = std::make_shared<Trace>();
  onThreads(3, [&](int t) {
    std::vector<NamedTensor> inputs = inputOf(1), outputs;
    for (int i = 0; i < 50; ++i)
      if (t == 0) {
        host.observe(i % 2 ? trace : nullptr);
        EXPECT_FALSE(trace->chromeJson().empty());
      } else {
        EXPECT_TRUE(host.run(*network, inputs, outputs).ok());
      }
  });
}

// By calls that wait for nothing, on a device that does not either.
TEST(Threads, SubmitToOneHost) {
  Host host{HostOptions()};
  Result<ModelId> model = host.load(addTwice(64, "asynchronous"));
  ASSERT_TRUE(model);
  constexpr int each = 50;
  std::latch all(4 * each);
  onThreads(4, [&](int t) {
    for (int i = 0; i < each; ++i) {
      std::vector<Tensor> inputs;
      inputs.push_back(tensorOf<float>(std::vector<float>(64, float(t))));
      host.submit(*model, std::move(inputs), {},
                  [&, t](Status status, std::vector<Tensor> outputs) {
                    EXPECT_TRUE(status.ok()) << status.message();
                    EXPECT_EQ(outputs[0].elements<float>()[0], float(t) + 20);
                    all.count_down();
                  });
    }
  });
  all.wait();
  EXPECT_EQ(host.report().models[0].counters.answered, uint64_t(4 * each));
}

//===- RemoteTest.cpp - a device behind a link that is in this process ----===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Remote.h"
#include "Helpers.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Base/Hash.h"
#include "glow/Program/Serial.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/ProgramFile.h"
#include "open/OpenPrograms.h"
#include <atomic>
#include <condition_variable>
#include <gtest/gtest.h>

using namespace glow;
using namespace std::chrono_literals;

namespace {

/// The other end of links: a server that can be ended and started again.
struct Place {
  std::mutex mutex;
  std::shared_ptr<RemoteService> service; ///< null: nothing answers
  std::atomic<bool> holdsRuns = false;    ///< their answers never come
  std::atomic<bool> holdsLoads = false;   ///< nor do those of loads
  std::atomic<unsigned> pings = 0;

  std::shared_ptr<RemoteService> get() {
    std::lock_guard lock(mutex);
    return service;
  }
  void start() {
    std::shared_ptr<RemoteService> fresh =
        deviceServer(std::make_shared<InterpreterDevice>(), "interpreter");
    std::lock_guard lock(mutex);
    service = fresh;
  }
  void kill() {
    std::shared_ptr<RemoteService> old;
    std::lock_guard lock(mutex);
    old.swap(service);
  }
};

const Status unreachable(Code::DeviceLost, "nothing answers");

class HereLink final : public Link {
public:
  explicit HereLink(std::shared_ptr<Place> place) : place(std::move(place)) {}

  void open(SessionId previous, Duration, Done<RemoteSession> done) override {
    auto service = place->get();
    service ? service->open(previous, std::move(done)) : done(unreachable);
  }
  void ping(SessionId session, uint64_t, Duration,
            Done<uint64_t> done) override {
    ++place->pings;
    auto service = place->get();
    done(service ? service->ping(session) : unreachable);
  }
  void measure(SessionId session, Done<DeviceRates> done) override {
    auto service = place->get();
    service ? service->measure(session, std::move(done)) : done(unreachable);
  }
  void load(SessionId session, const Program &program,
            const std::string &description, Done<RemoteProgram> done) override {
    auto service = place->get();
    if (!service)
      return done(unreachable);
    if (place->holdsLoads) {
      std::lock_guard lock(mutex);
      held = std::move(done);
      return;
    }
    std::string constants;
    writeBlock(program,
               [&](std::string_view bytes) { constants.append(bytes); });
    auto incoming =
        service->receive(session, description.size(), constants.size());
    if (!incoming)
      return done(incoming.status());
    HashOfParts hash;
    hash.add(description);
    hash.add(constants);
    Hash sum = hash.finish();
    (*incoming)->hash[0] = sum.high;
    (*incoming)->hash[1] = sum.low;
    // Across the border of the two, too.
    std::string all = description + constants;
    for (size_t at = 0; at < all.size(); at += 7)
      if (Status status =
              service->append(**incoming, std::string_view(all).substr(at, 7));
          !status.ok())
        return done(status);
    service->load(incoming.take(), std::move(done));
  }
  std::function<void()>
  run(SessionId session, ProgramId program, const Ints &sizes,
      const std::vector<TensorView> &inputs,
      std::function<void(Status, const Outputs &)> done) override {
    auto none = [](const std::vector<TensorView> &) { return Status(); };
    auto service = place->get();
    if (!service) {
      done(unreachable, none);
      return [] {};
    }
    auto prepared = service->prepare(session, program, sizes);
    if (!prepared) {
      done(prepared.status(), none);
      return [] {};
    }
    std::shared_ptr<ServedRun> run = prepared.take();
    for (size_t i = 0; i < inputs.size(); ++i)
      std::memcpy(run->inputs[i].data(), inputs[i].data,
                  inputs[i].type->bytes());
    if (!place->holdsRuns)
      service->start(session, program, run,
                     [run, done = std::move(done)](Status status) {
                       done(status, [&](const std::vector<TensorView> &into) {
                         for (size_t i = 0; i < into.size(); ++i)
                           std::memcpy(into[i].data, run->outputs[i].data(),
                                       into[i].type->bytes());
                         return Status();
                       });
                     });
    return [run] { run->cancelled = true; };
  }
  void unload(SessionId session, ProgramId program,
              Done<uint64_t> done) override {
    auto service = place->get();
    service ? service->unload(session, program, std::move(done))
            : done(unreachable);
  }
  void close(SessionId session) override {
    if (auto service = place->get())
      service->close(session);
  }
  void drop() override {
    Done<RemoteProgram> dropped;
    {
      std::lock_guard lock(mutex);
      dropped.swap(held);
    }
    if (dropped)
      dropped(unreachable);
  }

private:
  const std::shared_ptr<Place> place;
  std::mutex mutex;
  Done<RemoteProgram> held;
};

class Remote : public testing::Test {
protected:
  void SetUp() override {
    place->start();
    auto opened = remoteDevice(std::make_unique<HereLink>(place),
                               threadWorkers(), {1ms, 1s, 1s, 1s, 1ms});
    ASSERT_TRUE(opened) << opened.status().message();
    device = opened.take();
    device->watch([this] {
      std::lock_guard lock(mutex);
      ++changes;
      changed.notify_all();
    });
  }

  void waitFor(DeviceState state) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return device->state() == state; });
  }

  Status run(ProgramId program) {
    Tensors tensors{{x.view()}, {y.view()}};
    return runTensors(program, tensors);
  }
  Status runTensors(ProgramId program, Tensors &tensors) {
    std::unique_lock lock(mutex);
    bool isDone = false;
    Status result;
    lock.unlock();
    device->run(program, tensors, [&](Status status) {
      std::lock_guard lock(mutex);
      result = std::move(status);
      isDone = true;
      changed.notify_all();
    });
    lock.lock();
    changed.wait(lock, [&] { return isDone; });
    return result;
  }

  std::shared_ptr<Place> place = std::make_shared<Place>();
  std::mutex mutex;
  std::condition_variable changed;
  int changes = 0;
  Tensor x = tensorOf<float>({1, 2, 3}), y = tensorOf<float>({0, 0, 0});
  std::unique_ptr<Device> device; // ends first
};

} // namespace

TEST_F(Remote, LoadsRunsAndUnloads) {
  const uint64_t before = device->freeBytes();
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program) << program.status().message();
  EXPECT_LT(device->freeBytes(), before);
  Status status = run(*program);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(listOf<float>(y), (std::vector<float>{21, 22, 23}));
  device->unload(*program);
  EXPECT_EQ(run(*program).code(), Code::NotFound);
}

TEST_F(Remote, SaysWhatItIsAndHowFast) {
  const DeviceInfo there = InterpreterDevice().info();
  EXPECT_EQ(device->info().backend, "interpreter");
  EXPECT_EQ(device->info().threads, there.threads);
  EXPECT_EQ(device->info().memoryBytes, there.memoryBytes);
  Result<DeviceRates> rates = device->measure();
  ASSERT_TRUE(rates) << rates.status().message();
  EXPECT_GT(rates->linkBytesPerSecond, 0);
  EXPECT_GT(rates->linkLatencySeconds, 0);
  place->kill();
  EXPECT_EQ(device->measure().status().code(), Code::DeviceLost);
}

TEST_F(Remote, SaysWhyAStepFailed) {
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program);
  x = tensorOf<float>({1, -2, 3});
  Status status = run(*program);
  EXPECT_EQ(status.code(), Code::InvalidArgument);
  EXPECT_NE(status.message().find("element 1 is negative"), std::string::npos)
      << status.message();
}

TEST_F(Remote, RefusesWrongTensorsAndOtherBackends) {
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program);
  x = tensorOf<float>({1, 2});
  EXPECT_EQ(run(*program).code(), Code::ShapeMismatch);
  EXPECT_EQ(device->load(addTwice(3, "abacus")).status().code(),
            Code::WrongTarget);
}

TEST_F(Remote, IsLostWithItsServerAndComesBackWithoutPrograms) {
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program);
  place->kill();
  waitFor(DeviceState::Lost); // by pings alone
  EXPECT_EQ(run(*program).code(), Code::DeviceLost);
  EXPECT_EQ(device->load(addTwice(3)).status().code(), Code::DeviceLost);
  EXPECT_EQ(device->reset().code(), Code::DeviceLost);
  place->start();
  waitFor(DeviceState::Suspect);
  EXPECT_EQ(run(*program).code(), Code::NotFound);
  EXPECT_TRUE(device->reset().ok());
  EXPECT_EQ(device->state(), DeviceState::Good);
  Result<ProgramId> again = device->load(addTwice(3));
  ASSERT_TRUE(again);
  EXPECT_NE(*again, *program); // though the server counts from the start
  EXPECT_TRUE(run(*again).ok());
}

TEST_F(Remote, ARunWithoutAnAnswerEndsWithTheServer) {
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program);
  place->holdsRuns = true;
  std::atomic<int> told = 0;
  Tensors tensors{{x.view()}, {y.view()}};
  device->run(*program, tensors, [&](Status status) {
    EXPECT_EQ(status.code(), Code::DeviceLost);
    ++told;
  });
  EXPECT_EQ(told, 0);
  place->kill();
  waitFor(DeviceState::Lost);
  EXPECT_EQ(told, 1);
}

TEST_F(Remote, ALoadWithoutAnAnswerEndsInItsTime) {
  place->holdsLoads = true;
  EXPECT_EQ(device->load(addTwice(3)).status().code(), Code::DeviceLost);
  place->holdsLoads = false;
  waitFor(DeviceState::Suspect);
  EXPECT_TRUE(device->reset().ok());
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program) << program.status().message();
  EXPECT_TRUE(run(*program).ok());
}

TEST_F(Remote, AResetEndsWhatRuns) {
  Result<ProgramId> program = device->load(addTwice(3));
  ASSERT_TRUE(program);
  place->holdsRuns = true;
  std::atomic<int> told = 0;
  Tensors tensors{{x.view()}, {y.view()}};
  device->run(*program, tensors, [&](Status) { ++told; });
  EXPECT_TRUE(device->reset().ok());
  EXPECT_EQ(told, 1);
  place->holdsRuns = false;
  EXPECT_EQ(run(*program).code(), Code::NotFound);
  EXPECT_TRUE(device->load(addTwice(3)));
}

TEST_F(Remote, AHostLosesNothing) {
  Host host{HostOptions{}};
  ASSERT_TRUE(host.addDevice(std::move(device), "far").ok());
  ASSERT_TRUE(
      host.addDevice(std::make_shared<InterpreterDevice>(), "near").ok());
  ModelSpec spec;
  spec.name = "add";
  spec.copies = 0;
  spec.programs.push_back(addTwice(3));
  Result<ModelId> model = host.add(std::move(spec));
  ASSERT_TRUE(model) << model.status().message();
  constexpr int count = 400;
  std::atomic<int> right = 0, told = 0;
  for (int i = 0; i < count; ++i) {
    if (i % 100 == 50)
      place->kill();
    if (i % 100 == 80)
      place->start();
    std::vector<Tensor> inputs;
    inputs.push_back(tensorOf<float>({float(i), 1, 2}));
    host.submit(*model, std::move(inputs), {},
                [&, i](Status status, std::vector<Tensor> outputs) {
                  EXPECT_TRUE(status.ok()) << status.message();
                  right += status.ok() &&
                           outputs[0].elements<float>()[0] == float(i) + 20;
                  std::lock_guard lock(mutex);
                  ++told;
                  changed.notify_all();
                });
    std::this_thread::sleep_for(100us);
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return told == count; });
  EXPECT_EQ(right, count);
}

TEST(DeviceServer, RefusesWhatIsDamaged) {
  auto service =
      deviceServer(std::make_shared<InterpreterDevice>(), "interpreter");
  SessionId session = SessionId::None;
  std::atomic<bool> isOpen = false;
  service->open(SessionId::None, [&](Result<RemoteSession> given) {
    session = given->id;
    isOpen = true;
    isOpen.notify_one();
  });
  isOpen.wait(false);
  const Program program = addTwice(3);
  std::string bytes = describeProgram(program).take();
  const size_t described = bytes.size();
  writeBlock(program, [&](std::string_view part) { bytes.append(part); });
  auto load = [&](std::string_view given, bool isHashed) {
    auto incoming =
        service->receive(session, described, bytes.size() - described);
    if (!incoming || !service->append(**incoming, given).ok())
      return false;
    HashOfParts hash;
    hash.add(given.substr(0, described));
    hash.add(given.substr(std::min(described, given.size())));
    Hash sum = hash.finish();
    (*incoming)->hash[0] = isHashed ? sum.high : 1;
    (*incoming)->hash[1] = sum.low;
    std::atomic<int> state = 0;
    service->load(incoming.take(), [&](Result<RemoteProgram> loaded) {
      if (loaded)
        service->unload(session, loaded->id, [](Result<uint64_t>) {});
      state = loaded ? 1 : 2;
      state.notify_one();
    });
    state.wait(0);
    return state == 1;
  };
  EXPECT_TRUE(load(bytes, true));
  EXPECT_FALSE(load(bytes, false));
  EXPECT_FALSE(load(bytes + "more", true));
  EXPECT_EQ(refusedBeginnings(
                bytes, [&](std::string_view part) { return load(part, true); }),
            bytes.size());
  survivesDamage(
      bytes, [&](const std::string &damaged) { return load(damaged, true); });
  // Sizes that no memory has.
  EXPECT_FALSE(service->receive(session, uint64_t(1) << 40, 0));
  EXPECT_FALSE(service->receive(session, 1, uint64_t(1) << 60));
  EXPECT_EQ(service->ping(SessionId(uint64_t(session) + 1)).status().code(),
            Code::DeviceLost);
}

TEST_F(Remote, RunsHaveSizesOfTheirOwn) {
  Result<ProgramId> program = device->load(addOpen("N < S"));
  ASSERT_TRUE(program) << program.status().message();
  auto runOf = [&](Ints shape) {
    const TensorType type{ElementKind::F32, shape};
    Tensor b = Tensor::zeros(type).take();
    x = Tensor::zeros(type).take(), y = Tensor::zeros(type).take();
    float next = 0;
    for (float &element : x.elements<float>())
      element = next++;
    std::ranges::fill(b.elements<float>(), 5.f);
    Tensors tensors{{x.view(), b.view()}, {y.view()}};
    Status status = runTensors(*program, tensors);
    for (size_t i = 0; status.ok() && i < size_t(type.elements()); ++i)
      EXPECT_EQ(y.elements<float>()[i], float(i) + 5);
    return status;
  };
  for (const Ints &shape : {Ints{1, 2}, Ints{5, 6}, Ints{1, 2}, Ints{3, 4}})
    EXPECT_TRUE(runOf(shape).ok());
  EXPECT_EQ(runOf({4, 4}).message(),
            "sizes N = 4, S = 4: the program needs N < S [test-label]");
  EXPECT_EQ(runOf({9, 4}).message(),
            "dimension 0 of input 'x' is 9, but 'N' should be from 1 to 8");
  EXPECT_TRUE(runOf({2, 4}).ok());
}

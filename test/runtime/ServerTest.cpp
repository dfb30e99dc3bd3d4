//===- ServerTest.cpp - limits of one host on a device --------------------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Base/Hash.h"
#include "glow/Program/Serial.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Runtime/Remote.h"
#include "open/OpenPrograms.h"
#include <future>
#include <gtest/gtest.h>

using namespace glow;

namespace {

/// The interpreter, with runs that end on request.
class HeldDevice final : public Device {
public:
  DeviceInfo info() const override { return device.info(); }
  uint64_t freeBytes() const override { return device.freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    return device.load(program);
  }
  void run(ProgramId, Tensors &, std::function<void(Status)> done) override {
    std::lock_guard lock(mutex);
    held.push_back(std::move(done));
    ++begun;
    changed.notify_all();
  }
  void unload(ProgramId program) override { device.unload(program); }

  /// Waits for the n-th run to begin.
  void waitFor(size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return begun >= count; });
  }
  size_t running() {
    std::lock_guard lock(mutex);
    return held.size();
  }
  void endOne() {
    std::function<void(Status)> done;
    {
      std::lock_guard lock(mutex);
      done = std::move(held.front());
      held.erase(held.begin());
    }
    done(Status());
  }

private:
  InterpreterDevice device;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::function<void(Status)>> held;
  size_t begun = 0;
};

class Server : public testing::Test {
protected:
  template <typename T>
  static T wait(const std::function<void(std::function<void(T)>)> &call) {
    auto result = std::make_shared<std::promise<T>>();
    call([result](T value) { result->set_value(std::move(value)); });
    return result->get_future().get();
  }

  void start(ServerOptions options) {
    service = deviceServer(device, "interpreter", options);
  }
  RemoteSession open() {
    return wait<Result<RemoteSession>>(
               [&](auto done) { service->open(SessionId::None, done); })
        .take();
  }
  Result<RemoteProgram> load(SessionId session, const Program &program) {
    std::string bytes = describeProgram(program).take();
    const size_t described = bytes.size();
    writeBlock(program, [&](std::string_view part) { bytes.append(part); });
    auto incoming =
        service->receive(session, described, bytes.size() - described);
    if (!incoming)
      return incoming.status();
    EXPECT_TRUE(service->append(**incoming, bytes).ok());
    HashOfParts hash;
    hash.add(bytes);
    (*incoming)->hash[0] = hash.finish().high;
    (*incoming)->hash[1] = hash.finish().low;
    return wait<Result<RemoteProgram>>(
        [&](auto done) { service->load(incoming.take(), done); });
  }
  std::future<Status> run(SessionId session, ProgramId program) {
    auto ended = std::make_shared<std::promise<Status>>();
    auto prepared = service->prepare(session, program);
    EXPECT_TRUE(prepared) << prepared.status().message();
    if (prepared)
      service->start(session, program, prepared.take(), [ended](Status status) {
        ended->set_value(std::move(status));
      });
    return ended->get_future();
  }

  std::shared_ptr<HeldDevice> device = std::make_shared<HeldDevice>();
  std::unique_ptr<RemoteService> service; // ends first
};

} // namespace

// A message of a few bytes takes no memory for the bytes that it announces.
TEST_F(Server, ADescriptionTakesTheBytesThatCame) {
  start({});
  const SessionId session = open().id;
  auto incoming = service->receive(session, uint64_t(1) << 30, 64);
  ASSERT_TRUE(incoming) << incoming.status().message();
  EXPECT_LT((*incoming)->description.capacity(), 1u << 16);
  EXPECT_TRUE(service->append(**incoming, "some").ok());
  EXPECT_EQ((*incoming)->description, "some");
}

TEST_F(Server, ProgramsThatComeAtOnceHaveALimit) {
  ServerOptions options;
  options.mostBytes = 1000; // free
  start(options);
  const SessionId session = open().id;
  const uint64_t most = uint64_t(1) << 30, free = options.mostBytes;
  auto first = service->receive(session, most, free);
  ASSERT_TRUE(first) << first.status().message();
  auto second = service->receive(session, 1, 0);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.status().code(), Code::Overloaded);
  first->reset();
  EXPECT_TRUE(service->receive(session, most, 0));
}

TEST_F(Server, AHostHasItsShareOfTheMemory) {
  const Program program = addTwice(64);
  const uint64_t bytes = program.arenaBytes + program.constantBytes();
  ServerOptions options;
  options.mostBytes = 2 * bytes;
  start(options);
  const RemoteSession one = open(), other = open();
  EXPECT_EQ(one.freeBytes, 2 * bytes);
  auto first = load(one.id, program), second = load(one.id, program);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->freeBytes, 0u);
  EXPECT_EQ(load(one.id, program).status().code(), Code::OutOfMemory);
  EXPECT_TRUE(load(other.id, program)); // has its own
  (void)wait<Result<uint64_t>>(
      [&](auto done) { service->unload(one.id, first->id, done); });
  EXPECT_TRUE(load(one.id, program));
}

// The next run is there when one ends, and not on the device before.
TEST_F(Server, RunsWaitForTheDevice) {
  start({});
  const SessionId session = open().id;
  const ProgramId program = load(session, addTwice(3))->id;
  std::future<Status> first = run(session, program),
                      second = run(session, program);
  device->waitFor(1);
  EXPECT_EQ(device->running(), 1u);
  device->endOne();
  EXPECT_TRUE(first.get().ok());
  device->waitFor(2);
  device->endOne();
  EXPECT_TRUE(second.get().ok());
}

// A session that ends leaves nothing in the way of others.
TEST_F(Server, AClosedSessionKeepsNoRunWaiting) {
  start({});
  const SessionId gone = open().id, stays = open().id;
  const ProgramId program = load(gone, addTwice(3))->id;
  const ProgramId other = load(stays, addTwice(3))->id;
  std::future<Status> running = run(gone, program), waits = run(gone, program),
                      next = run(stays, other);
  device->waitFor(1);
  service->close(gone);
  EXPECT_EQ(waits.get().code(), Code::DeviceLost);
  device->waitFor(2);
  device->endOne();
  device->endOne();
  (void)running.get();
  EXPECT_TRUE(next.get().ok());
}

// Sizes come from a link: nothing is allocated for wrong ones.
TEST_F(Server, SizesOfARunAreThoseOfTheProgram) {
  start({});
  const SessionId session = open().id;
  const ProgramId program = load(session, addOpen()).take().id;
  const int64_t huge = int64_t(1) << 40;
  for (const Ints &sizes :
       {Ints{}, Ints{1, 2}, Ints{1, 2, 1}, Ints{1, 2, 1, 2, 1},
        Ints{9, 2, 9, 2}, Ints{1, 3, 1, 3}, Ints{1, 2, 2, 2},
        Ints{-1, 2, -1, 2}, Ints{0, 2, 0, 2}, Ints{huge, 2, huge, 2},
        Ints{1, huge, 1, huge}})
    EXPECT_EQ(service->prepare(session, program, sizes).status().code(),
              Code::ShapeMismatch);
  auto run = service->prepare(session, program, {3, 4, 3, 4});
  ASSERT_TRUE(run) << run.status().message();
  for (const Tensor *tensor :
       {&(*run)->inputs[0], &(*run)->inputs[1], &(*run)->outputs[0]})
    EXPECT_EQ(tensor->type(), (TensorType{ElementKind::F32, {3, 4}}));
  EXPECT_EQ(service->prepare(session, load(session, addTwice(3)).take().id, {3})
                .status()
                .code(),
            Code::ShapeMismatch);
}

// Tensors of a run serve the next one of its sizes; they do not become more.
TEST_F(Server, TensorsOfARunServeTheNextOne) {
  start({});
  const SessionId session = open().id;
  const ProgramId program = load(session, addOpen()).take().id;
  auto runOf = [&](const Ints &sizes) {
    std::shared_ptr<ServedRun> run =
        service->prepare(session, program, sizes).take();
    const void *memory = run->inputs[0].data();
    std::promise<void> ended;
    const size_t before = device->running();
    service->start(session, program, run, [&](Status) { ended.set_value(); });
    while (device->running() == before)
      std::this_thread::yield();
    device->endOne();
    ended.get_future().wait();
    return memory;
  };
  const void *first = runOf({2, 4, 2, 4});
  EXPECT_EQ(runOf({2, 4, 2, 4}), first);
}

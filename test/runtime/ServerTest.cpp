//===- ServerTest.cpp - limits of one host on a device --------------------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Base/Hash.h"
#include "glow/Program/Serial.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Runtime/Remote.h"
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

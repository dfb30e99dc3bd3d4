//===- SessionsTest.cpp - states that stay between runs -------------------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "../Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

using namespace glow;

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

namespace {
/// Addresses that a step has read and written, in order.
std::vector<std::pair<const void *, const void *>> *seen = nullptr;
std::mutex seenMutex;

/// The kernel test_add, with a report of its memory.
Status testSeen(const KernelCall &call) {
  if (std::lock_guard lock(seenMutex); seen)
    seen->emplace_back(call.buffers[1].data, call.buffers[0].data);
  return testAdd(call);
}
} // namespace

/// y = x + h and the next h = (h + w), with w = 10 everywhere unless given.
static Program counting(float w = 10, int64_t size = 64) {
  static const KernelEntry table[] = {{"test_seen", testSeen}};
  registerTestKernels();
  KernelRegistry::instance().add(table);
  TensorType type{ElementKind::F32, {size}};
  auto weights =
      std::make_shared<std::vector<float>>(std::vector<float>(size_t(size), w));
  auto code = std::make_shared<StepCode>();
  code->buffers = {{BufferPlace::Input, 0, 0, type, "x"},
                   {BufferPlace::Input, 1, 0, type, "h"},
                   {BufferPlace::Constant, 0, 0, type, "w"},
                   {BufferPlace::Output, 0, 0, type, "next"},
                   {BufferPlace::Output, 1, 0, type, "y"}};
  code->steps = {{"test_seen", "first", {3, 1, 2}, {1, 1, 1}, {}},
                 {"test_add", "second", {4, 0, 1}, {1, 1, 1}, {}}};
  Program program;
  program.backend = "interpreter";
  program.entry = "main";
  program.inputs = {{"x", type, {}}, {"h", type, {}}};
  program.outputs = {{"hn", type, {}}, {"y", type, {}}};
  program.constants = {{"w", type, weights->data(), weights}};
  program.code = code;
  EXPECT_TRUE(declareStates(program, {}).ok());
  return program;
}

namespace {
/// A session with its tensors, on a host.
struct Stepper {
  Stepper(Host &host, const Program &program)
      : Stepper(host, host.load(program).take(),
                SessionStates::create(program).take(), program) {}
  Stepper(Host &host, ModelId model, std::unique_ptr<SessionStates> of,
          const Program &program)
      : host(host), model(model), states(std::move(of)),
        x(Tensor::zeros(program.inputs[0].type).take()),
        y(Tensor::zeros(program.outputs[1].type).take()),
        tensors{{x.view(), {}}, {{}, y.view()}} {}

  /// The first element of y, or -1 after a failure.
  float run(float value) {
    std::ranges::fill(x.elements<float>(), value);
    Status status = states->bind(tensors);
    if (status.ok())
      status = host.run(model, tensors);
    if (!status.ok())
      return -1;
    states->advance();
    return y.elements<float>()[0];
  }
  float state() const { return *states->value(0).as<const float>(); }

  Host &host;
  ModelId model;
  std::unique_ptr<SessionStates> states;
  Tensor x, y;
  Tensors tensors;
};
} // namespace

// Two buffers take turns: what a run writes, the next one reads where it is.
TEST(Sessions, CopyNoState) {
  Host host;
  Stepper stepper(host, counting());
  std::vector<std::pair<const void *, const void *>> addresses;
  seen = &addresses;
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(stepper.run(1), float(1 + 10 * i));
  seen = nullptr;
  ASSERT_EQ(addresses.size(), 10u);
  std::set<const void *> all;
  for (size_t i = 0; i < addresses.size(); ++i) {
    all.insert({addresses[i].first, addresses[i].second});
    EXPECT_EQ(addresses[i].first, addresses[i ? i - 1 : 1].second);
  }
  EXPECT_EQ(all.size(), 2u);
  EXPECT_EQ(stepper.states->value(0).data, addresses.back().second);
}

TEST(Sessions, StayAsTheyAreWhenARunFails) {
  Host host;
  Stepper stepper(host, counting());
  EXPECT_EQ(stepper.run(1), 1);
  EXPECT_EQ(stepper.run(-1), -1);
  EXPECT_EQ(stepper.state(), 10);
  EXPECT_EQ(stepper.run(1), 11);
}

// A fork shares memory until one of the two runs, and outlives its parent.
TEST(Sessions, Fork) {
  Host host;
  const Program program = counting();
  auto parent = std::make_unique<Stepper>(host, program);
  parent->run(1);
  auto forked = [&](Stepper &of) {
    return std::make_unique<Stepper>(host, of.model, of.states->fork(),
                                     program);
  };
  auto one = forked(*parent), other = forked(*one);
  const void *shared = parent->states->value(0).data;
  EXPECT_EQ(one->states->value(0).data, shared);
  EXPECT_EQ(other->states->value(0).data, shared);
  // All three write memory of their own, also when theirs comes back.
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ(parent->run(1), float(1 + 10 * i));
    EXPECT_EQ(one->run(2), float(2 + 10 * i));
  }
  parent = nullptr;
  EXPECT_EQ(other->state(), 10);
  EXPECT_EQ(one->run(1), 41);
  one = nullptr;
  EXPECT_EQ(other->run(1), 11);
}

TEST(Sessions, AreSetAndReset) {
  Host host;
  Stepper stepper(host, counting());
  EXPECT_EQ(stepper.run(1), 1);
  Tensor value = tensorOf<float>(std::vector<float>(64, 5));
  std::unique_ptr<SessionStates> before = stepper.states->fork();
  ASSERT_TRUE(stepper.states->set(0, value.view()).ok());
  EXPECT_EQ(stepper.run(1), 6);
  ASSERT_TRUE(stepper.states->reset().ok());
  EXPECT_EQ(stepper.run(1), 1);
  EXPECT_EQ(*before->value(0).as<const float>(), 10);
  EXPECT_EQ(stepper.states->set(0, tensorOf<float>({1}).view()).message(),
            "state 'h' is f32[64], not f32[1]");
  EXPECT_EQ(stepper.states->find("hn").take(), 0u);
  EXPECT_EQ(stepper.states->find("y").status().message(),
            "the session has no state named 'y'; its states are 'h'");
}

TEST(Sessions, OfAFixedSizeDoNotGrow) {
  std::unique_ptr<SessionStates> states =
      SessionStates::create(counting()).take();
  EXPECT_EQ(states->all()[0].capacity, states->all()[0].length);
  EXPECT_EQ(states->append(0, nullptr, 1).message(),
            "state 'h' is f32[64] in all runs and has no axis that grows: "
            "nothing can be appended");
  EXPECT_EQ(states->rollback(1).code(), Code::Unsupported);
}

// Sessions of one program on threads of their own; the sanitizer looks for what
// they share.
TEST(Sessions, RunSideBySide) {
  DeviceOptions options;
  options.runsAtOnce = 4;
  Host host(options);
  const Program program = counting();
  Stepper parent(host, program);
  parent.run(1);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back(
        [&, states = std::make_shared<std::unique_ptr<SessionStates>>(
                parent.states->fork())] {
          Stepper own(host, parent.model, std::move(*states), program);
          for (int i = 1; i < 50; ++i) {
            std::unique_ptr<SessionStates> kept = own.states->fork();
            right += own.run(2) == float(2 + 10 * i) &&
                     *kept->value(0).as<const float>() == float(10 * i);
          }
        });
  for (int i = 1; i < 50; ++i)
    right += parent.run(1) == float(1 + 10 * i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 5 * 49);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
struct SavedSession : testing::Test {
  const std::string path =
      testing::TempDir() + "/" + std::to_string(::getpid()) + ".session";
  Program program = counting(10, 16);
  std::unique_ptr<SessionStates> states = SessionStates::create(program).take();
  std::string bytes;

  void SetUp() override {
    Tensor value = tensorOf<float>(std::vector<float>(16, 3));
    ASSERT_TRUE(states->set(0, value.view()).ok());
    ASSERT_TRUE(states->save(path).ok());
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_TRUE(states->reset().ok());
  }
  void TearDown() override { std::remove(path.c_str()); }

  Status restore(std::string_view changed) {
    std::ofstream(path, std::ios::binary) << changed;
    return states->restore(path);
  }
  float state() const { return states->value(0).as<const float>()[15]; }
};
} // namespace

TEST_F(SavedSession, IsRestored) {
  ASSERT_TRUE(restore(bytes).ok());
  EXPECT_EQ(state(), 3);
  std::unique_ptr<SessionStates> other =
      SessionStates::create(counting(10, 16)).take();
  ASSERT_TRUE(other->restore(path).ok());
  EXPECT_EQ(*other->value(0).as<const float>(), 3);
}

TEST_F(SavedSession, IsRefusedIncomplete) {
  const size_t refused = refusedBeginnings(
      bytes, [&](std::string_view part) { return restore(part).ok(); });
  EXPECT_EQ(refused, bytes.size());
  EXPECT_EQ(restore(bytes + "x").message(),
            "'" + path + "': it has " + std::to_string(bytes.size() + 1) +
                " bytes, it should have " + std::to_string(bytes.size()));
  EXPECT_EQ(state(), 0);
}

TEST_F(SavedSession, IsRefusedDamaged) {
  size_t refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = char(damaged[i] ^ (1 << i % 8));
    refused += !restore(damaged).ok();
  }
  EXPECT_EQ(refused, bytes.size());
  EXPECT_EQ(state(), 0);
}

TEST_F(SavedSession, IsRefusedByOtherModels) {
  auto restored = [&](const Program &program) {
    std::string message =
        SessionStates::create(program).take()->restore(path).message();
    return message.substr(message.find("wrote"));
  };
  EXPECT_EQ(restored(counting(10, 32)),
            "wrote it for another model with the states h=hn f32[16], the "
            "session has h=hn f32[32]");
  EXPECT_EQ(restored(counting(11, 16)),
            "wrote it for another model, or another compilation of it: its "
            "weights, inputs or outputs differ");
}

TEST_F(SavedSession, IsRefusedOfAnotherFormat) {
  bytes[bytes.find("1\n")] = '2';
  Status status = restore(bytes);
  EXPECT_EQ(status.code(), Code::Unsupported);
  EXPECT_NE(status.message().find("its format is 2; this is glow "),
            std::string::npos);
  EXPECT_EQ(states->restore(path + "x").code(), Code::NotFound);
  EXPECT_EQ(states->save("/nowhere/at/all").code(), Code::InvalidArgument);
}

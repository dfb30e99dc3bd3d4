//===- DeviceTest.cpp - the interpreter's device and the null device ------===//
// SPDX-License-Identifier: MIT

#include "backends/interpreter/device/Device.h"
#include "Helpers.h"
#include "Programs.h"
#include "backends/null/device/Device.h"
#include "glow/Runtime/DeviceRegistry.h"
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace glow;

static Status runOn(Device &device, ProgramId program, Tensor &x, Tensor &y) {
  Tensors tensors{{x.view()}, {y.view()}};
  Status result(Code::Internal, "done was not called");
  device.run(program, tensors, [&](Status status) { result = status; });
  return result;
}

TEST(InterpreterDevice, RunsSteps) {
  InterpreterDevice device;
  Result<ProgramId> program = device.load(addTwice(3));
  ASSERT_TRUE(program) << program.status().message();
  Tensor x = tensorOf<float>({1, 2, 3}), y = tensorOf<float>({0, 0, 0});
  Status status = runOn(device, *program, x, y);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(listOf<float>(y), (std::vector<float>{21, 22, 23}));
}

TEST(InterpreterDevice, RunsOnNoElements) {
  InterpreterDevice device;
  Result<ProgramId> program = device.load(addTwice(0));
  ASSERT_TRUE(program) << program.status().message();
  Tensor x = tensorOf<float>({}), y = tensorOf<float>({});
  EXPECT_TRUE(runOn(device, *program, x, y).ok());
}

TEST(InterpreterDevice, NamesTheNodeThatFails) {
  InterpreterDevice device;
  Result<ProgramId> program = device.load(addTwice(2));
  Tensor x = tensorOf<float>({1, -1}), y = tensorOf<float>({0, 0});
  Status status = runOn(device, *program, x, y);
  EXPECT_EQ(status.code(), Code::InvalidArgument);
  EXPECT_EQ(status.message(), "node 'first': element 1 is negative");
}

TEST(InterpreterDevice, NamesTheMissingKernel) {
  Program program = addTwice(2);
  auto code =
      std::make_shared<StepCode>(static_cast<const StepCode &>(*program.code));
  code->steps[1].instruction = "frobnicate";
  program.code = code;
  InterpreterDevice device;
  Status status = device.load(program).status();
  EXPECT_EQ(status.code(), Code::NotFound);
  EXPECT_EQ(status.message(), "node 'second': the interpreter has no kernel "
                              "for instruction 'frobnicate'");
}

TEST(InterpreterDevice, RefusesOtherPrograms) {
  InterpreterDevice device;
  EXPECT_EQ(device.load(addTwice(2, "cpu")).status().code(), Code::WrongTarget);
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({0});
  EXPECT_EQ(runOn(device, ProgramId(7), x, y).code(), Code::NotFound);
}

TEST(InterpreterDevice, RefusesOtherTensors) {
  InterpreterDevice device;
  Result<ProgramId> program = device.load(addTwice(2));
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({5, 5});
  Status status = runOn(device, *program, x, y);
  EXPECT_EQ(status.code(), Code::ShapeMismatch);
  EXPECT_EQ(status.message(), "input 'x' is f32[1], the program has f32[2]");
  EXPECT_EQ(listOf<float>(y), (std::vector<float>{5, 5}));
}

// Constants lie wherever the model's file has them.
TEST(InterpreterDevice, CopiesMisalignedAndUnownedConstants) {
  Program program = addTwice(1);
  std::vector<char> file(8);
  float ten = 10;
  std::memcpy(file.data() + 1, &ten, sizeof ten);
  program.constants[0].data = file.data() + 1;
  program.constants[0].owner = nullptr;
  InterpreterDevice device;
  Result<ProgramId> loaded = device.load(program);
  ASSERT_TRUE(loaded);
  file.assign(8, 0);
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({0});
  EXPECT_TRUE(runOn(device, *loaded, x, y).ok());
  EXPECT_EQ(listOf<float>(y), std::vector<float>{21});
}

TEST(InterpreterDevice, GivesMemoryBack) {
  InterpreterDevice device;
  uint64_t before = device.freeBytes();
  Program program = addTwice(100);
  Result<ProgramId> loaded = device.load(program);
  EXPECT_EQ(device.freeBytes(),
            before - program.constantBytes() - program.arenaBytes);
  device.unload(*loaded);
  EXPECT_EQ(device.freeBytes(), before);
}

TEST(InterpreterDevice, RefusesWhatDoesNotFit) {
  Program program = addTwice(1);
  program.arenaBytes = uint64_t(1) << 62;
  InterpreterDevice device;
  EXPECT_EQ(device.load(program).status().code(), Code::OutOfMemory);
}

TEST(InterpreterDevice, TellsItsObserver) {
  auto trace = std::make_shared<Trace>();
  InterpreterDevice device;
  device.observe(trace);
  Result<ProgramId> program = device.load(addTwice(1));
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({0});
  EXPECT_TRUE(runOn(device, *program, x, y).ok());
  std::string json = trace->chromeJson();
  EXPECT_NE(json.find("\"first\""), std::string::npos);
  EXPECT_NE(json.find("\"second\""), std::string::npos);
}

// Run this under the thread sanitiser.
TEST(InterpreterDevice, RunsFromManyThreads) {
  InterpreterDevice device;
  Result<ProgramId> program = device.load(addTwice(64));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Tensor x = tensorOf<float>(std::vector<float>(64, float(t)));
      Tensor y = tensorOf<float>(std::vector<float>(64));
      for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(runOn(device, *program, x, y).ok());
        EXPECT_EQ(y.elements<float>()[63], float(t) + 20);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(InterpreterDevice, MayBeCalledFromDone) {
  InterpreterDevice device;
  Result<ProgramId> program = device.load(addTwice(1));
  Tensor x = tensorOf<float>({1}), y = tensorOf<float>({0});
  Tensors tensors{{x.view()}, {y.view()}};
  bool called = false;
  device.run(*program, tensors, [&](Status) {
    device.unload(*program);
    called = true;
  });
  EXPECT_TRUE(called);
}

TEST(NullDevice, WritesZeros) {
  NullDevice device;
  Result<ProgramId> program = device.load(addTwice(2, "null"));
  ASSERT_TRUE(program) << program.status().message();
  Tensor x = tensorOf<float>({1, 2}), y = tensorOf<float>({5, 5});
  EXPECT_TRUE(runOn(device, *program, x, y).ok());
  EXPECT_EQ(listOf<float>(y), (std::vector<float>{0, 0}));
}

TEST(NullDevice, RunsOutOfMemory) {
  NullDevice device(1000);
  Program program = addTwice(100, "null"); // 400 of constants, 464 of arena
  Result<ProgramId> first = device.load(program);
  ASSERT_TRUE(first);
  Result<ProgramId> second = device.load(program);
  EXPECT_EQ(second.status().code(), Code::OutOfMemory);
  EXPECT_EQ(second.status().message(),
            "the program takes 864 bytes, the device has 136 free");
  device.unload(*first);
  EXPECT_TRUE(device.load(program));
}

TEST(DeviceRegistry, NamesWhatThereIs) {
  auto device = DeviceRegistry::instance().open("tpu", {});
  EXPECT_EQ(device.status().code(), Code::NotFound);
  EXPECT_EQ(device.status().message(),
            "no device is known for backend 'tpu'; there are devices for: "
            "asynchronous, interpreter, null, watched");
}

/// y = (x + 20) + 20 by two runs, between which the value stays on the device.
template <typename Device> static void runInBuffers(Device &device) {
  const std::string backend = device.info().backend;
  EXPECT_TRUE(device.info().hasBuffers);
  Result<ProgramId> program = device.load(addTwice(3, backend));
  ASSERT_TRUE(program) << program.status().message();
  const uint64_t before = device.freeBytes();
  auto buffer = device.allocate(12);
  ASSERT_TRUE(buffer) << buffer.status().message();
  EXPECT_EQ((*buffer)->bytes(), 12u);
  EXPECT_EQ(device.freeBytes(), before - 12);
  Tensor x = tensorOf<float>({1, 2, 3}), y = tensorOf<float>({0, 0, 0});
  const TensorType type = x.type();
  Status status(Code::Internal, "done was not called");
  auto keep = [&](Status given) { status = given; };
  Tensors first{{x.view()}, {{nullptr, &type}}, {nullptr}, {buffer->get()}};
  device.run(*program, first, keep);
  EXPECT_TRUE(status.ok()) << status.message();
  Tensors second{{{nullptr, &type}}, {y.view()}, {buffer->get()}, {nullptr}};
  device.run(*program, second, keep);
  EXPECT_TRUE(status.ok()) << status.message();
  if (backend != "null")
    EXPECT_EQ(listOf<float>(y), (std::vector<float>{41, 42, 43}));
  // A buffer that is too small, and more memory than the device has.
  auto small = device.allocate(8);
  ASSERT_TRUE(small);
  second.inputBuffers = {small->get()};
  device.run(*program, second, keep);
  EXPECT_EQ(status.code(), Code::ShapeMismatch);
  EXPECT_EQ(device.allocate(uint64_t(1) << 62).status().code(),
            Code::OutOfMemory);
  small->reset();
  buffer->reset();
  EXPECT_EQ(device.freeBytes(), before);
}

TEST(InterpreterDevice, KeepsValuesInBuffers) {
  InterpreterDevice device("interpreter", {.memoryBytes = 1 << 20});
  runInBuffers(device);
}

TEST(NullDevice, KeepsValuesInBuffers) {
  NullDevice device(1 << 20);
  runInBuffers(device);
}

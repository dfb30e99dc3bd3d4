//===- CallsTest.cpp - steps that call functions --------------------------===//
// SPDX-License-Identifier: MIT

#include "../Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Program/Serial.h"
#include <gtest/gtest.h>
#include <limits>

using namespace glow;

/// y = x + trips * w: a loop that carries the sum, of a number of trips that a
/// run gives.
static Program addInLoop() {
  Program program = addTwice(4);
  const TensorType type = program.inputs[0].type, number{ElementKind::I64, {}};
  auto code = std::make_shared<StepCode>();
  code->buffers = {{BufferPlace::Input, 0, 0, type, "x"},
                   {BufferPlace::Output, 0, 0, type, "y"},
                   {BufferPlace::Arena, 0, 0, type, "next"},
                   {BufferPlace::Arena, 0, 64, number, "trip"},
                   {BufferPlace::Arena, 0, 72, number, "done"},
                   {BufferPlace::Input, 1, 0, number, "trips"},
                   {BufferPlace::Constant, 0, 0, type, "w"},
                   {BufferPlace::Port, 1, 0, type, "h"},
                   {BufferPlace::Port, 2, 0, type, "sum"}};
  code->ports = {{number}, {type}, {type}};
  Step loop{"loop", "loop", {1, 4, 2, 3, 5, 0}, {2, 1, 1, 0, 1, 0, 1, 0, 0}, 4};
  loop.attributes = {std::string("body"), Ints(), Ints()};
  loop.calls = {{1, 1, {0, 1}, {2}}};
  code->steps = {loop, {"test_add", "add", {8, 7, 6}, {1, 1, 1}, 1}};
  program.inputs.push_back({"trips", number, {}});
  program.arenaBytes = 80;
  program.code = code;
  return program;
}

/// The result of a run; fails with its status.
static Result<std::vector<float>> runLoop(const Program &program,
                                          int64_t trips) {
  InterpreterDevice device;
  Result<ProgramId> id = device.load(program);
  if (!id)
    return id.status();
  std::vector<float> x = {1, 2, 3, 4}, y(4);
  Tensors tensors{
      {{x.data(), &program.inputs[0].type}, {&trips, &program.inputs[1].type}},
      {{y.data(), &program.outputs[0].type}}};
  Status status;
  device.run(*id, tensors, [&](Status done) { status = done; });
  if (!status.ok())
    return status;
  return y;
}

TEST(Calls, LoopsRunAsOftenAsARunSays) {
  const Program program = addInLoop();
  for (int64_t trips : {0, 1, 2, 7, 100}) {
    Result<std::vector<float>> y = runLoop(program, trips);
    ASSERT_TRUE(y) << y.status().message();
    for (size_t i = 0; i < 4; ++i)
      EXPECT_EQ((*y)[i], float(i + 1) + 10 * float(trips)) << trips;
  }
  EXPECT_EQ((*runLoop(program, -3))[0], 1);
}

TEST(Calls, AFailedTripNamesItsNode) {
  Program program = addInLoop();
  auto weights = std::make_shared<std::vector<float>>(4, -1.5f);
  program.constants[0].data = weights->data();
  program.constants[0].owner = weights;
  EXPECT_EQ(runLoop(program, 5).status().message(),
            "node 'add': element 0 is negative");
}

TEST(Calls, ACancelledRunEnds) {
  InterpreterDevice device;
  const Program program = addInLoop();
  Result<ProgramId> id = device.load(program);
  ASSERT_TRUE(id);
  std::vector<float> x(4), y(4);
  int64_t trips = std::numeric_limits<int64_t>::max();
  std::atomic<bool> cancelled = true;
  Tensors tensors{
      {{x.data(), &program.inputs[0].type}, {&trips, &program.inputs[1].type}},
      {{y.data(), &program.outputs[0].type}}};
  tensors.cancelled = &cancelled;
  Status status;
  device.run(*id, tensors, [&](Status done) { status = done; });
  EXPECT_EQ(status.code(), Code::Cancelled);
}

/// The message of the check after one change to a right program.
template <typename Change> static std::string messageWith(Change change) {
  Program program = addInLoop();
  auto code =
      std::make_shared<StepCode>(static_cast<const StepCode &>(*program.code));
  change(*code);
  program.code = code;
  return checkSteps(program).message();
}

TEST(Calls, PortsHaveTheTypesOfBuffers) {
  EXPECT_EQ(messageWith([](StepCode &) {}), "");
  const std::string wrong = "node 'loop': instruction 'loop' calls functions "
                            "with other parameters than its buffers";
  EXPECT_EQ(
      messageWith([](StepCode &code) { code.steps[0].calls[0].takes = {0}; }),
      wrong);
  EXPECT_EQ(
      messageWith([](StepCode &code) { code.steps[0].calls[0].gives = {9}; }),
      wrong);
  EXPECT_EQ(messageWith([](StepCode &code) {
              std::swap(code.steps[0].calls[0].takes[0],
                        code.steps[0].calls[0].takes[1]);
            }),
            wrong);
  EXPECT_EQ(
      messageWith([](StepCode &code) { code.steps[0].instruction = "if"; }),
      "node 'loop': instruction 'if' calls functions with other parameters "
      "than its buffers");
  EXPECT_EQ(messageWith(
                [](StepCode &code) { code.steps[0].attributes[2] = Ints{1}; }),
            wrong);
  EXPECT_EQ(messageWith([](StepCode &code) { code.buffers[7].index = 3; }),
            "buffer 'h' has index 3, which is past the last of its storage");
}

TEST(Calls, CallsAreATree) {
  EXPECT_EQ(
      messageWith([](StepCode &code) { code.steps[0].calls[0].first = 0; }),
      "node 'loop': instruction 'loop' calls steps 0 to 1 of 2");
  EXPECT_EQ(
      messageWith([](StepCode &code) { code.steps[0].calls[0].count = 7; }),
      "node 'loop': instruction 'loop' calls steps 1 to 8 of 2");
  EXPECT_EQ(
      messageWith([](StepCode &code) { code.steps[0].calls[0].count = 0; }),
      "step 1 of 2 is called by no step");
  EXPECT_EQ(messageWith([](StepCode &code) {
              code.steps.insert(code.steps.begin(), code.steps[0]);
              code.steps[0].calls[0].first = 2;
              code.steps[1].calls[0].first = 2;
            }),
            "node 'loop': instruction 'loop' calls step 2, which another "
            "calls");
}

TEST(Calls, TheStoredFormKeepsThem) {
  const Program program = addInLoop();
  const auto &code = static_cast<const StepCode &>(*program.code);
  ProgramCalls calls = callsOf(code);
  ByteWriter writer;
  writer(calls);
  const std::string bytes = writer.take();
  ProgramCalls read;
  ByteReader reader(bytes);
  reader(read);
  ASSERT_TRUE(reader.ok());
  StepCode other = code;
  other.ports.clear();
  other.steps[0].calls.clear();
  ASSERT_TRUE(setCalls(read, other));
  EXPECT_EQ(other.steps[0].calls[0].takes, code.steps[0].calls[0].takes);
  EXPECT_EQ(other.ports.size(), code.ports.size());
  other.steps.pop_back();
  EXPECT_FALSE(setCalls(read, other));
}

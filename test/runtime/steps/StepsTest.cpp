//===- StepsTest.cpp - checks of a program made of steps ------------------===//
// SPDX-License-Identifier: MIT

#include "../Programs.h"
#include "glow/Program/CallCheck.h"
#include <gtest/gtest.h>

using namespace glow;

/// The message of the check after one change to a right program.
template <typename Change> static std::string messageWith(Change change) {
  Program program = addTwice(4);
  auto code =
      std::make_shared<StepCode>(static_cast<const StepCode &>(*program.code));
  change(program, *code);
  program.code = code;
  return checkSteps(program).message();
}

TEST(Steps, RightProgramPasses) {
  EXPECT_EQ(messageWith([](Program &, StepCode &) {}), "");
}

TEST(Steps, BuffersStayInTheArena) {
  EXPECT_EQ(messageWith(
                [](Program &program, StepCode &) { program.arenaBytes = 79; }),
            "buffer 'sum' ends at byte 64 + 16 of an arena of 79 bytes");
  EXPECT_NE(messageWith([](Program &, StepCode &code) {
              code.buffers[2].offset = ~uint64_t(0) - 8;
            }),
            "");
  EXPECT_EQ(messageWith(
                [](Program &, StepCode &code) { code.buffers[2].offset = 2; }),
            "buffer 'sum' starts at byte 2, which is no multiple of its "
            "element's size");
}

TEST(Steps, BuffersMatchTheirStorage) {
  EXPECT_EQ(messageWith([](Program &program, StepCode &) {
              program.outputs[0].type.shape = {3};
            }),
            "buffer 'y' has the type f32[4] from byte 0 on, its storage is "
            "f32[3]");
  EXPECT_EQ(messageWith([](Program &, StepCode &code) {
              code.buffers[0].type.kind = ElementKind::I64;
              code.buffers[0].type.shape = {2};
            }),
            "buffer 'x' has the type i64[2] from byte 0 on, its storage is "
            "f32[4]");
  EXPECT_EQ(
      messageWith([](Program &, StepCode &code) { code.buffers[0].index = 1; }),
      "buffer 'x' has index 1, which is past the last of its storage");
  EXPECT_EQ(messageWith([](Program &, StepCode &code) {
              code.buffers[0].type.shape = {-1};
            }),
            "buffer 'x' has the type f32[?], whose size is not known");
}

// A buffer within an input or output must end there.
TEST(Steps, PartsStayInTheirStorage) {
  auto atByte = [](uint64_t offset) {
    return messageWith([=](Program &, StepCode &code) {
      code.buffers[3].type.shape = {2};
      code.buffers[3].offset = offset;
    });
  };
  EXPECT_EQ(atByte(8), "");
  EXPECT_EQ(atByte(12), "buffer 'y' has the type f32[2] from byte 12 on, its "
                        "storage is f32[4]");
  EXPECT_EQ(atByte(6), "buffer 'y' starts at byte 6, which is no multiple of "
                       "its element's size");
  EXPECT_NE(atByte(~uint64_t(0) - 7), "");
}

// A reshape is another view of the same bytes.
TEST(Steps, ShapesMayDiffer) {
  EXPECT_EQ(messageWith([](Program &, StepCode &code) {
              code.buffers[0].type.shape = {2, 2};
            }),
            "");
}

TEST(Steps, SegmentsCountBuffers) {
  EXPECT_EQ(messageWith([](Program &, StepCode &code) {
              code.steps[1].segments = {1, 1};
            }),
            "node 'second': instruction 'test_add' has 3 buffers, its segments "
            "have 2");
  EXPECT_EQ(messageWith([](Program &, StepCode &code) {
              code.steps[0].buffers[0] = 9;
            }),
            "node 'first': instruction 'test_add' names buffer 9 of 4");
}

namespace glow::kernels {
enum class Side : int64_t { Left, Right };
inline constexpr const char *wordsOfSide[] = {"left", "right"};
constexpr auto &wordsOf(Side) { return wordsOfSide; }

/// As ClassGen writes them.
struct MixCall {
  template <typename Visitor> static void members(Visitor &&visitor) {
    visitor.template member<CallView::Buffer>("out");
    visitor.template member<CallView::MaybeBuffer>("bias");
    visitor.template member<CallView::Buffers>("ins");
    visitor.template member<CallView::IntList>("strides");
    visitor.template member<Side>("side");
    visitor.template member<bool>("exact");
  }
};
} // namespace glow::kernels

// A file may say anything of a call that it has.
TEST(Steps, CallsAreThoseOfTheRecord) {
  static const KernelEntry table[] = {
      {"test_mix", testAdd, kernels::checked<kernels::MixCall>}};
  KernelRegistry::instance().add(table);
  auto message = [](std::vector<int32_t> segments,
                    std::vector<AttributeValue> attributes) {
    return messageWith([&](Program &, StepCode &code) {
      code.steps[1] = {"test_mix", "second", {3, 2, 1},
                       segments,   1,        attributes};
    });
  };
  const std::string mix = "node 'second': instruction 'test_mix' ";
  const Ints strides = {1, 1};
  const int64_t right = 1;
  EXPECT_EQ(message({1, 0, 2}, {strides, right, true}), "");
  EXPECT_EQ(message({1, 0, 2}, {2.5, right, true}),
            mix + "has a real number for 'strides', not integers");
  EXPECT_EQ(message({1, 0, 2}, {strides, std::string("right"), true}),
            mix + "has a text for 'side', not an integer");
  EXPECT_EQ(message({1, 0, 2}, {strides, int64_t(2), true}),
            mix + "has word 2 for 'side', of which there are 2");
  EXPECT_EQ(message({1, 0, 2}, {strides, right}),
            mix + "has 2 attributes, not 3");
  EXPECT_EQ(message({1, 2}, {strides, right, true}),
            mix + "has 2 buffers for 'bias', not 0 or 1");
  EXPECT_EQ(message({1, 0, 2, 0}, {strides, right, true}),
            mix + "has 4 operands, not 3");
  EXPECT_EQ(message({0, 1, 2}, {strides, right, true}),
            mix + "has 0 buffers for 'out', not 1");
}

TEST(Steps, ConstantsHaveData) {
  EXPECT_EQ(messageWith([](Program &program, StepCode &) {
              program.constants[0].data = nullptr;
            }),
            "constant 'w' has no data");
}

TEST(Steps, OtherCodeIsRefused) {
  Program program = addTwice(4);
  program.code = nullptr;
  EXPECT_EQ(checkSteps(program).message(), "program 'main' has no steps");
}

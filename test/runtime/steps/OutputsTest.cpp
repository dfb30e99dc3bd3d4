//===- OutputsTest.cpp - outputs that are complete before a run ends ------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "../Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Program/LastUses.h"
#include "glow/Runtime/Host.h"
#include "lib/driver/Trainer/SharedValues.h"
#include <gtest/gtest.h>

using namespace glow;

/// Kernels that have run, and the error of those that follow.
static int kernels = 0;
static bool isFailing = false;

static Status countedAdd(const KernelCall &call) {
  if (isFailing && kernels)
    return Status(Code::InvalidArgument, "it fails");
  ++kernels;
  return testAdd(call);
}

/// late = x + 10, early = x + 10, last = late + 10, by steps in this order.
/// `late` is read by the last step.
static Program threeOutputs() {
  static const KernelEntry table[] = {{"counted_add", countedAdd}};
  KernelRegistry::instance().add(table);
  kernels = 0, isFailing = false;
  Program program = addTwice(4);
  const TensorType type = program.inputs.front().type;
  auto code = std::make_shared<StepCode>();
  code->buffers = {{BufferPlace::Input, 0, 0, type, "x"},
                   {BufferPlace::Constant, 0, 0, type, "w"},
                   {BufferPlace::Output, 0, 0, type, "late"},
                   {BufferPlace::Output, 1, 0, type, "early"},
                   {BufferPlace::Output, 2, 0, type, "last"}};
  for (std::vector<uint32_t> buffers :
       {std::vector<uint32_t>{2, 0, 1}, {3, 0, 1}, {4, 2, 1}})
    code->steps.push_back({"counted_add", "n", buffers, {1, 1, 1}, 1});
  program.outputs = {
      {"late", type, {}}, {"early", type, {}}, {"last", type, {}}};
  program.code = code;
  return program;
}

TEST(Outputs, LastUsesAreInTheOrderOfTheSteps) {
  Program program = threeOutputs();
  auto code =
      std::make_shared<StepCode>(static_cast<const StepCode &>(*program.code));
  using Uses = std::vector<LastUse>;
  EXPECT_EQ(lastUses(*code), (Uses{{1, 1}, {2, 0}, {2, 2}}));
  // The steps of a function count as the step that calls it.
  code->steps[0].calls = {{2, 1, {}, {}}};
  EXPECT_EQ(lastUses(*code), (Uses{{0, 0}, {0, 2}, {1, 1}}));
}

namespace {
struct Reported {
  size_t output;
  int kernels; ///< that had run
  bool operator==(const Reported &) const = default;
};
} // namespace

TEST(Outputs, AreReportedInTheRun) {
  Host host;
  Result<ModelId> model = host.load(threeOutputs());
  ASSERT_TRUE(model) << model.status().message();
  Tensor x = tensorOf<float>({1, 2, 3, 4});
  std::vector<Tensor> results;
  Tensors tensors{{x.view()}, {}};
  for (int i = 0; i < 3; ++i)
    results.push_back(tensorOf<float>({0, 0, 0, 0}));
  for (const Tensor &result : results)
    tensors.outputs.push_back(result.view());
  std::vector<Reported> reported;
  const std::function<void(size_t)> done = [&](size_t output) {
    reported.push_back({output, kernels});
    // The caller may write the memory: no later step reads it.
    tensors.outputs[output].as<float>()[0] += 100;
  };
  tensors.outputDone = &done;
  Status status = host.run(*model, tensors);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(reported, (std::vector<Reported>{{1, 2}, {0, 3}, {2, 3}}));
  EXPECT_EQ(listOf<float>(results[0]), (std::vector<float>{111, 12, 13, 14}));
  EXPECT_EQ(listOf<float>(results[2]), (std::vector<float>{121, 22, 23, 24}));

  reported.clear();
  tensors.outputDone = nullptr;
  EXPECT_TRUE(host.run(*model, tensors).ok());
  EXPECT_TRUE(reported.empty());
}

//===----------------------------------------------------------------------===//
// The values that the processes of a training share
//===----------------------------------------------------------------------===//

namespace {
/// Two processes with the same values.
class Twins final : public ProcessGroup {
public:
  unsigned rank() const override { return 0; }
  unsigned count() const override { return 2; }
  Status begin(std::span<const TensorView> tensors) override {
    for (const TensorView &tensor : tensors) {
      begun.push_back(kernels);
      waiting.push_back(tensor);
    }
    return Status();
  }
  Status finish() override {
    for (const TensorView &tensor : waiting)
      for (int64_t i = 0; i < tensor.type->elements(); ++i)
        if (tensor.type->kind == ElementKind::F32)
          tensor.as<float>()[i] *= 2;
    waiting.clear();
    return Status();
  }
  std::vector<int> begun; ///< by sum: the kernels that had run
  std::vector<TensorView> waiting;
};

/// Gradients of "early" and "last", which an update takes.
struct SharedTest : testing::Test {
  void SetUp() override {
    Program first = threeOutputs(), second = addTwice(4);
    second.inputs[0].name = "early";
    for (const char *name : {"last", "momentum"})
      second.inputs.push_back({name, second.inputs[0].type, {}});
    second.states = {{{"momentum", "y"}}};
    auto opened = SessionStates::create(
        std::vector{static_cast<const Program *>(&first),
                    static_cast<const Program *>(&second)});
    ASSERT_TRUE(opened) << opened.status().message();
    states = opened.take();
    for (auto [program, place] :
         {std::pair(&first, &backward), std::pair(&second, &update)}) {
      auto loaded = StepProgram::load(host, *program, *states,
                                      place == &backward ? 0 : 1);
      ASSERT_TRUE(loaded) << loaded.status().message();
      *place = std::make_unique<StepProgram>(loaded.take());
    }
    auto made = SharedValues::create(group, *backward, *update, *states, {});
    ASSERT_TRUE(made) << made.status().message();
    shared = made.take();
    twins.begun.clear(); // of the order
    std::ranges::fill(backward->inputs.at("x").elements<float>(), 1.0f);
  }
  Host host;
  Twins twins;
  Group group{&twins};
  std::unique_ptr<SessionStates> states;
  std::unique_ptr<StepProgram> backward, update;
  std::unique_ptr<SharedValues> shared;
};
} // namespace

TEST_F(SharedTest, SumsBeginWhileTheRunGoesOn) {
  Status status = shared->run(host, *states, 0.5);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(twins.begun, (std::vector<int>{2, 3}));
  EXPECT_TRUE(twins.waiting.empty());
  ASSERT_TRUE(shared->take(*states).ok());
  EXPECT_EQ(listOf<float>(update->inputs.at("early")),
            (std::vector<float>{11, 11, 11, 11}));
  EXPECT_EQ(listOf<float>(update->inputs.at("last")),
            (std::vector<float>{21, 21, 21, 21}));
}

TEST_F(SharedTest, AllSumsBeginAlsoWhereARunFails) {
  isFailing = true;
  Status status = shared->run(host, *states, 0.5);
  EXPECT_NE(status.message().find("it fails"), std::string::npos);
  EXPECT_EQ(twins.begun.size(), 2u);
  // A process without rows adds zeros, also where its memory has others.
  twins.begun.clear();
  ASSERT_TRUE(shared->run(host, *states, 0).ok());
  EXPECT_EQ(twins.begun.size(), 2u);
  ASSERT_TRUE(shared->take(*states).ok());
  EXPECT_EQ(listOf<float>(update->inputs.at("last")),
            (std::vector<float>{0, 0, 0, 0}));
}

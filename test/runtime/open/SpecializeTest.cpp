//===- SpecializeTest.cpp - programs of sizes that come often -------------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "OpenPrograms.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Program/SizeValues.h"
#include "glow/Session/ModelRunner.h"
#include "glow/Session/Specializer.h"
#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace glow;

namespace {

/// The compilations of a model, by any of its sessions.
struct Compilations {
  std::atomic<unsigned> ofRanges = 0, ofOneSize = 0, refused = 0;
  std::atomic<bool> refuses = false; ///< programs of one size
};

/// A model y = x + b on f32[N,S].
class AddSession final : public Session {
public:
  explicit AddSession(Compilations &counts) : counts(counts) {
    theInputs = symbolicBindings(addOpen().inputs);
    for (Binding &input : theInputs)
      input.dimensions = {"N", "S"};
    theOutputs = theInputs;
  }
  Result<std::unique_ptr<Session>> another() const override {
    return std::unique_ptr<Session>(new AddSession(counts));
  }
  Result<Program> compile(const CompileRequest &request) override {
    Program program = addOpen();
    if (!request.sizes.empty()) {
      ++counts.ofRanges;
      return program;
    }
    if (counts.refuses) {
      ++counts.refused;
      return Status(Code::Reported, "refused");
    }
    ++counts.ofOneSize;
    return ofOneSize(std::move(program), request.shapes.at("x"));
  }
  std::shared_ptr<Specializer>
  specializer(const CompileRequest &request,
              std::vector<Constant> kept) override {
    return std::make_shared<Specializer>(*this, request, std::move(kept));
  }
  Result<std::unique_ptr<StagedModel>> stages(const CompileRequest &,
                                              Host &) override {
    return none();
  }
  Result<std::string> print(const CompileRequest &, std::string_view,
                            bool) override {
    return none();
  }
  Result<Explanation> explain(const CompileRequest &, bool) override {
    return none();
  }
  Status withRefusedNodes(const Status &status) const override {
    return status;
  }

private:
  static Status none() { return Status(Code::Unsupported, "not here"); }
  static Program ofOneSize(Program program, const Ints &shape) {
    auto code = std::make_shared<StepCode>(
        *std::dynamic_pointer_cast<const StepCode>(program.code));
    for (auto *list : {&program.inputs, &program.outputs})
      for (Binding &binding : *list)
        binding.type.shape = shape, binding.lengths.clear();
    for (BufferPlace &buffer : code->buffers)
      buffer.type.shape = shape, buffer.lengths.clear();
    program.code = code;
    return program;
  }

  Compilations &counts;
};

/// A runner of the model, which looks at its results.
class Specializing : public ::testing::Test {
protected:
  void start(Specialize when) {
    CompileRequest request;
    request.backend = "interpreter";
    request.sizes = {{"N", 1, 8, 1}, {"S", 2, 6, 2}};
    request.specialize = when;
    runner = std::make_unique<ModelRunner>(std::make_shared<AddSession>(counts),
                                           request);
    ASSERT_TRUE(
        runner->host().addDevice(std::make_shared<InterpreterDevice>()).ok());
  }
  void run(int64_t rows, int64_t columns) {
    const TensorType type{ElementKind::F32, {rows, columns}};
    Tensor x = Tensor::zeros(type).take(), b = Tensor::zeros(type).take();
    for (int64_t i = 0; i < type.elements(); ++i) {
      static_cast<float *>(x.data())[i] = float(i);
      static_cast<float *>(b.data())[i] = 100;
    }
    std::vector<NamedValue> inputs, outputs;
    inputs.push_back({"x", std::move(x)});
    inputs.push_back({"b", std::move(b)});
    Status status = runner->prepare(inputs);
    ASSERT_TRUE(status.ok()) << status.message();
    status = runner->runPrepared(inputs, outputs);
    ASSERT_TRUE(status.ok()) << status.message();
    const Tensor &y = *outputs[0].value.tensor();
    ASSERT_EQ(y.type(), type);
    for (int64_t i = 0; i < type.elements(); ++i)
      ASSERT_EQ(static_cast<const float *>(y.data())[i], float(i + 100));
  }
  /// Runs until as many programs of one size serve.
  void runUntil(unsigned programs, int64_t rows, int64_t columns) {
    while (runner->specialized() < programs && !HasFatalFailure())
      run(rows, columns);
  }

  Compilations counts;
  std::unique_ptr<ModelRunner> runner;
};

TEST_F(Specializing, isOffByDefault) {
  start(CompileRequest().specialize);
  for (unsigned i = 0; i < 1000; ++i)
    run(2, 4);
  EXPECT_EQ(counts.ofRanges, 1u);
  EXPECT_EQ(counts.ofOneSize, 0u);
}

TEST_F(Specializing, lazilyTakesTheSizesThatComeOften) {
  start(Specialize::Lazy);
  for (unsigned i = 0; i < 15; ++i) {
    run(2, 4);
    run(int64_t(1 + i % 8), 2);
  }
  EXPECT_EQ(counts.ofOneSize, 0u);
  runUntil(1, 2, 4);
  for (unsigned i = 0; i < 1000; ++i)
    run(2, 4);
  EXPECT_EQ(counts.ofRanges, 1u);
  EXPECT_EQ(counts.ofOneSize, 1u);
  EXPECT_EQ(runner->specialized(), 1u);
}

TEST_F(Specializing, eagerlyTakesEachSize) {
  start(Specialize::Eager);
  runUntil(1, 2, 4);
  runUntil(2, 3, 4);
  EXPECT_EQ(counts.ofRanges, 1u);
  EXPECT_EQ(counts.ofOneSize, 2u);
}

TEST_F(Specializing, hasAFewProgramsForManySizes) {
  start(Specialize::Eager);
  std::minstd_rand random(1);
  for (unsigned after = 0; after < 1000 && !HasFatalFailure();
       after += runner->specialized() == 8)
    run(int64_t(1 + random() % 8), int64_t(2 + 2 * (random() % 3)));
  EXPECT_EQ(counts.ofRanges, 1u);
  EXPECT_EQ(counts.ofOneSize, 8u);
  EXPECT_EQ(runner->specialized(), 8u);
}

TEST_F(Specializing, goesOnWithoutAProgramThatIsRefused) {
  counts.refuses = true;
  start(Specialize::Eager);
  while (!counts.refused)
    run(2, 4);
  for (unsigned i = 0; i < 1000; ++i)
    run(2, 4);
  EXPECT_EQ(counts.refused, 1u);
  EXPECT_EQ(counts.ofRanges, 1u);
  EXPECT_EQ(runner->specialized(), 0u);
}

TEST_F(Specializing, mayEndWhileItCompiles) {
  for (unsigned i = 0; i < 100; ++i) {
    start(Specialize::Eager);
    run(2, 4);
  }
  EXPECT_EQ(counts.ofRanges, 100u);
}

/// A constant of the same element everywhere.
Constant constantOf(int64_t size, float element) {
  const TensorType type{ElementKind::F32, {size}};
  auto tensor = std::make_shared<Tensor>(Tensor::zeros(type).take());
  std::fill_n(static_cast<float *>(tensor->data()), size, element);
  return {"w", type, tensor->data(), tensor};
}

TEST(ShareConstants, takesTheMemoryOfEqualOnes) {
  const std::vector<Constant> kept = {constantOf(4096, 1), constantOf(4096, 2),
                                      constantOf(4, 3)};
  Program program;
  program.constants = {constantOf(4096, 2), constantOf(4096, 3),
                       constantOf(2048, 2), constantOf(4, 3)};
  const std::weak_ptr<const void> old = program.constants[0].owner;
  EXPECT_EQ(shareConstants(program, kept), 4096u * 4);
  EXPECT_EQ(program.constants[0].data, kept[1].data);
  EXPECT_EQ(program.constants[0].owner, kept[1].owner);
  EXPECT_TRUE(old.expired());
  for (size_t i = 1; i < 4; ++i)
    for (const Constant &other : kept)
      EXPECT_NE(program.constants[i].data, other.data);
}

} // namespace

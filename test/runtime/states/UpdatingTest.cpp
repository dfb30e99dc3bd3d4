//===- UpdatingTest.cpp - states that runs update in place ----------------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "../Programs.h"
#include "glow/Program/Updates.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace glow;

namespace {

int64_t copiedElements = 0;

Status testCopy(const KernelCall &call) {
  const int64_t count = call.buffers[1].type->elements();
  std::memcpy(call.buffers[0].data, call.buffers[1].data,
              size_t(count) * sizeof(float));
  copiedElements += count;
  return Status();
}

/// cache[at] = x; fails afterwards for a negative x.
Status testPut(const KernelCall &call) {
  const float x = *static_cast<const float *>(call.buffers[1].data);
  const int64_t at = *static_cast<const int64_t *>(call.buffers[2].data);
  static_cast<float *>(call.buffers[0].data)[at] = x;
  return x < 0 ? Status(Code::InvalidArgument, "x is negative") : Status();
}

Status testSum(const KernelCall &call) {
  auto *from = static_cast<const float *>(call.buffers[1].data);
  float sum = 0;
  for (int64_t i = 0; i < call.buffers[1].type->elements(); ++i)
    sum += from[i];
  *static_cast<float *>(call.buffers[0].data) = sum;
  return Status();
}

const TensorType cacheType{ElementKind::F32, {4}}, numberType{ElementKind::F32},
    placeType{ElementKind::I64};

/// next is cache with x at a place, y the sum of the next one.
StepCode putting() {
  StepCode code;
  code.buffers = {{BufferPlace::Input, 0, 0, numberType, "x"},
                  {BufferPlace::Input, 1, 0, placeType, "at"},
                  {BufferPlace::Input, 2, 0, cacheType, "cache"},
                  {BufferPlace::Output, 0, 0, numberType, "y"},
                  {BufferPlace::Output, 1, 0, cacheType, "next"}};
  code.steps = {{"copy", "put", {4, 2}, {1, 1}, 1},
                {"test_put", "put", {4, 0, 1}, {1, 1, 1}, 1},
                {"test_sum", "sum", {3, 4}, {1, 1}, 1}};
  return code;
}

Program programOf(StepCode code) {
  static const KernelEntry table[] = {
      {"copy", testCopy}, {"test_put", testPut}, {"test_sum", testSum}};
  KernelRegistry::instance().add(table);
  Program program;
  program.backend = "interpreter";
  program.entry = "main";
  program.inputs = {
      {"x", numberType, {}}, {"at", placeType, {}}, {"cache", cacheType, {}}};
  program.outputs = {{"y", numberType, {}}, {"next", cacheType, {}}};
  program.code = std::make_shared<StepCode>(std::move(code));
  program.states = {{{"cache", "next"}}};
  return program;
}

struct Updating : testing::Test {
  Host host;
  const Program program = programOf(putting());
  const ModelId model = host.load(program).take();
  std::unique_ptr<SessionStates> states = SessionStates::create(program).take();
  float y = 0;

  void SetUp() override { copiedElements = 0; }

  Status run(SessionStates &of, float x, int64_t at) {
    Tensors tensors{{{&x, &numberType}, {&at, &placeType}, {}},
                    {{&y, &numberType}, {}}};
    Status status = of.bind(tensors);
    if (status.ok())
      status = host.run(model, tensors);
    if (status.ok())
      of.advance();
    return status;
  }
  using Floats = std::vector<float>;
  static Floats elements(const SessionStates &of) {
    auto *data = of.value(0).as<const float>();
    return {data, data + 4};
  }
};

} // namespace

TEST_F(Updating, CopiesNothing) {
  const void *buffer = states->value(0).data;
  EXPECT_TRUE(states->all()[0].isUpdated);
  EXPECT_FALSE(states->all()[0].grows());
  EXPECT_TRUE(run(*states, 1, 2).ok());
  EXPECT_TRUE(run(*states, 5, 0).ok());
  EXPECT_EQ(y, 6);
  EXPECT_EQ(elements(*states), (Floats{5, 0, 1, 0}));
  EXPECT_EQ(states->value(0).data, buffer);
  EXPECT_EQ(copiedElements, 0);
  EXPECT_EQ(states->copiedBytes(), 0u);
  EXPECT_EQ(states->rollback(1).code(), Code::Unsupported);
}

// A call has two buffers.
TEST_F(Updating, CopiesWhereBuffersDiffer) {
  Floats cache{1, 2, 3, 4}, next(4);
  float x = 9;
  int64_t at = 1;
  Tensors tensors{
      {{&x, &numberType}, {&at, &placeType}, {cache.data(), &cacheType}},
      {{&y, &numberType}, {next.data(), &cacheType}}};
  EXPECT_TRUE(host.run(model, tensors).ok());
  EXPECT_EQ(cache, (Floats{1, 2, 3, 4}));
  EXPECT_EQ(next, (Floats{1, 9, 3, 4}));
  EXPECT_EQ(copiedElements, 4);
}

TEST_F(Updating, ForksCopyOnce) {
  EXPECT_TRUE(run(*states, 1, 0).ok());
  std::unique_ptr<SessionStates> fork = states->fork(), other = states->fork();
  EXPECT_EQ(fork->value(0).data, states->value(0).data);
  EXPECT_TRUE(run(*fork, 2, 1).ok());
  EXPECT_TRUE(run(*fork, 3, 2).ok());
  EXPECT_EQ(fork->copiedBytes(), 16u);
  EXPECT_TRUE(run(*states, 4, 3).ok());
  EXPECT_EQ(elements(*fork), (Floats{1, 2, 3, 0}));
  EXPECT_EQ(elements(*states), (Floats{1, 0, 0, 4}));
  EXPECT_TRUE(other->reset().ok());
  EXPECT_EQ(elements(*other), (Floats{0, 0, 0, 0}));
  states = nullptr;
  EXPECT_TRUE(run(*other, 7, 0).ok());
  EXPECT_EQ(elements(*other), (Floats{7, 0, 0, 0}));
}

TEST_F(Updating, IsSetResetAndRestored) {
  const void *buffer = states->value(0).data;
  ASSERT_TRUE(states->set(0, tensorOf<float>({1, 2, 3, 4}).view()).ok());
  std::unique_ptr<SessionStates> fork = states->fork();
  ASSERT_TRUE(states->set(0, tensorOf<float>({5, 6, 7, 8}).view()).ok());
  EXPECT_EQ(elements(*fork), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(fork->value(0).data, buffer);
  const std::string path =
      testing::TempDir() + "/" + std::to_string(::getpid()) + ".updating";
  ASSERT_TRUE(states->save(path).ok());
  buffer = states->value(0).data;
  ASSERT_TRUE(states->reset().ok());
  EXPECT_EQ(elements(*states), (Floats{0, 0, 0, 0}));
  EXPECT_EQ(states->value(0).data, buffer);
  ASSERT_TRUE(states->restore(path).ok());
  EXPECT_EQ(elements(*states), (Floats{5, 6, 7, 8}));
  EXPECT_TRUE(run(*states, 0, 0).ok());
  EXPECT_EQ(elements(*states), (Floats{0, 6, 7, 8}));
  std::remove(path.c_str());
}

// The same run again gives what it would have given.
TEST_F(Updating, AFailedRunWritesOnlyItsElements) {
  EXPECT_TRUE(run(*states, 3, 3).ok());
  EXPECT_FALSE(run(*states, -1, 1).ok());
  EXPECT_EQ(elements(*states), (Floats{0, -1, 0, 3}));
  EXPECT_TRUE(run(*states, 2, 1).ok());
  EXPECT_EQ(elements(*states), (Floats{0, 2, 0, 3}));
  EXPECT_EQ(y, 5);
}

// Steps that read the old value, or write the new one in another way, need two
// buffers.
TEST(UpdatingPrograms, AreRecognised) {
  const StatePair pair{"cache", "next"};
  EXPECT_TRUE(updatesInPlace(programOf(putting()), pair));
  EXPECT_FALSE(updatesInPlace(programOf(putting()), {"x", "y"}));
  StepCode reads = putting();
  reads.steps[2].buffers = {3, 2};
  EXPECT_FALSE(updatesInPlace(programOf(reads), pair));
  StepCode first = putting();
  std::swap(first.steps[0], first.steps[2]);
  EXPECT_FALSE(updatesInPlace(programOf(first), pair));
  StepCode part = putting();
  part.steps[0].instruction = "test_sum";
  EXPECT_FALSE(updatesInPlace(programOf(part), pair));
  StepCode none = putting();
  none.steps.erase(none.steps.begin());
  EXPECT_FALSE(updatesInPlace(programOf(none), pair));
  // A view of the whole buffer is no reader.
  StepCode views = putting();
  views.buffers.push_back({BufferPlace::Input, 2, 0, cacheType, "view"});
  views.steps.insert(views.steps.begin(),
                     {"reshape", "view", {5, 2}, {1, 1}, 1});
  EXPECT_TRUE(updatesInPlace(programOf(views), pair));
}

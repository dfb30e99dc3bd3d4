//===- GrowingTest.cpp - states to which runs append ----------------------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "../Programs.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

using namespace glow;

namespace {

/// Elements that the kernel has copied from an old place to a new one.
int64_t moved = 0;

/// present = past and x, one after the other; fails for a negative element.
Status testJoin(const KernelCall &call) {
  const TensorView &out = call.buffers[0];
  auto *to = static_cast<float *>(out.data);
  for (size_t i = 1; i < call.buffers.size(); ++i) {
    const int64_t count = call.buffers[i].type->elements();
    auto *from = static_cast<const float *>(call.buffers[i].data);
    if (from != to)
      for (int64_t j = 0; j < count; ++j)
        to[j] = from[j];
    if (from != to && i == 1)
      moved += count;
    to += count;
  }
  if (to[-1] < 0)
    return Status(Code::InvalidArgument, "the last element is negative");
  return Status();
}

/// present [P + S] is past [P], of at most 8 elements, and x [S].
Program joining() {
  static const KernelEntry table[] = {{"test_join", testJoin}};
  KernelRegistry::instance().add(table);
  auto lengths = [](const char *text) { return parseLengths(text).take(); };
  auto type = [](int64_t size) { return TensorType{ElementKind::F32, {size}}; };
  Program program;
  program.backend = "interpreter";
  program.entry = "main";
  program.inputs = {{"x", type(4), {}}, {"past", type(8), {}}};
  program.inputs[0].lengths = lengths("[S], S = 1..4");
  program.inputs[1].lengths = lengths("[P], P = 0..8");
  program.outputs = {{"present", type(12), {}}};
  program.outputs[0].lengths = lengths("[P + S], P = 0..8, S = 1..4");
  auto code = std::make_shared<StepCode>();
  code->buffers = {{BufferPlace::Input, 0, 0, type(4), "x"},
                   {BufferPlace::Input, 1, 0, type(8), "past"},
                   {BufferPlace::Output, 0, 0, type(12), "present"}};
  code->buffers[0].lengths = program.inputs[0].lengths;
  code->buffers[1].lengths = program.inputs[1].lengths;
  code->buffers[2].lengths = program.outputs[0].lengths;
  code->steps = {{"test_join", "join", {2, 1, 0}, {1, 1, 1}, {}}};
  program.code = code;
  program.states = {{{"past", "present"}}};
  return program;
}

struct Growing : testing::Test {
  Host host;
  const Program program = joining();
  const ModelId model = host.load(program).take();
  std::unique_ptr<SessionStates> states = SessionStates::create(program).take();

  void SetUp() override { moved = 0; }

  Status run(SessionStates &of, std::vector<float> x) {
    TensorType given{ElementKind::F32, {int64_t(x.size())}};
    TensorType result{ElementKind::F32, {of.all()[0].length + given.shape[0]}};
    Tensors tensors{{{x.data(), &given}, {}}, {{nullptr, &result}}};
    Status status = of.bind(tensors);
    if (status.ok())
      status = host.run(model, tensors);
    if (status.ok())
      of.advance();
    return status;
  }
  static std::vector<float> elements(const SessionStates &of) {
    TensorView value = of.value(0);
    auto *data = value.as<const float>();
    return {data, data + value.type->elements()};
  }
  using Floats = std::vector<float>;
};

} // namespace

TEST_F(Growing, MovesNothing) {
  const void *buffer = states->value(0).data;
  EXPECT_EQ(states->all()[0].capacity, 8);
  EXPECT_EQ(states->all()[0].length, 0);
  EXPECT_TRUE(run(*states, {1, 2}).ok());
  EXPECT_TRUE(run(*states, {3}).ok());
  EXPECT_TRUE(run(*states, {4, 5}).ok());
  EXPECT_EQ(elements(*states), (Floats{1, 2, 3, 4, 5}));
  EXPECT_EQ(states->value(0).data, buffer);
  EXPECT_EQ(moved, 0);
  EXPECT_EQ(states->copiedBytes(), 0u);
}

TEST_F(Growing, StaysAsItIsWhenARunFails) {
  EXPECT_TRUE(run(*states, {1, 2}).ok());
  EXPECT_FALSE(run(*states, {3, -1}).ok());
  EXPECT_EQ(elements(*states), (Floats{1, 2}));
  EXPECT_TRUE(run(*states, {1, 2, 3, 4}).ok());
  EXPECT_EQ(run(*states, {1, 2, 3}).message(),
            "state 'past' has 6 entries of at most 8, and the run appends 3: "
            "its capacity is exceeded");
  EXPECT_EQ(elements(*states), (Floats{1, 2, 1, 2, 3, 4}));
  EXPECT_TRUE(run(*states, {7, 8}).ok());
  EXPECT_EQ(run(*states, {1}).code(), Code::InvalidArgument);
  EXPECT_EQ(states->all()[0].length, 8);
}

TEST_F(Growing, RollsBack) {
  EXPECT_TRUE(run(*states, {1, 2, 3}).ok());
  EXPECT_EQ(states->rollback(4).message(),
            "state 'past' has 3 entries, of which 4 cannot be rolled back");
  EXPECT_EQ(states->rollback(SIZE_MAX).code(), Code::InvalidArgument);
  EXPECT_TRUE(states->rollback(2).ok());
  EXPECT_TRUE(run(*states, {9}).ok());
  EXPECT_EQ(elements(*states), (Floats{1, 9}));
  EXPECT_TRUE(states->reset().ok());
  EXPECT_TRUE(elements(*states).empty());
}

// The entries in use are copied once, by the first session that writes.
TEST_F(Growing, Forks) {
  EXPECT_TRUE(run(*states, {1, 2}).ok());
  std::unique_ptr<SessionStates> fork = states->fork(), other = fork->fork();
  EXPECT_EQ(fork->value(0).data, states->value(0).data);
  EXPECT_TRUE(fork->rollback(1).ok());
  EXPECT_EQ(elements(*states), (Floats{1, 2}));
  EXPECT_TRUE(run(*fork, {5}).ok());
  EXPECT_TRUE(run(*fork, {6}).ok());
  EXPECT_EQ(fork->copiedBytes(), 4u);
  EXPECT_TRUE(run(*states, {3}).ok());
  states = nullptr;
  EXPECT_TRUE(run(*other, {7}).ok());
  EXPECT_EQ(other->copiedBytes(), 8u);
  EXPECT_EQ(elements(*fork), (Floats{1, 5, 6}));
  EXPECT_EQ(elements(*other), (Floats{1, 2, 7}));
  EXPECT_EQ(moved, 0);
}

TEST_F(Growing, IsAppendedToAndSet) {
  std::unique_ptr<SessionStates> fork = states->fork();
  const Floats entries{1, 2, 3, 4, 5};
  EXPECT_TRUE(states->append(0, entries.data(), 5).ok());
  EXPECT_TRUE(states->append(0, entries.data(), 3).ok());
  EXPECT_EQ(states->append(0, entries.data(), 1).code(), Code::InvalidArgument);
  EXPECT_EQ(states->append(0, entries.data(), SIZE_MAX).code(),
            Code::InvalidArgument);
  EXPECT_EQ(elements(*states), (Floats{1, 2, 3, 4, 5, 1, 2, 3}));
  EXPECT_TRUE(elements(*fork).empty());
  fork = states->fork();
  ASSERT_TRUE(states->set(0, tensorOf<float>({4, 5}).view()).ok());
  EXPECT_EQ(elements(*states), (Floats{4, 5}));
  EXPECT_EQ(fork->all()[0].length, 8);
  ASSERT_TRUE(states->set(0, tensorOf<float>({}).view()).ok());
  EXPECT_EQ(states->all()[0].length, 0);
  EXPECT_EQ(states->set(0, tensorOf<float>(Floats(9)).view()).message(),
            "state 'past' is f32[0] and has a capacity of 8, not f32[9]");
}

TEST_F(Growing, IsSavedAndRestored) {
  const std::string path =
      testing::TempDir() + "/" + std::to_string(::getpid()) + ".growing";
  EXPECT_TRUE(run(*states, {1, 2, 3}).ok());
  ASSERT_TRUE(states->save(path).ok());
  std::unique_ptr<SessionStates> other = SessionStates::create(program).take();
  const TensorType *type = other->value(0).type;
  EXPECT_TRUE(run(*other, {9}).ok());
  ASSERT_TRUE(other->restore(path).ok());
  EXPECT_EQ(elements(*other), (Floats{1, 2, 3}));
  EXPECT_EQ(other->value(0).type, type);
  EXPECT_TRUE(run(*other, {4}).ok());
  // Each part of the file is needed, and no byte may change.
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = char(changed[at] ^ 1);
    std::ofstream(path, std::ios::binary) << changed;
    EXPECT_FALSE(other->restore(path).ok()) << "byte " << at;
  }
  EXPECT_EQ(elements(*other), (Floats{1, 2, 3, 4}));
  std::remove(path.c_str());
}

// Operations in any order on sessions that come and go, next to lists.
TEST_F(Growing, EqualsLists) {
  const std::string path =
      testing::TempDir() + "/" + std::to_string(::getpid()) + ".lists";
  std::mt19937 random(1);
  auto upTo = [&](size_t most) { return random() % (most + 1); };
  std::vector<std::pair<std::unique_ptr<SessionStates>, Floats>> all;
  Floats saved;
  ASSERT_TRUE(states->save(path).ok());
  all.emplace_back(std::move(states), Floats());
  for (int step = 0; step < 5000; ++step) {
    auto &[session, list] = all[upTo(all.size() - 1)];
    Floats more(1 + upTo(3), float(step));
    const bool fits = list.size() + more.size() <= 8;
    const size_t less = upTo(4);
    switch (upTo(8)) {
    case 0:
    case 1:
    case 2:
      EXPECT_EQ(run(*session, more).ok(), fits);
      if (fits)
        list.insert(list.end(), more.begin(), more.end());
      break;
    case 3:
      EXPECT_EQ(session->append(0, more.data(), more.size()).ok(), fits);
      if (fits)
        list.insert(list.end(), more.begin(), more.end());
      break;
    case 4:
      EXPECT_EQ(session->rollback(less).ok(), less <= list.size());
      list.resize(list.size() - (less <= list.size() ? less : 0));
      break;
    case 5:
      if (all.size() < 6)
        all.emplace_back(session->fork(), Floats(list));
      else
        all.erase(all.begin() + ptrdiff_t(upTo(4)));
      break;
    case 6:
      ASSERT_TRUE(session->set(0, tensorOf<float>(more).view()).ok());
      list = more;
      break;
    case 7:
      ASSERT_TRUE(session->save(path).ok());
      saved = list;
      break;
    case 8:
      ASSERT_TRUE(session->restore(path).ok());
      list = saved;
      break;
    }
    for (const auto &[one, expected] : all)
      ASSERT_EQ(elements(*one), expected) << "after " << step;
  }
  EXPECT_EQ(moved, 0);
  std::remove(path.c_str());
}

// A range that does not grow has no fixed size.
TEST(GrowingPrograms, AreRefused) {
  Program program = joining();
  program.outputs[0] = program.inputs[1];
  program.outputs[0].name = "present";
  EXPECT_EQ(SessionStates::create(program).status().message(),
            "state 'past' has the sizes [P], P = 0..8, but does not grow in "
            "runs: give one size in place of each range");
}

//===- ProgramsTest.cpp - states that several programs share --------------===//
// SPDX-License-Identifier: MIT

#include "../Programs.h"
#include "../Helpers.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/SessionStates.h"
#include <gtest/gtest.h>
#include <unistd.h>

using namespace glow;

static const TensorType pair{ElementKind::F32, {2}};

/// A program with the interface alone, which no test runs.
static Program named(const char *name, std::vector<Binding> inputs,
                     std::vector<Binding> outputs,
                     std::vector<StatePair> states = {}) {
  Program program;
  program.entry = name;
  program.inputs = std::move(inputs);
  program.outputs = std::move(outputs);
  program.states = std::move(states);
  program.code = std::make_shared<StepCode>();
  return program;
}

static Program train() {
  return named("train", {{"x", pair, {}}, {"w", pair, {}}},
               {{"loss", pair, {}}, {"w.next", pair, {}}}, {{"w", "w.next"}});
}
static Program infer() {
  return named("infer", {{"w", pair, {}}, {"x", pair, {}}}, {{"y", pair, {}}});
}

/// A program whose state grows up to `capacity` entries.
static Program growing(const char *name, int64_t capacity) {
  auto lengths = [](const std::string &text) {
    return parseLengths(text).take();
  };
  const std::string range = std::to_string(capacity);
  Program program = named(name, {{"past", {ElementKind::F32, {capacity}}, {}}},
                          {{"present", {ElementKind::F32, {capacity + 1}}, {}}},
                          {{"past", "present"}});
  program.inputs[0].lengths = lengths("[P], P = 0.." + range);
  program.outputs[0].lengths = lengths("[P + 1], P = 0.." + range);
  return program;
}

static std::string refusal(std::vector<const Program *> programs) {
  auto states = SessionStates::create(programs);
  return states ? "" : states.status().message();
}

TEST(Programs, ReadAndWriteStatesByName) {
  const Program first = infer(), second = train();
  const Program third = named("set", {}, {{"w.next", pair, {}}});
  const Program *all[] = {&first, &second, &third};
  auto states = SessionStates::create(all).take();
  ASSERT_EQ(states->all().size(), 1u);
  EXPECT_EQ(states->places(0)[0].input, 0u);
  EXPECT_EQ(states->places(0)[0].output, StatePlace::none);
  EXPECT_EQ(states->places(1)[0].input, 1u);
  EXPECT_EQ(states->places(1)[0].output, 1u);
  EXPECT_EQ(states->places(2)[0].input, StatePlace::none);
  EXPECT_EQ(states->places(2)[0].output, 0u);

  // The last program writes a state, and the first one reads it.
  float values[2] = {3, 4};
  Tensors writing{{}, {{nullptr, &pair}}};
  ASSERT_TRUE(states->bind(writing, 2).ok());
  std::copy(values, values + 2, static_cast<float *>(writing.outputs[0].data));
  Tensors reading{{{nullptr, &pair}, {values, &pair}}, {{values, &pair}}};
  ASSERT_TRUE(states->bind(reading, 0).ok());
  EXPECT_EQ(static_cast<float *>(reading.inputs[0].data)[1], 0);
  states->advance(2);
  ASSERT_TRUE(states->bind(reading, 0).ok());
  EXPECT_EQ(static_cast<float *>(reading.inputs[0].data)[1], 4);
  // A run that only reads changes nothing.
  states->advance(0);
  EXPECT_EQ(static_cast<float *>(states->value(0).data)[1], 4);
  EXPECT_EQ(reading.inputs[1].data, values);
}

TEST(Programs, HaveOneTypeForAState) {
  const Program first = train();
  Program second = infer();
  second.inputs[0].type.shape = {3};
  EXPECT_EQ(
      refusal({&first, &second}),
      "state 'w=w.next' is f32[2] in function 'train', but f32[3] in 'infer'");
  Program third = train();
  third.entry = "other";
  third.inputs[1].type.shape = third.outputs[1].type.shape = {3};
  EXPECT_EQ(
      refusal({&first, &third}),
      "state 'w=w.next' is f32[2] in function 'train', but f32[3] in 'other'");
  Program fourth =
      named("odd", {{"w", pair, {}}}, {{"v", pair, {}}}, {{"w", "v"}});
  EXPECT_EQ(refusal({&first, &fourth}),
            "state 'w=w.next' is f32[2] in function 'train', but w=v in 'odd'");
  const Program none = infer();
  EXPECT_NE(refusal({&none}).find("no state for a session"), std::string::npos);
}

TEST(Programs, ReadStatesThatGrow) {
  const Program step = growing("step", 8), other = growing("other", 8),
                larger = growing("larger", 9);
  Program reader = growing("reader", 8);
  reader.outputs.clear(), reader.states->clear();
  const Program *all[] = {&step, &other, &reader};
  auto states = SessionStates::create(all).take();
  const float entries[] = {1, 2, 3};
  ASSERT_TRUE(states->append(0, entries, 3).ok());
  Tensors tensors{{{nullptr, &reader.inputs[0].type}}, {}};
  ASSERT_TRUE(states->bind(tensors, 2).ok());
  EXPECT_EQ(tensors.inputs[0].type->shape, Ints{3});
  states->advance(2);
  EXPECT_EQ(states->all()[0].length, 3);
  EXPECT_EQ(
      refusal({&step, &larger}),
      "state 'past=present' is f32[8] and grows in function 'step', but f32[9] "
      "in 'larger'");
  Program fixed = reader;
  fixed.entry = "fixed";
  fixed.inputs[0].lengths.clear();
  EXPECT_EQ(
      refusal({&step, &fixed}),
      "state 'past=present' is f32[8] and grows in function 'step', but f32[8] "
      "in 'fixed'");
  const Program whole =
      named("whole", {}, {{"present", {ElementKind::F32, {8}}, {}}});
  EXPECT_EQ(
      refusal({&step, &whole}),
      "state 'past=present' is f32[8] and grows in function 'step', but f32[8] "
      "in 'whole'");
}

TEST(Programs, ShareAFileWithThoseThatDeclareTheStates) {
  const Program first = train(), second = infer();
  const Program *both[] = {&second, &first};
  auto states = SessionStates::create(both).take();
  auto alone = SessionStates::create(first).take();
  const float values[] = {5, 6};
  ASSERT_TRUE(alone->set(0, {const_cast<float *>(values), &pair}).ok());
  const std::string path =
      testing::TempDir() + "programs" + std::to_string(::getpid());
  ASSERT_TRUE(alone->save(path).ok());
  EXPECT_TRUE(states->restore(path).ok());
  EXPECT_EQ(static_cast<float *>(states->value(0).data)[1], 6);
  ::unlink(path.c_str());
}

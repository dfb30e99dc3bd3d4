//===- StatesTest.cpp - pairs that become states of a program ------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/States.h"
#include <gtest/gtest.h>

using namespace glow;

static const TensorType small{ElementKind::F32, {4}};
static const TensorType large{ElementKind::F32, {8}};

/// A program with inputs and outputs of these names, and x and y.
static Program named(const std::vector<std::string> &inputs,
                     const std::vector<std::string> &outputs,
                     const TensorType &type = small) {
  Program program;
  program.inputs = {{"x", large, {}}};
  program.outputs = {{"y", large, {}}};
  for (const std::string &name : inputs)
    program.inputs.push_back({name, type, {}});
  for (const std::string &name : outputs)
    program.outputs.push_back({name, type, {}});
  return program;
}

/// "h0=hn c0=cn", of given pairs "h0=hn!".
static std::string textOf(const Program &program) {
  std::string text;
  for (const StatePair &pair : *program.states)
    text += (text.empty() ? "" : " ") + pair.input + "=" + pair.output +
            (pair.isGiven ? "!" : "");
  return text;
}

static std::string declared(Program program,
                            std::vector<std::string> texts = {}) {
  Result<StateRequest> request = stateRequestOf(texts);
  if (!request)
    return request.status().message();
  Status status = declareStates(program, *request);
  return status.ok() ? textOf(program) : status.message();
}

TEST(States, AreRecognisedByNames) {
  EXPECT_EQ(declared(named({"h0", "c0"}, {"hn", "cn"})), "h0=hn c0=cn");
  EXPECT_EQ(declared(named({"h", "c"}, {"hn", "cn"})), "h=hn c=cn");
  EXPECT_EQ(declared(named({"h_0"}, {"h_n"})), "h_0=h_n");
  EXPECT_EQ(declared(named({"state"}, {"stateN"})), "state=stateN");
  EXPECT_EQ(declared(named({"past"}, {"present"})), "past=present");
  EXPECT_EQ(declared(named({"past_key_values.0.key", "past_key_values.0.value"},
                           {"present.0.key", "present.0.value"})),
            "past_key_values.0.key=present.0.key "
            "past_key_values.0.value=present.0.value");
  EXPECT_EQ(declared(named({"past_0", "past_1"}, {"present_1", "present_0"})),
            "past_1=present_1 past_0=present_0");
  EXPECT_EQ(declared(named({"cache_in", "in_state", "gru.input"},
                           {"cache_out", "out_state", "gru.output"})),
            "cache_in=cache_out in_state=out_state gru.input=gru.output");
}

TEST(States, AreNotRecognisedByPartsOfWords) {
  for (const auto &[input, output] :
       std::vector<std::pair<std::string, std::string>>{{"input", "output"},
                                                        {"input_1", "output_1"},
                                                        {"in", "out"},
                                                        {"rinse", "routse"},
                                                        {"toke", "token"},
                                                        {"h0", "h1"},
                                                        {"h", "y2"}})
    EXPECT_EQ(declared(named({input}, {output})), "") << input << " " << output;
  // An image that is made of an image.
  Program whole = named({"image_in"}, {"image_out"});
  whole.inputs.erase(whole.inputs.begin());
  EXPECT_EQ(declared(whole), "");
  // Types differ.
  Program grows = named({"past"}, {});
  grows.outputs.push_back({"present", large, {}});
  EXPECT_EQ(declared(grows), "");
}

TEST(States, AreGiven) {
  const Program program = named({"a", "h0"}, {"b", "hn"});
  EXPECT_EQ(declared(program, {"a=b"}), "a=b! h0=hn");
  EXPECT_EQ(declared(program, {"none"}), "");
  EXPECT_EQ(declared(program, {"none", "a=b"}), "a=b!");
  EXPECT_EQ(declared(program, {"h0=b"}), "h0=b!");
}

TEST(States, HaveOneMessageForEachMistake) {
  const Program program = named({"a", "h0"}, {"b", "hn"});
  EXPECT_EQ(declared(program, {"h=hn"}),
            "state 'h=hn': the model has no input named 'h'; its inputs are "
            "'x', 'a', 'h0'");
  EXPECT_EQ(declared(program, {"h0=h"}),
            "state 'h0=h': the model has no output named 'h'; its outputs are "
            "'y', 'b', 'hn'");
  EXPECT_EQ(declared(program, {"a=y"}),
            "state 'a=y': input 'a' is f32[4] and output 'y' is f32[8], they "
            "should be equal");
  EXPECT_EQ(declared(program, {"a=b", "a=hn"}),
            "state 'a=hn': state 'a=b' has that input already");
  EXPECT_EQ(declared(program, {"a=b", "h0=b"}),
            "state 'h0=b': state 'a=b' has that output already");
  EXPECT_EQ(declared(program, {"a"}),
            "state 'a' should be INPUT=OUTPUT, append or none");
}

// A compiled file has declared its states; the user may declare others.
TEST(States, OfAFileStay) {
  Program program = named({"a", "h0"}, {"b", "hn"});
  program.states = {{{"a", "b", true}}};
  EXPECT_EQ(declared(program), "a=b!");
  EXPECT_EQ(declared(program, {"none"}), "");
  EXPECT_EQ(declared(program, {"h0=b"}), "h0=b!");
  program.states = {{{"a", "nothing", true}}};
  EXPECT_EQ(declared(program), "state 'a=nothing': the model has no output "
                               "named 'nothing'; its outputs are 'y', 'b', "
                               "'hn'");
}

//===- HostTest.cpp - programs, devices and requests ----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Host.h"
#include "Helpers.h"
#include "Programs.h"
#include <future>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace glow;

static std::vector<NamedTensor> named(const std::string &name, Tensor tensor) {
  std::vector<NamedTensor> list;
  list.push_back({name, std::move(tensor)});
  return list;
}

static Status runWith(const std::vector<NamedTensor> &inputs) {
  Host host;
  Result<ModelId> network = host.load(addTwice(2));
  std::vector<NamedTensor> outputs;
  return network ? host.run(*network, inputs, outputs) : network.status();
}

TEST(Host, RunsByName) {
  Host host;
  Result<ModelId> network = host.load(addTwice(2));
  ASSERT_TRUE(network) << network.status().message();
  std::vector<NamedTensor> outputs;
  Status status =
      host.run(*network, named("x", tensorOf<float>({1, 2})), outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "y");
  EXPECT_EQ(listOf<float>(outputs[0].tensor), (std::vector<float>{21, 22}));
}

// A loop over batches should not take new memory each time.
TEST(Host, WritesOutputsInPlace) {
  Host host;
  Result<ModelId> network = host.load(addTwice(2));
  std::vector<NamedTensor> outputs;
  auto inputs = named("x", tensorOf<float>({1, 2}));
  ASSERT_TRUE(host.run(*network, inputs, outputs).ok());
  const void *first = outputs[0].tensor.data();
  ASSERT_TRUE(host.run(*network, inputs, outputs).ok());
  EXPECT_EQ(outputs[0].tensor.data(), first);
}

TEST(Host, SaysWhatIsWrongWithInputs) {
  EXPECT_EQ(runWith({}).message(),
            "input 'x' is not given; it should be f32[2]");
  EXPECT_EQ(runWith(named("z", tensorOf<float>({1, 2}))).message(),
            "the model has no input named 'z'; its inputs are 'x'");
  EXPECT_EQ(runWith(named("x", tensorOf<float>({1, 2, 3}))).message(),
            "input 'x' is f32[3], it should be f32[2]");
  EXPECT_EQ(runWith(named("x", tensorOf<double>({1, 2}))).message(),
            "input 'x' is f64[2], it should be f32[2]");
  auto twice = named("x", tensorOf<float>({1, 2}));
  twice.push_back({"x", tensorOf<float>({1, 2})});
  EXPECT_EQ(runWith(twice).message(), "input 'x' is given twice");
}

TEST(Host, RefusesAnotherValueThanTheOneThatIsAssumed) {
  Host host;
  Program program = addTwice(2);
  std::vector<float> value = {1, 2};
  program.assumed = {{"x", program.inputs[0].type, value.data(), nullptr}};
  Result<ModelId> network = host.load(program);
  std::vector<NamedTensor> outputs;
  EXPECT_TRUE(
      host.run(*network, named("x", tensorOf<float>({1, 2})), outputs).ok());
  EXPECT_EQ(
      host.run(*network, named("x", tensorOf<float>({1, 3})), outputs)
          .message(),
      "input 'x' has another value than the one that the program was compiled "
      "for");
}

TEST(Host, RefusesUnknownBackends) {
  Host host;
  Result<ModelId> network = host.load(addTwice(2, "tpu"));
  EXPECT_EQ(network.status().code(), Code::NotFound);
}

/// A request that is waited for.
static Status submitTo(Host &host, ModelId model, RequestOptions options,
                       std::vector<Tensor> &outputs) {
  std::vector<Tensor> inputs;
  inputs.push_back(tensorOf<float>({1, 2}));
  std::promise<Status> answered;
  host.submit(model, std::move(inputs), options,
              [&](Status status, std::vector<Tensor> given) {
                outputs = std::move(given);
                answered.set_value(std::move(status));
              });
  return answered.get_future().get();
}

TEST(Host, ReportsWhatItAnswered) {
  Host host{HostOptions()};
  Result<ModelId> model = host.load(addTwice(2));
  ASSERT_TRUE(model) << model.status().message();
  std::vector<Tensor> outputs;
  Status status = submitTo(host, *model, {}, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(listOf<float>(outputs[0]), (std::vector<float>{21, 22}));
  RequestOptions late;
  late.deadline = TimePoint(std::chrono::nanoseconds(1));
  EXPECT_EQ(submitTo(host, *model, late, outputs).code(), Code::Deadline);

  auto report = nlohmann::json::parse(host.report().json());
  EXPECT_TRUE(report["is_ready"]);
  ASSERT_EQ(report["models"].size(), 1u);
  EXPECT_EQ(report["models"][0]["state"], "serving");
  EXPECT_EQ(report["models"][0]["admitted"], 1);
  EXPECT_EQ(report["models"][0]["answered"], 1);
  EXPECT_EQ(report["models"][0]["refused"], 1);
  EXPECT_EQ(report["models"][0]["queue_time"]["count"], 1);
  ASSERT_EQ(report["devices"].size(), 1u);
  EXPECT_EQ(report["devices"][0]["state"], "good");
  EXPECT_GE(report["devices"][0]["runs"], 1);
}

TEST(Host, ForgetsWhatIsEvicted) {
  Host host;
  Result<ModelId> network = host.load(addTwice(2));
  host.unload(*network);
  std::vector<NamedTensor> outputs;
  Status status =
      host.run(*network, named("x", tensorOf<float>({1, 2})), outputs);
  EXPECT_EQ(status.code(), Code::NotFound);
}

// Evicting from within `done` must neither wait for itself nor free what runs.
TEST(Host, EvictsFromDone) {
  Host host;
  Result<ModelId> network = host.load(addTwice(2));
  auto inputs = named("x", tensorOf<float>({1, 2}));
  std::vector<NamedTensor> outputs;
  bool called = false;
  host.runAsync(*network, inputs, outputs, [&](Status status) {
    EXPECT_TRUE(status.ok());
    host.unload(*network);
    called = true;
  });
  EXPECT_TRUE(called);
}

// Not the end of a range of powers of two.
TEST(Host, QuantilesAreRightWithinASixteenth) {
  TimeHistogram times;
  EXPECT_EQ(times.quantile(0.5).count(), 0);
  for (int64_t i = 1; i <= 100000; ++i)
    times.add(Duration(i * 1000));
  for (double share : {0.001, 0.1, 0.5, 0.9, 0.99, 1.0}) {
    const double right = share * 1e8;
    EXPECT_NEAR(double(times.quantile(share).count()), right, right / 16);
  }
  times.add(Duration(-1));
  times.add(Duration(int64_t(1) << 62));
  EXPECT_GT(times.quantile(1).count(), int64_t(1) << 61);
}

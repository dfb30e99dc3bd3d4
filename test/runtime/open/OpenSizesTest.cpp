//===- OpenSizesTest.cpp - models of open sizes on a host -----------------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "../simulation/Clock.h"
#include "OpenPrograms.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/PartsFile.h"
#include <condition_variable>
#include <cstdio>
#include <future>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace glow;

namespace {

/// The interpreter, which records the shapes of its runs, and holds them.
class HeldDevice final : public Device {
public:
  DeviceInfo info() const override { return device.info(); }
  uint64_t freeBytes() const override { return device.freeBytes(); }
  Result<ProgramId> load(const Program &program) override {
    return device.load(program);
  }
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override {
    {
      std::unique_lock lock(mutex);
      shapes.push_back(tensors.inputs[0].type->shape);
      changed.notify_all();
      changed.wait(lock, [&] { return !isHeld; });
    }
    device.run(program, tensors, std::move(done));
  }
  void unload(ProgramId program) override { device.unload(program); }

  void hold(bool does) {
    std::lock_guard lock(mutex);
    isHeld = does;
    changed.notify_all();
  }
  /// Waits for so many runs to begin, and forgets them.
  std::vector<Ints> runs(size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return shapes.size() >= count; });
    return std::exchange(shapes, {});
  }

private:
  InterpreterDevice device;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Ints> shapes;
  bool isHeld = false;
};

/// A device on which each element of the first input takes a millisecond.
class TimedDevice final : public Device {
public:
  explicit TimedDevice(simulation::Clock &clock) : clock(clock) {}
  DeviceInfo info() const override {
    DeviceInfo info;
    info.backend = "interpreter";
    info.returnsAtOnce = true;
    return info;
  }
  uint64_t freeBytes() const override { return 1 << 20; }
  Result<ProgramId> load(const Program &) override { return ProgramId(1); }
  void run(ProgramId, Tensors &tensors,
           std::function<void(Status)> done) override {
    const int64_t elements = tensors.inputs[0].type->elements();
    clock.postAt(clock.now() + std::chrono::milliseconds(elements),
                 [done = std::move(done)] { done(Status()); });
  }
  void unload(ProgramId) override {}

private:
  simulation::Clock &clock;
};

struct Answer {
  Status status;
  std::vector<Tensor> outputs;
};

class OpenSizes : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(host.addDevice(device, "one").ok()); }
  void TearDown() override { device->hold(false); }

  Result<ModelId> serve(std::vector<Program> programs, std::string batch = "") {
    ModelSpec spec;
    spec.name = "sums";
    spec.programs = std::move(programs);
    spec.batch = std::move(batch);
    return host.add(std::move(spec));
  }
  /// x of a shape, with elements from `first` on, and b, 100 everywhere.
  std::future<Answer> send(ModelId model, float first, Ints shape,
                           std::optional<Ints> other = {}) {
    std::vector<Tensor> inputs;
    inputs.push_back(Tensor::zeros({ElementKind::F32, shape}).take());
    for (float &element : inputs[0].elements<float>())
      element = first++;
    inputs.push_back(
        Tensor::zeros({ElementKind::F32, other.value_or(shape)}).take());
    std::ranges::fill(inputs[1].elements<float>(), 100.f);
    auto answer = std::make_shared<std::promise<Answer>>();
    host.submit(model, std::move(inputs), {},
                [answer](Status status, std::vector<Tensor> outputs) {
                  answer->set_value({std::move(status), std::move(outputs)});
                });
    return answer->get_future();
  }
  static void expect(std::future<Answer> future, float first, Ints shape) {
    const Answer answer = future.get();
    ASSERT_TRUE(answer.status.ok()) << answer.status.message();
    EXPECT_EQ(answer.outputs[0].type(), (TensorType{ElementKind::F32, shape}));
    for (float element : answer.outputs[0].elements<float>())
      EXPECT_EQ(element, 100 + first++);
  }

  std::shared_ptr<HeldDevice> device = std::make_shared<HeldDevice>();
  Host host{HostOptions()};
};

} // namespace

TEST_F(OpenSizes, ARequestHasAnySizes) {
  const ModelId model = serve({addOpen()}).take();
  EXPECT_EQ(device->runs(1), (std::vector<Ints>{{8, 6}})); // the check
  for (const Ints &shape : {Ints{1, 2}, Ints{8, 6}, Ints{3, 4}, Ints{1, 2}}) {
    expect(send(model, 1, shape), 1, shape);
    EXPECT_EQ(device->runs(1), std::vector<Ints>{shape});
  }
}

TEST_F(OpenSizes, AllMistakesAreOneMessage) {
  const ModelId model = serve({addOpen("N < S")}).take();
  expect(send(model, 1, {3, 4}), 1, {3, 4});
  EXPECT_EQ(send(model, 1, {9, 3}).get().status.message(),
            "dimension 0 of input 'x' is 9, but 'N' should be from 1 to 8; "
            "dimension 1 of input 'x' is 3, but 'S' should be a multiple of 2; "
            "sizes N = 9, S = 3: the program needs N < S [test-label]");
  EXPECT_EQ(send(model, 1, {1, 4}, {{2, 4}}).get().status.message(),
            "dimension 0 of input 'b' is 2, but 'N' is 1 in an input before");
  EXPECT_EQ(send(model, 1, {4}).get().status.message(),
            "input 'x' is f32[4], it should be f32[N,S]; "
            "input 'b' is f32[4], it should be f32[N,S]");
  EXPECT_EQ(send(model, 1, {4, 4}).get().status.message(),
            "sizes N = 4, S = 4: the program needs N < S [test-label]");
  expect(send(model, 5, {1, 4}), 5, {1, 4});
}

TEST_F(OpenSizes, RequestsOfEqualSizesAreJoined) {
  const ModelId model = serve({addOpen()}, "N").take();
  (void)device->runs(1);
  device->hold(true);
  auto first = send(model, 10, {2, 2});
  EXPECT_EQ(device->runs(1), (std::vector<Ints>{{2, 2}}));
  auto one = send(model, 20, {1, 2}), other = send(model, 30, {1, 4}),
       three = send(model, 40, {3, 2}), two = send(model, 50, {2, 4}),
       many = send(model, 60, {5, 2});
  device->hold(false);
  expect(std::move(first), 10, {2, 2});
  expect(std::move(one), 20, {1, 2});
  expect(std::move(other), 30, {1, 4});
  expect(std::move(three), 40, {3, 2});
  expect(std::move(two), 50, {2, 4});
  expect(std::move(many), 60, {5, 2});
  EXPECT_EQ(device->runs(3), (std::vector<Ints>{{4, 2}, {3, 4}, {5, 2}}));
  HostReport report = host.report();
  EXPECT_EQ(report.models[0].counters.runs, 4u);
  EXPECT_EQ(report.models[0].counters.rows, 14u);
  EXPECT_EQ(report.models[0].counters.padding, 0u);
}

// A mistake in one request is not the answer to the others of its batch.
TEST_F(OpenSizes, AFailedBatchRunsOneByOne) {
  const ModelId model = serve({addOpen()}, "N").take();
  (void)device->runs(1);
  device->hold(true);
  auto first = send(model, 0, {1, 2});
  (void)device->runs(1);
  auto right = send(model, 5, {1, 2}), wrong = send(model, -9, {2, 2}),
       last = send(model, 7, {2, 2});
  device->hold(false);
  expect(std::move(first), 0, {1, 2});
  expect(std::move(right), 5, {1, 2});
  EXPECT_EQ(wrong.get().status.message(),
            "node 'first': element 0 is negative");
  expect(std::move(last), 7, {2, 2});
}

// A caller's tensors join requests, and their rows are written in place.
TEST_F(OpenSizes, CallersTensorsAreJoined) {
  const ModelId model = serve({addOpen()}, "N").take();
  (void)device->runs(1);
  device->hold(true);
  auto first = send(model, 0, {1, 2});
  (void)device->runs(1);
  std::vector<NamedTensor> inputs, outputs;
  inputs.push_back({"x", tensorOf<float>({1, 2, 3, 4}, {2, 2})});
  inputs.push_back({"b", tensorOf<float>({5, 5, 5, 5}, {2, 2})});
  std::promise<Status> done;
  host.runAsync(model, inputs, outputs,
                [&](Status status) { done.set_value(std::move(status)); });
  auto other = send(model, 7, {3, 2});
  device->hold(false);
  EXPECT_TRUE(done.get_future().get().ok());
  EXPECT_EQ(listOf<float>(outputs[0].tensor), (std::vector<float>{6, 7, 8, 9}));
  expect(std::move(first), 0, {1, 2});
  expect(std::move(other), 7, {3, 2});
  EXPECT_EQ(device->runs(1), (std::vector<Ints>{{5, 2}}));
}

TEST_F(OpenSizes, ABatchIsDimensionZeroAlone) {
  auto refusal = [&](Program program, const std::string &batch) {
    std::vector<Program> programs;
    programs.push_back(std::move(program));
    return serve(std::move(programs), batch).status().message();
  };
  EXPECT_EQ(refusal(addOpen(), "S"),
            "model 'sums': 'x' is f32[N,S], dimension 0 alone should be 'S', "
            "along which requests are joined");
  EXPECT_EQ(refusal(addTwice(2), "N"),
            "model 'sums': 'x' is f32[2], dimension 0 alone should be 'N', "
            "along which requests are joined");
  EXPECT_EQ(refusal(addOpen("N < S"), "N"),
            "model 'sums': requests are joined along 'N', but the program "
            "needs N < S");
  EXPECT_EQ(refusal(addOpen("", 0), "N"),
            "model 'sums': requests are joined along 'N', which is N = 0..8, "
            "it should be from 1 on");
  EXPECT_EQ(serve({addOpen(), addOpen()}).status().message(),
            "model 'sums': the programs of a model with batches have fixed "
            "sizes, or are one of a range of batch sizes");
  EXPECT_EQ(serve({addOpen(), addOpen()}, "N").status().message(),
            "model 'sums': the programs of a model with batches have fixed "
            "sizes, or are one of a range of batch sizes");
}

// A version of another range takes other requests.
TEST_F(OpenSizes, ANewVersionTakesRequestsOfTheSameRanges) {
  const ModelId first = serve({addOpen()}).take();
  const ModelId same = serve({addOpen()}).take();
  expect(send(first, 1, {2, 2}), 1, {2, 2});
  (void)serve({addOpen("", 0)}).take();
  EXPECT_EQ(send(first, 1, {2, 2}).get().status.code(), Code::NotFound);
  EXPECT_EQ(send(same, 1, {2, 2}).get().status.code(), Code::NotFound);
}

// Inputs of a check may have any sizes in the ranges.
TEST_F(OpenSizes, ACheckHasSizes) {
  ModelSpec spec;
  spec.name = "sums";
  spec.programs.push_back(addOpen());
  for (float value : {1.f, 2.f})
    spec.canaryInputs.push_back(
        tensorOf<float>({value, value, value, value}, {1, 4}));
  spec.canaryOutputs.push_back(tensorOf<float>({3, 3, 3, 3}, {1, 4}));
  ASSERT_TRUE(host.add(std::move(spec)));
  EXPECT_EQ(device->runs(1), (std::vector<Ints>{{1, 4}}));
  ModelSpec other;
  other.programs.push_back(addOpen());
  other.canaryInputs.push_back(tensorOf<float>({1, 2, 3}, {1, 3}));
  EXPECT_EQ(host.add(std::move(other)).status().message(),
            "the canary: dimension 1 of input 'x' is 3, but 'S' should be a "
            "multiple of 2; dimension 0 of input 'b' is 8, but 'N' is 1 in an "
            "input before; dimension 1 of input 'b' is 6, but 'S' is 3 in an "
            "input before");
}

// A value between parts has the sizes of each run, and a batch is joined.
TEST_F(OpenSizes, PartsPassOnTheSizesOfARun) {
  auto second = std::make_shared<HeldDevice>();
  ASSERT_TRUE(host.addDevice(second, "two").ok());
  const ModelId model = serve({addOpenInParts("one", "two")}, "N").take();
  EXPECT_EQ(device->runs(1), (std::vector<Ints>{{8, 6}}));
  EXPECT_EQ(second->runs(1), (std::vector<Ints>{{8, 6}}));
  for (const Ints &shape : {Ints{3, 4}, Ints{1, 2}, Ints{8, 6}}) {
    const Answer answer = send(model, 1, shape).get();
    ASSERT_TRUE(answer.status.ok()) << answer.status.message();
    EXPECT_EQ(answer.outputs[0].type().shape, shape);
    float next = 201;
    for (float element : answer.outputs[0].elements<float>())
      EXPECT_EQ(element, next++);
  }
  EXPECT_EQ(second->runs(3), (std::vector<Ints>{{3, 4}, {1, 2}, {8, 6}}));
  (void)device->runs(3);
  device->hold(true);
  auto first = send(model, 1, {1, 2});
  (void)device->runs(1);
  std::vector<std::future<Answer>> all;
  for (int i = 0; i < 3; ++i)
    all.push_back(send(model, float(10 * i), {2, 4}));
  device->hold(false);
  EXPECT_TRUE(first.get().status.ok());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(all[size_t(i)].get().outputs[0].elements<float>()[7],
              float(10 * i + 207));
  EXPECT_EQ(device->runs(1), (std::vector<Ints>{{6, 4}}));
}

// The devices of parts do not know the conditions of the whole.
TEST_F(OpenSizes, PartsHaveConditions) {
  const ModelId model = serve({addOpenInParts("one", "one", "N < S")}).take();
  const TensorType type{ElementKind::F32, {4, 4}};
  Tensor x = Tensor::zeros(type).take(), y = Tensor::zeros(type).take();
  const char *message =
      "sizes N = 4, S = 4: the program needs N < S [test-label]";
  EXPECT_EQ(host.run(model, {{x.view(), x.view()}, {y.view()}}).message(),
            message);
  EXPECT_EQ(send(model, 1, {4, 4}).get().status.message(), message);
}

TEST_F(OpenSizes, PartsAreAFile) {
  const std::string path = testing::TempDir() + "open.parts";
  ASSERT_TRUE(writeParts(path, addOpenInParts("one", "one", "N < S")).ok());
  Result<Program> program = openParts(path);
  std::remove(path.c_str());
  ASSERT_TRUE(program) << program.status().message();
  const ModelId model = serve({*program}).take();
  EXPECT_EQ(send(model, 1, {3, 4}).get().outputs[0].type().shape, (Ints{3, 4}));
  EXPECT_EQ(send(model, 1, {4, 4}).get().status.code(), Code::ShapeMismatch);
}

// A device refuses a program whose sizes no run tells it.
TEST(OpenPrograms, HaveEachSizeAsADimensionOfAnInput) {
  Program program = addOpen();
  EXPECT_TRUE(InterpreterDevice().load(program));
  for (Binding &input : program.inputs) {
    input.type.shape[0] = 16;
    input.lengths[0] = input.lengths[0] + input.lengths[0];
  }
  auto code = std::make_shared<StepCode>(
      *std::dynamic_pointer_cast<const StepCode>(program.code));
  for (size_t i = 0; i < 2; ++i) {
    code->buffers[i].type.shape[0] = 16;
    code->buffers[i].lengths = program.inputs[0].lengths;
  }
  program.code = code;
  EXPECT_EQ(InterpreterDevice().load(program).status().message(),
            "the size N = 1..8 is no dimension of an input");
}

// A large request is no reason to refuse a small one, nor a small one to accept
// a large one.
TEST(OpenTimes, APredictionFollowsTheSizes) {
  HostOptions options;
  auto clock = std::make_shared<simulation::Clock>(1);
  options.workers = clock;
  Host host(options);
  ASSERT_TRUE(host.addDevice(std::make_shared<TimedDevice>(*clock)).ok());
  ModelSpec spec;
  spec.programs.push_back(addOpen());
  spec.hasCanary = false;
  std::optional<ModelId> model;
  host.add(std::move(spec), [&](Result<ModelId> id) { model = id.take(); });
  while (!model && clock->step(TimePoint::max()))
    ;
  auto send = [&](Ints shape, int64_t milliseconds) {
    std::vector<Tensor> inputs;
    for (int i = 0; i < 2; ++i)
      inputs.push_back(Tensor::zeros({ElementKind::F32, shape}).take());
    RequestOptions options;
    if (milliseconds)
      options.deadline = clock->now() + std::chrono::milliseconds(milliseconds);
    std::optional<Status> answer;
    host.submit(*model, std::move(inputs), options,
                [&](Status status, std::vector<Tensor>) { answer = status; });
    while (!answer && clock->step(TimePoint::max()))
      ;
    return *answer;
  };
  for (const Ints &shape : {Ints{8, 6}, Ints{1, 2}, Ints{4, 4}, Ints{8, 6}})
    EXPECT_TRUE(send(shape, 0).ok());
  EXPECT_TRUE(send({1, 2}, 4).ok());
  EXPECT_EQ(send({8, 6}, 40).message(),
            "the request would take 48 ms, 48 of them to run, and has 40");
  EXPECT_TRUE(send({4, 2}, 12).ok());
}

// Threads send requests of any sizes, some of them wrong, which are joined.
TEST_F(OpenSizes, ThreadsSendAnySizes) {
  const ModelId model = serve({addOpen()}, "N").take();
  std::atomic<int> wrong = 0;
  auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 2500; ++i) {
      const int64_t rows = random() % 10, columns = random() % 8;
      const float first = float(random() % 1000);
      const bool isRight =
          rows >= 1 && rows <= 8 && columns % 2 == 0 && columns >= 2;
      const Answer answer = send(model, first, {rows, columns}).get();
      wrong += answer.status.ok() != isRight;
      if (!answer.status.ok() || !isRight)
        continue;
      auto y = answer.outputs[0].elements<float>();
      wrong += int64_t(y.size()) != rows * columns ||
               y.front() != 100 + first ||
               y.back() != 100 + first + float(rows * columns - 1);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed)
    threads.emplace_back(work, seed);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

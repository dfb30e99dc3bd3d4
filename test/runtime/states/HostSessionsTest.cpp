//===- HostSessionsTest.cpp - sessions of a host --------------------------===//
// SPDX-License-Identifier: MIT

#include "../Helpers.h"
#include "../Programs.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/Host.h"
#include <cstdio>
#include <future>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace glow;

namespace {

/// Holds a run whose first new element is 100 until it is opened.
struct Gate {
  std::promise<void> entered, opened;
};
Gate *gate = nullptr;

/// present = past and x, one after the other, and sum = the sum of present;
/// fails for a negative last element.
Status testAppend(const KernelCall &call) {
  const TensorView &out = call.buffers[0];
  auto *to = static_cast<float *>(out.data);
  const float *x = call.buffers[3].as<const float>();
  if (gate && x[0] == 100) {
    gate->entered.set_value();
    gate->opened.get_future().wait();
  }
  float sum = 0;
  for (size_t i = 2; i < call.buffers.size(); ++i) {
    const auto *from = call.buffers[i].as<const float>();
    for (int64_t j = 0; j < call.buffers[i].type->elements(); ++j) {
      sum += from[j];
      *to++ = from[j];
    }
  }
  *static_cast<float *>(call.buffers[1].data) = sum;
  return to[-1] < 0 ? Status(Code::InvalidArgument, "the last is negative")
                    : Status();
}

/// present [P + S] is past [P], of at most 8 elements, and x [S].
Program appending() {
  static const KernelEntry table[] = {{"test_append", testAppend}};
  KernelRegistry::instance().add(table);
  auto lengths = [](const char *text) { return parseLengths(text).take(); };
  auto type = [](int64_t size) { return TensorType{ElementKind::F32, {size}}; };
  Program program;
  program.backend = "interpreter";
  program.entry = "main";
  program.inputs = {{"past", type(8), {}}, {"x", type(4), {}}};
  program.inputs[0].lengths = lengths("[P], P = 0..8");
  program.inputs[1].lengths = lengths("[S], S = 1..4");
  program.outputs = {{"present", type(12), {}}, {"sum", type(1), {}}};
  program.outputs[0].lengths = lengths("[P + S], P = 0..8, S = 1..4");
  auto code = std::make_shared<StepCode>();
  code->buffers = {{BufferPlace::Input, 0, 0, type(8), "past"},
                   {BufferPlace::Input, 1, 0, type(4), "x"},
                   {BufferPlace::Output, 0, 0, type(12), "present"},
                   {BufferPlace::Output, 1, 0, type(1), "sum"}};
  for (size_t i = 0; i < 3; ++i)
    code->buffers[i].lengths =
        i < 2 ? program.inputs[i].lengths : program.outputs[0].lengths;
  code->steps = {{"test_append", "append", {2, 3, 0, 1}, {1, 1, 1, 1}, {}}};
  program.code = code;
  program.states = {{{"past", "present"}}};
  return program;
}

struct HostSessions : testing::Test {
  using Floats = std::vector<float>;
  using Answer = std::pair<Status, Floats>;

  HostOptions options;
  std::unique_ptr<Host> host;
  ModelId model{};

  void SetUp() override { serve(); }
  void serve() {
    host = std::make_unique<Host>(options);
    ASSERT_TRUE(host->openDevice("interpreter", {}, "one").ok());
    ASSERT_TRUE(host->openDevice("interpreter", {}, "two").ok());
    Result<ModelId> added = add();
    ASSERT_TRUE(added) << added.status().message();
    model = *added;
  }
  Result<ModelId> add() { return add("append", appending()); }
  Result<ModelId> add(const char *name, Program program) {
    ModelSpec spec;
    spec.name = name;
    spec.programs = {std::move(program)};
    spec.copies = 2;
    return host->add(std::move(spec));
  }
  HostSessionId open() { return host->openSession(model).take(); }

  std::future<Answer> send(HostSessionId session, Floats x, int priority = 0,
                           RequestHandle *handle = nullptr,
                           size_t program = 0) {
    auto promise = std::make_shared<std::promise<Answer>>();
    std::vector<Tensor> inputs;
    inputs.push_back(tensorOf<float>(x));
    RequestOptions how;
    how.priority = priority;
    RequestHandle sent = host->submit(
        session, program, std::move(inputs), how,
        [promise](Status status, std::vector<Tensor> outputs) {
          EXPECT_EQ(outputs.size(), status.ok() ? 1u : 0u);
          promise->set_value(
              {status, status.ok() ? listOf<float>(outputs[0]) : Floats()});
        });
    if (handle)
      *handle = sent;
    return promise->get_future();
  }
  Floats sum(HostSessionId session, Floats x) {
    Answer answer = send(session, std::move(x)).get();
    EXPECT_TRUE(answer.first.ok()) << answer.first.message();
    return answer.second;
  }
  int64_t length(HostSessionId session) {
    int64_t length = -1;
    EXPECT_TRUE(host->withSession(session,
                                  [&](SessionStates &states) {
                                    length = states.all()[0].length;
                                    return Status();
                                  })
                    .ok());
    return length;
  }
};

} // namespace

TEST_F(HostSessions, KeepTheirStatesApart) {
  const HostSessionId one = open(), two = open();
  EXPECT_EQ(sum(one, {1, 2}), Floats{3});
  EXPECT_EQ(sum(two, {10}), Floats{10});
  EXPECT_EQ(sum(one, {3}), Floats{6});
  EXPECT_EQ(sum(two, {20, 30}), Floats{60});
  EXPECT_EQ(length(one), 3);
  EXPECT_EQ(length(two), 3);
}

TEST_F(HostSessions, RunsRequestsInOrder) {
  const HostSessionId session = open();
  std::vector<std::future<Answer>> answers;
  for (float x = 1; x <= 8; ++x)
    answers.push_back(send(session, {x}));
  float sum = 0;
  for (float x = 1; x <= 8; ++x)
    EXPECT_EQ(answers[size_t(x) - 1].get().second, Floats{sum += x});
}

// A request that waits for its session is no obstacle to others.
TEST_F(HostSessions, OthersGoOnMeanwhile) {
  Gate held;
  gate = &held;
  const HostSessionId one = open(), two = open();
  auto first = send(one, {100}), later = send(one, {1}, 5);
  held.entered.get_future().wait();
  EXPECT_EQ(sum(two, {7}), Floats{7});
  EXPECT_EQ(host->withSession(one, [](SessionStates &) { return Status(); })
                .message(),
            "session 1 runs a request; its states are free between requests");
  held.opened.set_value();
  EXPECT_EQ(first.get().second, Floats{100});
  EXPECT_EQ(later.get().second, Floats{101});
  EXPECT_EQ(length(one), 2);
  gate = nullptr;
}

TEST_F(HostSessions, AFailureLeavesTheStates) {
  const HostSessionId session = open();
  EXPECT_EQ(sum(session, {1, 2, 3, 4}), Floats{10});
  EXPECT_EQ(send(session, {-1}).get().first.code(), Code::InvalidArgument);
  EXPECT_EQ(length(session), 4);
  EXPECT_EQ(sum(session, {1, 1, 1}), Floats{13});
  EXPECT_EQ(send(session, {1, 1}).get().first.message(),
            "state 'past' has 7 entries of at most 8, and the run appends 2: "
            "its capacity is exceeded");
  EXPECT_EQ(send(session, {1, 2, 3, 4, 5}).get().first.code(),
            Code::ShapeMismatch);
  EXPECT_EQ(sum(session, {2}), Floats{15});
}

// The states change only by requests that are answered with their outputs.
TEST_F(HostSessions, ACancelledRequestLeavesTheStates) {
  Gate held;
  gate = &held;
  const HostSessionId session = open();
  EXPECT_EQ(sum(session, {5}), Floats{5});
  RequestHandle handle;
  auto cancelled = send(session, {100}, 0, &handle);
  held.entered.get_future().wait();
  auto next = send(session, {1});
  host->cancel(handle);
  EXPECT_EQ(cancelled.get().first.code(), Code::Cancelled);
  held.opened.set_value();
  EXPECT_EQ(next.get().second, Floats{6});
  gate = nullptr;
}

TEST_F(HostSessions, RollBackAndGoToFiles) {
  const std::string path =
      testing::TempDir() + "session." + std::to_string(::getpid());
  const HostSessionId session = open();
  sum(session, {1, 2, 3});
  auto with = [&](HostSessionId of, auto body) {
    return host->withSession(of, body);
  };
  EXPECT_TRUE(with(session, [&](SessionStates &states) {
                return states.save(path);
              }).ok());
  EXPECT_TRUE(with(session, [&](SessionStates &states) {
                return states.rollback(2);
              }).ok());
  EXPECT_EQ(sum(session, {10}), Floats{11});
  EXPECT_TRUE(host->closeSession(session).ok());
  const HostSessionId other = open();
  EXPECT_TRUE(with(other, [&](SessionStates &states) {
                return states.restore(path);
              }).ok());
  EXPECT_EQ(sum(other, {10}), Floats{16});
  std::remove(path.c_str());
}

TEST_F(HostSessions, AreClosed) {
  Gate held;
  gate = &held;
  const HostSessionId session = open();
  auto first = send(session, {100});
  held.entered.get_future().wait();
  auto second = send(session, {1});
  EXPECT_TRUE(host->closeSession(session).ok());
  EXPECT_EQ(second.get().first.message(),
            "the session of the request was closed");
  held.opened.set_value();
  EXPECT_EQ(first.get().second, Floats{100});
  EXPECT_EQ(host->closeSession(session).message(), "the host has no session 1");
  EXPECT_EQ(send(session, {1}).get().first.code(), Code::NotFound);
  gate = nullptr;
}

TEST_F(HostSessions, TakeMemory) {
  options.memoryLimit = 100; // a state has 32 bytes
  serve();
  const HostSessionId first = open();
  EXPECT_EQ(host->report().memoryBytes, 32u);
  open(), open();
  EXPECT_EQ(host->openSession(model).status().message(),
            "the session takes 32 bytes, 96 of 100 are taken");
  EXPECT_TRUE(host->closeSession(first).ok());
  EXPECT_TRUE(host->openSession(model));
}

TEST_F(HostSessions, BelongToAVersion) {
  const HostSessionId session = open();
  sum(session, {1});
  const ModelId newer = add().take();
  EXPECT_EQ(send(session, {1}).get().first.message(),
            "model 'append' version 1 is not served");
  EXPECT_EQ(length(session), 1); // it can still be saved
  EXPECT_TRUE(host->openSession(newer));
}

TEST_F(HostSessions, AreRefused) {
  EXPECT_EQ(host->openSession(ModelId(77)).status().message(),
            "no program is loaded as 77");
  const ModelId plain = host->load(addTwice(2)).take();
  EXPECT_EQ(host->openSession(plain).status().code(), Code::InvalidArgument);
  const HostSessionId session = open();
  auto promise = std::make_shared<std::promise<Status>>();
  host->submit(session, {}, {}, [&](Status status, std::vector<Tensor>) {
    promise->set_value(status);
  });
  EXPECT_EQ(promise->get_future().get().message(),
            "a request has 0 inputs, a session of model 'append' takes 1 "
            "beside its states");
}

/// The sum of past [P] and x [S]; nothing is appended.
static Program adding() {
  Program program = appending();
  auto code =
      std::make_shared<StepCode>(dynamic_cast<const StepCode &>(*program.code));
  code->buffers[2] = {
      BufferPlace::Arena,      0, 0, code->buffers[2].type, "all", 0, ~0u,
      code->buffers[2].lengths};
  code->buffers[3].index = 0;
  program.outputs.erase(program.outputs.begin());
  program.arenaBytes = 64;
  program.code = code;
  program.states.reset();
  return program;
}

// Models of one session share its states, as functions of a module do.
TEST_F(HostSessions, OfSeveralModels) {
  Result<ModelId> reader = add("add", adding());
  ASSERT_TRUE(reader) << reader.status().message();
  const ModelId models[] = {model, *reader};
  Result<HostSessionId> opened = host->openSession(models);
  ASSERT_TRUE(opened) << opened.status().message();
  const HostSessionId session = *opened, other = open();
  auto look = [&](Floats x) {
    return send(session, std::move(x), 0, nullptr, 1).get().second;
  };
  EXPECT_EQ(sum(session, {1, 2}), Floats{3});
  EXPECT_EQ(look({10}), Floats{13});
  EXPECT_EQ(look({20, 20}), Floats{43});
  EXPECT_EQ(sum(session, {3}), Floats{6});
  EXPECT_EQ(sum(other, {3}), Floats{3});
  EXPECT_EQ(length(session), 3);

  // Requests to different models run in order, too.
  std::vector<std::future<Answer>> answers;
  for (float x = 1; x <= 4; ++x) {
    answers.push_back(send(session, {x}));
    answers.push_back(send(session, {100}, 0, nullptr, 1));
  }
  float all = 6;
  for (float x = 1; x <= 4; ++x) {
    EXPECT_EQ(answers[size_t(x) * 2 - 2].get().second, Floats{all += x});
    EXPECT_EQ(answers[size_t(x) * 2 - 1].get().second, Floats{all + 100});
  }

  // A cancelled request gives way to one to another model.
  Gate held;
  gate = &held;
  const HostSessionId fresh = host->openSession(models).take();
  auto first = send(fresh, {100});
  held.entered.get_future().wait();
  RequestHandle handle;
  auto second = send(fresh, {1}, 0, &handle);
  auto third = send(fresh, {2}, 0, nullptr, 1);
  held.opened.set_value();
  host->cancel(handle);
  EXPECT_EQ(first.get().second, Floats{100});
  second.wait();
  EXPECT_GE(third.get().second[0], 102);
  gate = nullptr;

  EXPECT_EQ(send(session, {1}, 0, nullptr, 2).get().first.message(),
            "session 1 has 2 models, and none with the number 2");
  EXPECT_EQ(host->openSession(std::span<const ModelId>()).status().message(),
            "a session has one model at least");
  EXPECT_TRUE(host->closeSession(fresh).ok());
  EXPECT_TRUE(host->closeSession(session).ok());
}

// Many threads, sessions and failures: each answer is that of a session which
// had the successful requests before it.
TEST_F(HostSessions, ManyAtATime) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([this, thread] {
      std::mt19937 random{unsigned(thread)};
      const HostSessionId session = open();
      Floats all;
      for (int i = 0; i < 200; ++i) {
        Floats x;
        for (unsigned count = 1 + random() % 4; count; --count)
          x.push_back(float(random() % 9));
        if (random() % 8 == 0)
          x.back() = -1;
        const Answer answer = send(session, x).get();
        const bool fits = all.size() + x.size() <= 8;
        EXPECT_EQ(answer.first.ok(), fits && x.back() >= 0);
        if (answer.first.ok()) {
          all.insert(all.end(), x.begin(), x.end());
          float sum = 0;
          for (float element : all)
            sum += element;
          EXPECT_EQ(answer.second, Floats{sum});
        }
        if (all.size() < 8)
          continue;
        EXPECT_TRUE(host->withSession(session,
                                      [&](SessionStates &states) {
                                        return states.rollback(5);
                                      })
                        .ok());
        all.resize(3);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

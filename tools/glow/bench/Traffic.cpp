//===- Traffic.cpp - requests of many clients, and their latency ----------===//
// SPDX-License-Identifier: MIT

#include "Traffic.h"
#include "glow/Base/Threads.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <random>
#include <semaphore>

using namespace glow;
using namespace glow::tool;
using Clock = std::chrono::steady_clock;

double TrafficResult::percentile(double percent) const {
  if (latencies.empty())
    return 0;
  auto rank = size_t(std::ceil(percent / 100 * double(latencies.size())));
  return latencies[std::max<size_t>(rank, 1) - 1];
}

Json TrafficResult::json() const {
  double perSecond = seconds > 0 ? double(answered) / seconds : 0;
  double inTime = seconds > 0 ? double(answered - late) / seconds : 0;
  return {{"answered", answered},
          {"refused", refused},
          {"missed", missed},
          {"late", late},
          {"missed_after_ms", missedAfter},
          {"behind_ms", behind},
          {"failed", failed},
          {"median_ms", percentile(50)},
          {"p90_ms", percentile(90)},
          {"p99_ms", percentile(99)},
          {"p99_9_ms", percentile(99.9)},
          {"max_ms", percentile(100)},
          {"per_second", perSecond},
          {"goodput_per_second", inTime}};
}

static double millisecondsIn(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

static Duration durationOf(double seconds) {
  return Duration(int64_t(seconds * 1e9));
}

namespace {

/// Sends and counts. Answers come on any thread.
class Traffic {
public:
  Traffic(Host &host, ModelId model, const std::vector<NamedTensor> &inputs,
          const TrafficOptions &options)
      : host(host), model(model), inputs(inputs), options(options),
        counted(Clock::now() + durationOf(options.seconds / 10)),
        end(counted + durationOf(options.seconds)) {}

  Result<TrafficResult> run() {
    std::vector<std::thread> clients(std::max(options.clients, 1u));
    Status status;
    for (unsigned i = 0; i < clients.size() && status.ok(); ++i)
      status = beginThread(clients[i], [this, i] {
                 options.rate > 0 ? sendAtRate(i) : sendByAnswers();
               }).prefixed("client " + std::to_string(i + 1) + ": ");
    isStopped = !status.ok();
    for (std::thread &client : clients)
      if (client.joinable())
        client.join();
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return open == 0; });
    if (!status.ok())
      return status;
    if (!outOfMemory.ok())
      return outOfMemory;
    result.seconds = std::chrono::duration<double>(last - counted).count();
    std::ranges::sort(result.latencies);
    return std::move(result);
  }

private:
  void sendByAnswers() {
    // The releasing thread may touch it after this thread has gone on.
    auto answered = std::make_shared<std::binary_semaphore>(0);
    while (Clock::now() < end && !isStopped && send(std::nullopt, answered))
      answered->acquire();
  }

  /// Sends the requests of a client; clients have equal shares of the rate.
  void sendAtRate(unsigned client) {
    std::mt19937_64 chance(std::mt19937_64::default_seed + client);
    std::exponential_distribution<double> gap(options.rate /
                                              std::max(options.clients, 1u));
    for (TimePoint next = Clock::now(); next < end && !isStopped;
         next += durationOf(gap(chance))) {
      std::this_thread::sleep_until(next);
      if (!send(next, nullptr))
        return;
    }
  }

  /// `planned` is when it should be sent, if that matters. False when there is
  /// no memory.
  bool send(std::optional<TimePoint> planned,
            std::shared_ptr<std::binary_semaphore> answered) {
    std::vector<Tensor> copies;
    for (const NamedTensor &input : inputs) {
      Result<Tensor> copy = Tensor::copyOf(input.tensor.view());
      std::lock_guard lock(mutex);
      if (!copy) {
        outOfMemory = copy.status();
        return false;
      }
      copies.push_back(copy.take());
    }
    const TimePoint start = planned.value_or(Clock::now());
    RequestOptions request;
    if (options.deadlineMs > 0)
      request.deadline = start + durationOf(options.deadlineMs / 1000);
    {
      std::lock_guard lock(mutex);
      ++open;
      if (start >= counted)
        result.behind =
            std::max(result.behind, millisecondsIn(Clock::now() - start));
    }
    host.submit(model, std::move(copies), request,
                [=, this](Status status, std::vector<Tensor>) {
                  count(start, request.deadline, status);
                  if (answered)
                    answered->release();
                  std::lock_guard lock(mutex);
                  if (--open == 0)
                    changed.notify_all();
                });
    return true;
  }

  void count(TimePoint start, TimePoint deadline, const Status &status) {
    const TimePoint now = Clock::now();
    std::lock_guard lock(mutex);
    last = std::max(last, now);
    if (start < counted)
      return;
    if (status.ok()) {
      ++result.answered;
      result.late += now > deadline;
      result.latencies.push_back(millisecondsIn(now - start));
    } else if (status.code() == Code::Overloaded) {
      ++result.refused;
    } else if (status.code() == Code::Deadline) {
      ++result.missed;
      result.missedAfter =
          std::max(result.missedAfter, millisecondsIn(now - deadline));
    } else {
      if (!result.failed++)
        result.failure = status;
    }
  }

  Host &host;
  const ModelId model;
  const std::vector<NamedTensor> &inputs;
  const TrafficOptions &options;
  const TimePoint counted, end; // from when on it counts, and is sent until

  std::atomic<bool> isStopped = false; // a client has no thread

  std::mutex mutex; // guards what follows
  std::condition_variable changed;
  size_t open = 0; // requests without an answer
  TimePoint last = counted;
  TrafficResult result;
  Status outOfMemory;
};

} // namespace

Result<TrafficResult> tool::sendTraffic(Host &host, ModelId model,
                                        const std::vector<NamedTensor> &inputs,
                                        const TrafficOptions &options) {
  return Traffic(host, model, inputs, options).run();
}

//===- Request.h - requests, and the queues of models -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Plain data of the scheduler. The lock of the host guards every member, except
// where a comment names another one.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_SCHEDULER_REQUEST_H
#define GLOW_RUNTIME_HOST_SCHEDULER_REQUEST_H

#include "host/provisioner/ServedModel.h"
#include <map>
#include <set>

namespace glow::runtime {

struct Batch;
struct Request;

/// Sort key of requests: the negated priority, then the order of admission.
using QueueKey = std::pair<int64_t, uint64_t>;

/// Bytes of tensors in memory of the host that requests hold.
struct HostMemory {
  std::atomic<uint64_t> taken{0};
};

/// A session of one or several served models. One request of it runs at a time.
struct HostSession {
  HostSession(HostSessionId id, std::vector<std::shared_ptr<ServedModel>> given,
              std::unique_ptr<SessionStates> states)
      : id(id), programs(std::move(given)), states(std::move(states)),
        models(programs.begin(), programs.end()) {}
  ~HostSession() {
    if (memory)
      memory->taken -= bytes;
  }

  const HostSessionId id;
  /// Model `i` has the places of program `i` of the states.
  const std::vector<std::shared_ptr<ServedModel>> programs;
  const std::unique_ptr<SessionStates>
      states; ///< its holder's, without the lock
  /// All models with requests of the session: `programs`, and models that have
  /// run in place of one of them.
  std::set<std::shared_ptr<ServedModel>> models;
  /// The requests in the queues of the models, of which the first runs next.
  std::set<QueueKey> waiting;
  /// The run that has the states until it is drained, or the session itself
  /// while a caller has them; else null.
  const void *holder = nullptr;

  uint64_t bytes = 0;
  std::shared_ptr<HostMemory> memory;
};

/// A caller's request. It lives until no device can touch its tensors.
struct Request : Operands {
  ~Request() {
    if (memory)
      memory->taken -= bytes;
  }

  QueueKey key() const { return {-int64_t(options.priority), id}; }

  uint64_t id = 0;
  std::shared_ptr<ServedModel> model;
  RequestOptions options;
  TimePoint admitted, started;

  std::shared_ptr<HostSession> session; ///< null: the request is for itself
  std::vector<Tensor> inputs;           ///< empty if the caller owns the inputs
  bool isBorrowed = false; ///< answered only when no device touches its memory

  std::function<void(Status, std::vector<Tensor>)> done;

  State<RequestState> state = RequestState::Waiting;
  unsigned kills = 0;   ///< devices that were lost during its runs
  bool isAlone = false; ///< never put into a batch with other requests again
  bool isCancelled = false;
  std::weak_ptr<Batch> run; ///< the latest run
  TimerId timer = TimerId::None;

  uint64_t bytes = 0;
  std::shared_ptr<HostMemory> memory;
};

/// The waiting requests of a model, and its share of the devices.
struct Queue {
  std::map<QueueKey, std::shared_ptr<Request>> requests;
  Duration deficit{0}; ///< device time that the model may still use
  TimerId collecting = TimerId::None;
  TimePoint collectsUntil;
  ModelCounters counters;
};

/// A run for requests.
struct Batch final : Run {
  /// The session whose states the run has, or null.
  HostSession *session() const { return requests.front()->session.get(); }

  Batch(std::shared_ptr<ModelCopy> runs, size_t variant,
        std::vector<std::shared_ptr<Request>> requests)
      : Run(runs->model->spec.name, *runs, *runs->model->variants[variant],
            variant, nullptr, false),
        copy(std::move(runs)), requests(std::move(requests)) {}

  size_t requestCount() const override { return requests.size(); }
  Operands *request(size_t index) const override {
    return requests[index].get();
  }

  const std::shared_ptr<ModelCopy> copy;
  const std::vector<std::shared_ptr<Request>> requests; ///< until the run ends
  /// Requests of a failed run with memory that another run writes again:
  /// borrowed, or of a session. Decided when no device touches it.
  std::vector<std::shared_ptr<Request>> held;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_SCHEDULER_REQUEST_H

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

namespace glow::runtime {

struct Batch;

/// Bytes of tensors in memory of the host that requests hold.
struct HostMemory {
  std::atomic<uint64_t> taken{0};
};

/// A caller's request. It lives until no device can touch its tensors.
struct Request : Operands {
  ~Request() {
    if (memory)
      memory->taken -= bytes;
  }

  uint64_t id = 0;
  std::shared_ptr<ServedModel> model;
  RequestOptions options;
  TimePoint admitted, started;

  std::vector<Tensor> inputs; ///< empty if the caller owns the inputs
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

/// Sort key of a queue: the negated priority, then the order of admission.
using QueueKey = std::pair<int64_t, uint64_t>;

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
  /// Borrowed requests of a failed run; decided when no device touches them.
  std::vector<std::shared_ptr<Request>> held;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_SCHEDULER_REQUEST_H

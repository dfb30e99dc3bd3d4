//===- Scheduler.h - requests, from admission to answer ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_SCHEDULER_H
#define GLOW_RUNTIME_HOST_SCHEDULER_H

#include "State.h"

namespace glow::runtime {

/// Admits requests, keeps them in order, makes batches of them, and answers
/// them. Methods are called under the lock, unless their comment says
/// otherwise.
class Scheduler {
public:
  explicit Scheduler(Core &core) : core(core) {}

  /// Queues a request, or refuses it: `done` is then called after the Entry.
  void submit(const std::shared_ptr<Request> &request);

  /// Answers a request with Code::Cancelled, unless it is answered.
  void cancel(const std::shared_ptr<Request> &request);

  /// Starts a run on a device with free capacity; false if no waiting request
  /// can run there.
  bool feed(Slot &slot);

  /// Answers the requests of a run that is over, or queues them again.
  /// `killed`: its device was lost while it ran.
  void finish(const std::shared_ptr<Run> &run, bool killed);

  /// Does the same for the borrowed requests that finish() has held back,
  /// because a device could still touch their tensors.
  void release(const std::shared_ptr<Run> &run);

  /// Answers all waiting requests of a model with an error.
  void failWaiting(Model &model, const Status &status);

  /// Answers the running requests of a device, except those on memory of their
  /// callers.
  void failRunning(Slot &slot, const Status &status);

  /// Marks the devices of the ready copies of a model as dirty.
  void wake(Model &model);

  size_t waiting() const { return queued; }

private:
  struct Choice;

  Status admit(Request &request);
  Duration predictedWait(const Model &model, const Slot &slot) const;
  void push(const std::shared_ptr<Request> &request);
  void remove(Request &request);
  void expire(const std::shared_ptr<Request> &request, Code code);
  void answer(const std::shared_ptr<Request> &request, Status status);
  bool claim(const std::shared_ptr<Request> &request);
  void countAsLate(const Request &request); ///< takes the lock itself
  void deliver(const std::shared_ptr<Run> &run);
  void decide(const std::shared_ptr<Request> &request, const Run &run,
              bool killed);
  void settled(Model &model);
  void dropHopeless(Model &model, Duration time);
  bool offers(Model &model, Slot &slot, Choice &choice);
  bool shouldCollect(Model &model, const Slot &slot, const Choice &choice);
  void begin(Choice choice);
  void trace(const Request &request, const char *category, TimePoint from);

  Core &core;
  size_t queued = 0;
  uint64_t order = 0; ///< the id of the last request
};

/// Calls `done` of a request, at most once; called without the lock.
void tell(Request &request, Status status, std::vector<Tensor> outputs);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_SCHEDULER_H

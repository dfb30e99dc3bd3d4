//===- Scheduler.h - requests, from admission to answer ---------*- C++ -*-===//

#ifndef GLOW_RUNTIME_HOST_SCHEDULER_H
#define GLOW_RUNTIME_HOST_SCHEDULER_H

#include "State.h"

namespace glow::runtime {

/// Admits requests, keeps them in order, puts them together, and answers them.
/// Methods are called under the lock.
class Scheduler {
public:
  explicit Scheduler(Core &core) : core(core) {}

  /// Queues a request, or answers it at once.
  void submit(const std::shared_ptr<Request> &request);

  /// Answers a request with Code::Cancelled, unless it is answered.
  void cancel(const std::shared_ptr<Request> &request);

  /// Starts a run on an idle device; false if nothing waits that it can run.
  bool feed(Slot &slot);

  /// Answers the requests of a run that is over, or queues them again.
  /// `killed`: its device was lost while it ran.
  void finish(const std::shared_ptr<Run> &run, bool killed);

  /// The same for those whose tensors a device had.
  void release(const std::shared_ptr<Run> &run);

  /// Answers all that wait for a model, as no device of it comes back.
  void failWaiting(Model &model, const Status &status);

  /// Answers all that a device runs.
  void failRunning(Slot &slot, const Status &status);

  /// Lets devices see what waits for a model.
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
  void countAsLate(const Request &request); ///< was claimed; takes the lock
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
  uint64_t order = 0; ///< of requests
};

/// Answers a request; the lock is free.
void tell(Request &request, Status status, std::vector<Tensor> outputs);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_SCHEDULER_H

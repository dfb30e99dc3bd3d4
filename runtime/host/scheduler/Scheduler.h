//===- Scheduler.h - requests, from admission to answer ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_SCHEDULER_SCHEDULER_H
#define GLOW_RUNTIME_HOST_SCHEDULER_SCHEDULER_H

#include "Request.h"
#include "host/provisioner/Provisioner.h"

namespace glow::runtime {

/// Admits requests, keeps them in order, makes batches of them, and answers
/// them. Owns requests and the queues of models. Methods are called under the
/// lock, unless their comment says otherwise.
class Scheduler {
public:
  Scheduler(Monitor &monitor, Provisioner &provisioner, Executor &executor)
      : monitor(monitor), provisioner(provisioner), executor(executor) {}

  /// Queues a request, or refuses it: `done` is then called after the Entry.
  void submit(const std::shared_ptr<Request> &request);

  /// Runs a request of the thread of its caller at once, without queue and
  /// memory, if it asks for nothing else, no request waits, and a device is
  /// free that runs on this thread. Else it is empty: the caller submits the
  /// request, after `kills` losses of devices. Called without the lock.
  std::optional<Status> runHere(const std::shared_ptr<ServedModel> &model,
                                const Tensors &tensors, unsigned &kills);

  /// Answers a request with Code::Cancelled, unless it is answered.
  void cancel(const std::shared_ptr<Request> &request);

  /// Answers all requests with an error, except running requests on memory of
  /// their callers.
  void close(const Status &status);

  /// As Host::openSession, for states that are not yet in a session.
  Result<HostSessionId> open(std::vector<std::shared_ptr<ServedModel>> models,
                             std::unique_ptr<SessionStates> states);

  /// The session, or null.
  std::shared_ptr<HostSession> find(HostSessionId id) const;

  /// Ends a session, and cancels its waiting requests.
  void close(const std::shared_ptr<HostSession> &session);

  /// Lets the next request of a session run, if `holder` has its states.
  void letGo(HostSession &session, const void *holder);

  size_t waiting() const { return queued; }
  uint64_t memoryTaken() const { return memory->taken; }

  // Events of the executor and the provisioner.

  /// Starts a run on a device with free capacity; false if no waiting request
  /// can run there.
  bool feed(DeviceSlot &slot);

  /// Answers the requests of a run that is over, or queues them again.
  /// `killed`: its device was lost while it ran.
  void finish(const std::shared_ptr<Batch> &run, bool killed);

  /// Called when no device touches the tensors of a run that is over: does the
  /// same for the requests that finish() has held back.
  void release(const std::shared_ptr<Batch> &run);

  /// Answers all waiting requests of a model with an error.
  void failWaiting(ServedModel &model, const Status &status);

  /// Marks the devices of the ready copies of a model: they have free capacity
  /// or new work.
  void wake(ServedModel &model);
  /// The same of all models of a session.
  void wake(const HostSession &session);

  /// A model was removed.
  void forget(ServedModel &model);

private:
  struct Choice;
  struct DirectRequest;

  Status checkServed(const ServedModel &model) const;
  Status checkMemory(const char *what, uint64_t bytes) const;
  Status admit(Request &request);
  Duration predictedWait(const DeviceSlot &slot) const;
  bool enter(const std::shared_ptr<ServedModel> &model, DirectRequest &run);
  void leave(DirectRequest &run, TimePoint end, const Status &status);
  static void count(ServedModel &model, Code code);
  void push(const std::shared_ptr<Request> &request);
  void remove(Request &request);
  void expire(const std::shared_ptr<Request> &request, Code code);
  void answer(const std::shared_ptr<Request> &request, Status status);
  bool claim(const std::shared_ptr<Request> &request);
  void countAsLate(const Request &request); ///< takes the lock itself
  void deliver(const std::shared_ptr<Batch> &run);
  void decide(const std::shared_ptr<Request> &request, const Batch &run,
              bool killed);
  void settled(ServedModel &model);
  void shedLate(ServedModel &model, const ModelCopy &copy);
  bool offers(ServedModel &model, DeviceSlot &slot, Choice &choice);
  bool shouldCollect(const std::shared_ptr<ServedModel> &model,
                     const DeviceSlot &slot, const Choice &choice);
  void begin(Choice choice);
  Status bindSession(Request &request);
  void letGo(const Batch &run);
  void trace(const Request &request, const char *category, TimePoint from);

  Monitor &monitor;
  Provisioner &provisioner;
  Executor &executor;
  const std::shared_ptr<HostMemory> memory = std::make_shared<HostMemory>();
  size_t queued = 0;
  uint64_t order = 0; ///< the id of the last request
  uint64_t lastSession = 0;
  std::map<HostSessionId, std::shared_ptr<HostSession>> sessions;
  std::vector<size_t> turns; ///< by device: index of the model that is served
};

/// Calls `done` of a request, at most once; called without the lock.
void complete(Request &request, Status status, std::vector<Tensor> outputs);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_SCHEDULER_SCHEDULER_H

//===- Executor.h - runs of parts on devices --------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_HOST_EXECUTOR_H
#define GLOW_RUNTIME_HOST_EXECUTOR_H

#include "State.h"

namespace glow::runtime {

/// Runs the parts of a program as soon as what they read is there and their
/// device has room. A wait costs no thread. Methods without another word are
/// called under the lock.
class Executor {
public:
  explicit Executor(Core &core) : core(core) {}

  /// Begins a run: of all parts, or those on the device that is checked.
  void start(const std::shared_ptr<Run> &run);

  /// Gives a device what waits for it, and then what the scheduler has.
  void pump(Slot &slot);

  /// Takes a device out: what it runs goes elsewhere, and nothing that it still
  /// says about runs of before is believed.
  void fault(Slot &slot, const std::string &why);

  /// Forgets what a lost device has: it was reset, and touches nothing more.
  void forgetLost(Slot &slot);

  /// Ends a run whose requests are answered.
  void abandon(const std::shared_ptr<Run> &run);

  /// Gives a task to its device; without the lock.
  static void handOver(const std::shared_ptr<Task> &task);

private:
  static void ended(const std::shared_ptr<Task> &task, Status status);
  static void threw(const std::shared_ptr<Task> &task, const char *what);
  void onEnded(const std::shared_ptr<Task> &task, Status status);
  void enqueue(const std::shared_ptr<Run> &run, uint32_t part);
  void launch(const std::shared_ptr<Task> &task);
  void partDone(const std::shared_ptr<Task> &task);
  void end(const std::shared_ptr<Run> &run, Status status, bool killed);
  void afterTask(const std::shared_ptr<Run> &run);
  void measure(const Task &task);
  void watch(TimePoint limit);
  void patrol();

  Core &core;
  TimerId patrolTimer = TimerId::None;
  TimePoint patrolTime = TimePoint::max();
};

/// Gives a run its values: what requests brought, put together if there are
/// several, and memory for the rest. Called once, without the lock.
Status prepareRun(Run &run);

/// The outputs of a request that has the rows from `first` on.
Result<std::vector<Tensor>> outputsOf(Run &run, const Request &request,
                                      int64_t first);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_EXECUTOR_H

//===- Executor.h - runs of parts on devices --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_EXECUTOR_H
#define GLOW_RUNTIME_HOST_EXECUTOR_H

#include "State.h"

namespace glow::runtime {

/// Runs each part of a program as soon as its inputs are written and its device
/// has free capacity. No thread blocks while a part waits. Methods are called
/// under the lock, unless their comment says otherwise.
class Executor {
public:
  explicit Executor(Core &core) : core(core) {}

  /// Begins a run: of all parts, or of the parts on the device under check.
  void start(const std::shared_ptr<Run> &run);

  /// Fills a device: first its waiting tasks, then requests of the scheduler.
  void pump(Slot &slot);

  /// Marks a device as lost and ends its runs; their requests run elsewhere.
  /// Later results of tasks from before are ignored.
  void fault(Slot &slot, const std::string &why);

  /// Ends the tasks that a lost device still had: after its reset the device
  /// touches no tensor of them.
  void forgetLost(Slot &slot);

  /// Cancels the tasks of a run whose requests are answered.
  void abandon(const std::shared_ptr<Run> &run);

  /// Prepares a task and calls Device::run; called without the lock.
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

/// Sets the values of a run: the inputs of its requests, gathered if there are
/// several, and memory for all other values. Called once a run, without the
/// lock of the host.
Status prepareRun(Run &run);

/// The outputs of a request whose rows begin at row `first` of the run.
Result<std::vector<Tensor>> outputsOf(Run &run, const Request &request,
                                      int64_t first);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_EXECUTOR_H

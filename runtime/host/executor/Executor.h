//===- Executor.h - runs of parts on devices --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_EXECUTOR_EXECUTOR_H
#define GLOW_RUNTIME_HOST_EXECUTOR_EXECUTOR_H

#include "Run.h"
#include "host/monitor/Events.h"

namespace glow::runtime {

/// Runs each part of a program as soon as its inputs are written and its device
/// has free capacity. No thread blocks while a part waits. Owns devices, tasks,
/// and the state of each run. Methods are called under the lock, unless their
/// comment says otherwise.
class Executor {
public:
  Executor(Monitor &monitor, Events &events)
      : monitor(monitor), events(events) {}

  /// Begins a run: of all parts, or of the parts on the device under check.
  void start(const std::shared_ptr<Run> &run);

  /// Begins a run on the thread of its caller; false if the device of
  /// `run.instance` cannot take it at once.
  bool enter(DirectRun &run);

  /// Runs it; called without the lock.
  static Status run(DirectRun &run, const Tensors &tensors);

  /// Whether the device of a run was lost meanwhile, or by the run.
  static bool isLost(const DirectRun &run);

  /// Ends a run after `time`, and marks its device as lost if it was.
  void leave(DirectRun &run, Duration time, const Status &status);

  /// Cancels the tasks of a run whose requests are answered.
  void abandon(const Run &run);

  /// Marks a device that may have free capacity or new work; settle() then
  /// fills it.
  void wake(DeviceSlot &slot);

  /// Gives work to the devices that were marked, at the end of an Entry.
  void settle();

  /// Marks a device as lost and ends its runs; their requests run elsewhere.
  /// Later results of tasks from before are ignored.
  void fault(DeviceSlot &slot, const std::string &why);

  /// Sets the state of a device, as its checks have shown it.
  void judge(DeviceSlot &slot, DeviceState state, const std::string &why);

  /// Ends the tasks that a lost device still had: after its reset the device
  /// touches no tensor of them.
  void forgetLost(DeviceSlot &slot);

  /// Adds a device. Fails with Code::InvalidArgument if its name is taken.
  Status add(std::unique_ptr<DeviceSlot> slot);
  const std::vector<std::unique_ptr<DeviceSlot>> &devices() const {
    return slots;
  }

  /// Releases all devices; no task is launched any more.
  void clear();

  /// The predicted time until the active tasks of a device have ended.
  Duration remaining(const DeviceSlot &slot) const;

  /// Reduces the measured times of an instance whose first device is idle, so
  /// that a single slow run is not believed for ever.
  void discountTimes(Instance &instance);

  /// Whether a device runs a part of an instance. The run of that part may be
  /// over, because another device was lost.
  bool isBusy(const Instance &instance) const;

  /// Keeps the memory of a run for the next one; its outputs were read.
  void keepBuffers(Run &run);

  /// Prepares a task and calls Device::run; called without the lock.
  static void dispatch(const std::shared_ptr<Task> &task);

  /// The request that the thread of this Entry submits, if that thread may run
  /// a device itself. The end of the Entry resets it.
  const Operands *here = nullptr;

private:
  static void ended(const std::shared_ptr<Task> &task, Status status);
  static void threw(const std::shared_ptr<Task> &task, const char *what);
  void onEnded(const std::shared_ptr<Task> &task, Status status);
  void pump(DeviceSlot &slot);
  void enqueue(const std::shared_ptr<Run> &run, uint32_t part);
  void launch(const std::shared_ptr<Task> &task);
  void setLimit(Task &task);
  void partDone(const std::shared_ptr<Task> &task);
  void end(const std::shared_ptr<Run> &run, Status status, bool killed);
  void afterTask(const std::shared_ptr<Run> &run);
  void measure(const Task &task);
  static void measure(DeviceProgram &program, Duration time);
  void watch(TimePoint limit);
  void checkLimits();

  Monitor &monitor;
  Events &events;
  std::vector<std::unique_ptr<DeviceSlot>>
      slots; ///< the host removes no device
  std::vector<DeviceSlot *> dirty;
  uint64_t lastSpan = 0;
  TimerId watchdog = TimerId::None;
  TimePoint watchdogTime = TimePoint::max();
};

/// Sets the values of a run: the inputs of its requests, gathered if there are
/// several, and memory for all other values. Called once a run, without the
/// lock of the host.
Status prepareRun(Run &run);

/// The outputs of a request whose rows begin at row `first` of the run.
Result<std::vector<Tensor>> outputsOf(Run &run, const Operands &request,
                                      int64_t first);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_EXECUTOR_EXECUTOR_H

//===- Watchdog.cpp - devices that fail or hang ---------------------------===//
// SPDX-License-Identifier: MIT
//
// One watchdog timer covers all runs. A new run sets it only if its time limit
// comes before the timer, and no end of a run resets it, so that a short run
// costs no timer. All functions here run under the lock.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

using namespace glow;
using namespace glow::runtime;

void Executor::fault(DeviceSlot &slot, const std::string &why) {
  if (slot.state == DeviceState::Lost)
    return;
  slot.state = DeviceState::Lost;
  slot.why = why;
  ++slot.epoch; // results of older tasks are ignored from here on
  ++slot.counters.faults;
  std::vector<std::shared_ptr<Task>> active = std::move(slot.active);
  std::deque<std::shared_ptr<Task>> waiting = std::move(slot.waiting);
  slot.active.clear();
  slot.waiting.clear();
  // Before the runs end: the copies of this device must not be Ready when their
  // requests are queued again.
  events.onLost(slot);
  Status status(Code::DeviceLost, "device '" + slot.name + "' " + why);
  for (const std::shared_ptr<Task> &task : active) {
    slot.lost.insert(task);
    task->cancelled = true;
    end(task->run, status, task->isDispatched);
    afterTask(task->run);
  }
  for (const std::shared_ptr<Task> &task : waiting) {
    end(task->run, status, false);
    afterTask(task->run);
  }
}

void Executor::forgetLost(DeviceSlot &slot) {
  for (const std::shared_ptr<Task> &task : std::exchange(slot.lost, {})) {
    task->hasEnded = true;
    --task->run->tasksOut;
    afterTask(task->run);
  }
}

void Executor::judge(DeviceSlot &slot, DeviceState state,
                     const std::string &why) {
  slot.state = state;
  slot.why = why;
}

/// Sets the time limit of a task, and the watchdog.
void Executor::setLimit(Task &task) {
  const Run &run = *task.run;
  const HostOptions &options = monitor.options;
  const DeviceProgram &program = run.instance.programs[run.variant][task.part];
  // Runs of an open program take as long as their sizes ask for.
  Duration time = run.code.isOpen()
                      ? std::max(program.longest, options.hangLeast)
                      : program.time;
  if (time.count() == 0)
    time = options.hangLeast;
  task.allowance =
      std::max(options.hangLeast,
               std::chrono::duration_cast<Duration>(time * options.hangFactor));
  task.limit = task.begin + task.allowance;
  // A device that queues tasks may run all others first: each of their limits
  // is added. A link may deliver this task before them: they have its time in
  // addition, at most once for each task that the device takes beside them.
  if (task.slot->info.programsAhead)
    for (const std::shared_ptr<Task> &other : task.slot->active)
      if (other.get() != &task) {
        task.limit += other->allowance;
        if (++other->overtaken < task.slot->capacity())
          other->limit += time;
      }
  watch(task.limit);
}

/// Sets the watchdog timer to `limit`, unless it is set earlier.
void Executor::watch(TimePoint limit) {
  if (limit >= watchdogTime)
    return;
  monitor.workers->cancel(watchdog);
  watchdogTime = limit;
  watchdog = monitor.postAt(limit, monitor.weak_from_this(),
                            [this](const auto &) { checkLimits(); });
}

/// The watchdog: marks devices as lost that have a task over its limit, and
/// sets the timer to the earliest limit of the others.
void Executor::checkLimits() {
  watchdogTime = TimePoint::max();
  watchdog = TimerId::None;
  const TimePoint now = monitor.now();
  TimePoint next = TimePoint::max();
  for (const std::unique_ptr<DeviceSlot> &slot : slots) {
    bool hangs = false;
    for (const std::shared_ptr<Task> &task : slot->active)
      if (task->limit <= now)
        hangs = true;
      else
        next = std::min(next, task->limit);
    if (hangs)
      fault(*slot, "did not end a run in its time");
  }
  if (next != TimePoint::max())
    watch(next);
}

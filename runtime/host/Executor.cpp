//===- Executor.cpp - runs of parts on devices ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Executor.h"
#include "Core.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

void Executor::start(const std::shared_ptr<Run> &run) {
  const Variant &variant = *run->copy->model->variants[run->variant];
  run->begin = core.now();
  run->span = ++core.lastSpan;
  ++run->copy->running;
  // A check of one device has values of the other devices already: only parts
  // of this run are counted as predecessors.
  run->waitsFor.resize(variant.parts.size());
  for (uint32_t i = 0; i < variant.parts.size(); ++i)
    if (run->has(i)) {
      ++run->partsLeft;
      for (uint32_t next : variant.parts[i].next)
        ++run->waitsFor[next];
    }
  // Memory of an earlier run of the variant. Checks keep their own values, and
  // take none.
  auto &spare = run->copy->spare[run->variant];
  if (!spare.empty() && run->kind == Run::Serve) {
    run->buffers = std::move(spare.back());
    spare.pop_back();
  }
  for (uint32_t i = 0; i < variant.parts.size(); ++i)
    if (run->has(i) && run->waitsFor[i] == 0)
      enqueue(run, i);
}

void Executor::enqueue(const std::shared_ptr<Run> &run, uint32_t part) {
  if (run->isOver)
    return;
  // A device under check runs its own check and nothing else.
  Place &place = run->copy->places[run->variant][part];
  Slot &slot = *place.slot;
  bool isUsable = slot.state == DeviceState::Good ||
                  (slot.state == DeviceState::Suspect && run->checked == &slot);
  if (!isUsable || place.state != Place::Loaded)
    return end(
        run, Status(Code::DeviceLost, "device '" + slot.name + "' " + slot.why),
        false);
  auto task = std::make_shared<Task>();
  task->core = core.weak_from_this();
  task->run = run;
  task->slot = &slot;
  task->device = slot.device;
  task->part = part;
  task->program = place.program;
  task->epoch = slot.epoch;
  task->span = ++core.lastSpan;
  slot.waiting.push_back(std::move(task));
  core.markDirty(slot);
}

void Executor::pump(Slot &slot) {
  while (slot.state != DeviceState::Lost && slot.active.size() < slot.room()) {
    if (!slot.waiting.empty()) {
      std::shared_ptr<Task> task = std::move(slot.waiting.front());
      slot.waiting.pop_front();
      if (!task->run->isOver)
        launch(task);
    } else if (slot.state != DeviceState::Good || !core.scheduler.feed(slot)) {
      // feed() starts a run, whose first tasks the next iteration finds in
      // `waiting`.
      return;
    }
  }
}

void Executor::launch(const std::shared_ptr<Task> &task) {
  Slot &slot = *task->slot;
  Run &run = *task->run;
  slot.active.push_back(task);
  run.tasks.push_back(task);
  ++run.tasksOut;
  task->begin = core.now();
  task->limit = TimePoint::max();
  if (core.options.hangFactor > 0) {
    Duration time = run.copy->places[run.variant][task->part].time;
    if (time.count() == 0)
      time = core.options.hangLeast;
    task->allowance = std::max(
        core.options.hangLeast,
        std::chrono::duration_cast<Duration>(time * core.options.hangFactor));
    task->limit = task->begin + task->allowance;
    // A device that queues tasks may run all others first: each of their
    // limits is added.
    if (slot.info.programsAhead)
      for (const std::shared_ptr<Task> &other : slot.active)
        if (other != task)
          task->limit += other->allowance;
    watch(task->limit);
  }
  // The thread that hands a task over: the waiting caller, if it is free.
  Request *first = run.requests.empty() ? nullptr : run.requests[0].get();
  if (first && first->waiter && first->waiter->give(task))
    return;
  auto hand = [task] { handOver(task); };
  // This thread, at the end of the Entry: if Device::run returns at once, if
  // the thread belongs to the caller, or if the system gives no other thread.
  // Else a worker thread.
  if (slot.info.returnsAtOnce || (first && first == core.here) ||
      !core.workers->begin(false).ok())
    core.later(hand);
  else
    core.workers->post(hand);
}

void Executor::handOver(const std::shared_ptr<Task> &task) {
  Run &run = *task->run;
  if (task->cancelled) // after its launch
    return ended(task, Status(Code::Cancelled, "the run was cancelled"));
  // The first task of a run prepares it for all tasks; the others wait here.
  // std::call_once is not used, as it wakes other threads by a system call.
  {
    std::lock_guard lock(run.preparing);
    if (!std::exchange(run.isPrepared, true))
      run.preparation = prepareRun(run);
  }
  if (!run.preparation.ok())
    return ended(task, run.preparation);
  const Part &part = run.copy->model->variants[run.variant]->parts[task->part];
  auto add = [&](uint32_t value, std::vector<TensorView> &views,
                 std::vector<DeviceBuffer *> &buffers) {
    views.push_back(run.values[value]);
    if (!run.deviceValues.empty())
      buffers.push_back(run.deviceValues[value]);
  };
  for (uint32_t value : part.inputs)
    add(value, task->tensors.inputs, task->tensors.inputBuffers);
  for (uint32_t value : part.outputs)
    add(value, task->tensors.outputs, task->tensors.outputBuffers);
  task->tensors.cancelled = &task->cancelled;
  task->tensors.span = task->span;
  std::shared_ptr<Device> device = task->device.lock();
  if (!device)
    return ended(task, Status(Code::DeviceLost, "the host is gone"));
  // Before the call: a loss during `run` counts as a kill of its requests.
  task->isHanded = true;
  try {
    device->run(task->program, task->tensors,
                [task](Status status) { ended(task, std::move(status)); });
  } catch (const std::exception &error) {
    threw(task, error.what());
  } catch (...) {
    threw(task, "something without a message");
  }
}

/// The completion of a task; any thread, without the lock. The callback of a
/// device may come after the host is destroyed.
void Executor::ended(const std::shared_ptr<Task> &task, Status status) {
  std::shared_ptr<Core> core = task->core.lock();
  if (!core)
    return;
  Core::Entry entry(core);
  core->executor.onEnded(task, std::move(status));
}

/// Device::run has thrown: the device is lost.
void Executor::threw(const std::shared_ptr<Task> &task, const char *what) {
  std::shared_ptr<Core> core = task->core.lock();
  if (!core)
    return;
  Core::Entry entry(core);
  if (task->epoch == task->slot->epoch)
    core->executor.fault(*task->slot, std::string("threw: ") + what);
  // The call has returned, so the task ends here, unless `done` was called.
  if (!task->hasEnded)
    core->executor.onEnded(task, Status(Code::DeviceLost, "threw"));
}

void Executor::onEnded(const std::shared_ptr<Task> &task, Status status) {
  Slot &slot = *task->slot;
  const std::shared_ptr<Run> run = task->run;
  // A result from before a loss of the device is not used.
  const bool isBelieved = task->epoch == slot.epoch;
  if (task->hasEnded && !mistake(Mistake::EndTwice)) {
    if (isBelieved)
      fault(slot, "called done twice for one run");
    return;
  }
  if (!task->hasEnded)
    --run->tasksOut;
  task->hasEnded = true;
  // A device without reset can be loaded again once its lost tasks have ended.
  if (slot.lost.erase(task) && slot.lost.empty())
    core.provisioner.mayRecover(slot);
  if (!isBelieved)
    return afterTask(run);
  if (!(run->isOver && mistake(Mistake::LoseASlot)))
    std::erase(slot.active, task);
  if (!mistake(Mistake::IdleWhileWorkWaits))
    core.markDirty(slot);
  if (status.code() == Code::DeviceLost) {
    // The run first: its task is no longer in `active`, where fault() looks.
    end(run, status, true);
    fault(slot, "was lost: " + status.message());
  } else if (!status.ok()) {
    end(run, std::move(status), false);
  } else {
    measure(*task);
    partDone(task);
  }
  afterTask(run);
}

/// Updates the mean time of a part, in which a new run weighs an eighth.
void Executor::measure(const Task &task) {
  Run &run = *task.run;
  Duration time = core.now() - task.begin;
  Duration &known = run.copy->places[run.variant][task.part].time;
  known = known.count() == 0 ? time : (known * 7 + time) / 8;
  ++task.slot->counters.runs;
  task.slot->counters.runTime.add(time);
  if (core.observer)
    core.later([observer = core.observer, span = task.span, parent = run.span,
                model = run.copy->model, begin = task.begin,
                end = task.begin + time] {
      observer->spanDone({span, parent, model->spec.name, "run", begin, end});
    });
}

/// Enqueues the parts whose last predecessor has ended.
void Executor::partDone(const std::shared_ptr<Task> &task) {
  const std::shared_ptr<Run> &run = task->run;
  if (run->isOver)
    return;
  if (--run->partsLeft == 0)
    return end(run, Status(), false);
  const Variant &variant = *run->copy->model->variants[run->variant];
  for (uint32_t next : variant.parts[task->part].next)
    if (--run->waitsFor[next] == 0 && run->has(next))
      enqueue(run, next);
}

/// Ends a run once. Its tasks may still be active: `tasksOut` counts them.
void Executor::end(const std::shared_ptr<Run> &run, Status status,
                   bool killed) {
  if (run->isOver)
    return;
  run->isOver = true;
  run->status = status;
  --run->copy->running;
  for (const std::weak_ptr<Task> &task : run->tasks)
    if (std::shared_ptr<Task> other = task.lock())
      other->cancelled = true;
  // Waiting requests of the copy may start now: its first device takes them.
  if (!mistake(Mistake::IdleWhileWorkWaits))
    core.markDirty(*run->copy->slots.front());
  if (run->kind == Run::Check)
    core.provisioner.checked(run);
  else
    core.scheduler.finish(run, killed);
  core.provisioner.leaveIfIdle(run->copy);
}

void Executor::abandon(const std::shared_ptr<Run> &run) {
  // The run is not over yet: its devices, and so its copy, are busy until its
  // tasks end.
  for (const std::weak_ptr<Task> &task : run->tasks)
    if (std::shared_ptr<Task> other = task.lock())
      other->cancelled = true;
}

/// Called after a task has ended or was lost. When the last has ended, no
/// device touches borrowed memory: its requests can be answered or run again.
void Executor::afterTask(const std::shared_ptr<Run> &run) {
  core.provisioner.leaveIfIdle(run->copy);
  if (run->tasksOut == 0 && run->isOver && !run->held.empty())
    core.scheduler.release(run);
}

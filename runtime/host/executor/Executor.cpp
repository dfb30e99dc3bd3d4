//===- Executor.cpp - runs of parts on devices ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Executor.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

void Executor::start(const std::shared_ptr<Run> &run) {
  const Variant &variant = run->code;
  Instance &instance = run->instance;
  run->begin = monitor.now();
  run->span = ++lastSpan;
  ++instance.running;
  // A check of one device has values of the other devices already: only parts
  // of this run are counted as predecessors.
  run->waitsFor.resize(variant.parts.size());
  for (uint32_t i = 0; i < variant.parts.size(); ++i)
    if (run->has(i)) {
      ++run->partsLeft;
      for (uint32_t next : variant.parts[i].next)
        ++run->waitsFor[next];
    }
  if (run->isCheck)
    for (DeviceSlot *slot : instance.slots)
      slot->counters.checks += !run->checked || run->checked == slot;
  // Memory of an earlier run of the variant. Checks keep their own values, and
  // take none.
  auto &spare = instance.spare[run->variant];
  if (!spare.empty() && !run->isCheck) {
    run->buffers = std::move(spare.back());
    spare.pop_back();
  }
  for (uint32_t i = 0; i < variant.parts.size(); ++i)
    if (run->has(i) && run->waitsFor[i] == 0)
      enqueue(run, i);
}

void Executor::enqueue(const std::shared_ptr<Run> &run, uint32_t part) {
  if (run->state != RunState::Running)
    return;
  // A device under check runs its own check and nothing else.
  DeviceProgram &program = run->instance.programs[run->variant][part];
  DeviceSlot &slot = *program.slot;
  bool isUsable = slot.state == DeviceState::Good ||
                  (slot.state == DeviceState::Suspect && run->checked == &slot);
  if (!isUsable || program.state != ProgramState::Loaded)
    return end(
        run, Status(Code::DeviceLost, "device '" + slot.name + "' " + slot.why),
        false);
  auto task = std::make_shared<Task>();
  task->monitor = monitor.weak_from_this();
  task->executor = this;
  task->run = run;
  task->slot = &slot;
  task->device = slot.device;
  task->part = part;
  task->program = program.id;
  task->epoch = slot.epoch;
  task->span = ++lastSpan;
  slot.waiting.push_back(std::move(task));
  wake(slot);
}

void Executor::pump(DeviceSlot &slot) {
  while (slot.state != DeviceState::Lost && slot.busy() < slot.capacity()) {
    if (!slot.waiting.empty()) {
      std::shared_ptr<Task> task = std::move(slot.waiting.front());
      slot.waiting.pop_front();
      if (task->run->state == RunState::Running)
        launch(task);
    } else if (slot.state != DeviceState::Good || !events.onCapacity(slot)) {
      // The first tasks of a run that was started are in `waiting`, where the
      // next iteration finds them.
      return;
    }
  }
}

void Executor::launch(const std::shared_ptr<Task> &task) {
  DeviceSlot &slot = *task->slot;
  Run &run = *task->run;
  slot.active.push_back(task);
  run.tasks.push_back(task);
  ++run.tasksOut;
  task->begin = monitor.now();
  task->limit = TimePoint::max();
  if (monitor.options.hangFactor > 0)
    setLimit(*task);
  // The thread that dispatches a task: the waiting caller, if it is free.
  Operands *first = run.requestCount() ? run.request(0) : nullptr;
  if (first && first->waiter && first->waiter->give(task))
    return;
  auto call = [task] { dispatch(task); };
  // This thread, at the end of the Entry: if Device::run returns at once, if
  // the thread belongs to the caller, or if the system gives no other thread.
  // Else a worker thread.
  if (slot.info.returnsAtOnce || (first && first == here) ||
      !monitor.workers->begin(false).ok())
    monitor.later(call);
  else
    monitor.workers->post(call);
}

void Executor::dispatch(const std::shared_ptr<Task> &task) {
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
  const ProgramPart &part = run.code.parts[task->part];
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
  if (run.code.parts.size() == 1) {
    task->tensors.outputShapes = &run.outputShapes;
    if (run.isSolo()) // the outputs of the run are the caller's
      task->tensors.outputDone = run.request(0)->outputDone;
  }
  task->tensors.span = task->span;
  std::shared_ptr<Device> device = task->device.lock();
  if (!device)
    return ended(task, Status(Code::DeviceLost, "the host is gone"));
  // Before the call: a loss during `run` counts as a kill of its requests.
  task->isDispatched = true;
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
  std::shared_ptr<Monitor> monitor = task->monitor.lock();
  if (!monitor)
    return;
  Monitor::Entry entry(monitor);
  task->executor->onEnded(task, std::move(status));
}

/// Device::run has thrown: the device is lost.
void Executor::threw(const std::shared_ptr<Task> &task, const char *what) {
  std::shared_ptr<Monitor> monitor = task->monitor.lock();
  if (!monitor)
    return;
  Monitor::Entry entry(monitor);
  if (task->epoch == task->slot->epoch)
    task->executor->fault(*task->slot, std::string("threw: ") + what);
  // The call has returned, so the task ends here, unless `done` was called.
  if (!task->hasEnded)
    task->executor->onEnded(task, Status(Code::DeviceLost, "threw"));
}

void Executor::onEnded(const std::shared_ptr<Task> &task, Status status) {
  DeviceSlot &slot = *task->slot;
  const std::shared_ptr<Run> run = task->run;
  // A result from before a loss of the device is not used.
  const bool isCurrent = task->epoch == slot.epoch;
  if (task->hasEnded && !mistake(Mistake::EndTwice)) {
    if (isCurrent)
      fault(slot, "called done twice for one run");
    return;
  }
  if (!task->hasEnded)
    --run->tasksOut;
  task->hasEnded = true;
  // A device without reset can be loaded again once its lost tasks have ended.
  if (slot.lost.erase(task) && slot.lost.empty() && slot.direct.empty())
    events.onDrained(slot);
  if (!isCurrent)
    return afterTask(run);
  if (!(run->state != RunState::Running && mistake(Mistake::LoseASlot)))
    std::erase(slot.active, task);
  if (!mistake(Mistake::IdleWhileWorkWaits))
    wake(slot);
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

/// Counts a run of a part.
void Executor::measure(DeviceProgram &program, Duration time) {
  program.longest = std::max(program.longest, time);
  ++program.slot->counters.runs;
  program.slot->counters.runTime.add(time);
}

void Executor::measure(const Task &task) {
  Run &run = *task.run;
  Duration time = monitor.now() - task.begin;
  DeviceProgram &program = run.instance.programs[run.variant][task.part];
  measure(program, time);
  // A check of an open program has the greatest sizes, as few requests have.
  if (!run.code.isOpen())
    program.add(time);
  else if (!run.isCheck)
    program.line.add(double(run.bytes), double(time.count()));
  if (monitor.observer)
    monitor.later([observer = monitor.observer, span = task.span,
                   run = task.run, begin = task.begin,
                   end = task.begin + time] {
      observer->spanDone({span, run->span, run->name, "run", begin, end});
    });
}

/// Enqueues the parts whose last predecessor has ended.
void Executor::partDone(const std::shared_ptr<Task> &task) {
  const std::shared_ptr<Run> &run = task->run;
  if (run->state != RunState::Running)
    return;
  if (--run->partsLeft == 0)
    return end(run, Status(), false);
  for (uint32_t next : run->code.parts[task->part].next)
    if (--run->waitsFor[next] == 0 && run->has(next))
      enqueue(run, next);
}

/// Ends a run once. Its tasks may still be active: `tasksOut` counts them.
void Executor::end(const std::shared_ptr<Run> &run, Status status,
                   bool killed) {
  if (run->state != RunState::Running)
    return;
  run->state = RunState::Over;
  run->status = status;
  --run->instance.running;
  abandon(*run);
  // Waiting requests of the instance may start now: its first device takes
  // them.
  if (!mistake(Mistake::IdleWhileWorkWaits))
    wake(*run->instance.slots.front());
  events.onOver(run, killed);
  if (run->tasksOut == 0)
    run->state = RunState::Drained;
}

void Executor::abandon(const Run &run) {
  // The run need not be over: its devices, and so its instance, are busy until
  // its tasks end.
  for (const std::weak_ptr<Task> &task : run.tasks)
    if (std::shared_ptr<Task> other = task.lock())
      other->cancelled = true;
}

/// Called after a task has ended or was lost. When the last has ended, no
/// device touches borrowed memory: its requests can be answered or run again.
void Executor::afterTask(const std::shared_ptr<Run> &run) {
  if (run->tasksOut == 0 && run->state == RunState::Over)
    run->state = RunState::Drained;
  events.onTaskEnded(run);
}

bool Executor::isBusy(const Instance &instance) const {
  auto isOfInstance = [&](const auto &task) {
    return &task->run->instance == &instance;
  };
  return instance.running ||
         std::ranges::any_of(instance.slots, [&](const DeviceSlot *slot) {
           return std::ranges::any_of(slot->active, isOfInstance);
         });
}

Duration Executor::remaining(const DeviceSlot &slot) const {
  Duration sum{0};
  const TimePoint now = monitor.now();
  for (const std::shared_ptr<Task> &task : slot.active) {
    const Run &run = *task->run;
    Duration left =
        run.instance.programs[run.variant][task->part].timeOf(run.bytes) -
        (now - task->begin);
    sum += std::max(left, Duration(0)) / slot.capacity();
  }
  for (const DirectRun *run : slot.direct)
    sum += std::max(run->loaded().timeOf(0) - (now - run->begin), Duration(0)) /
           slot.capacity();
  return sum;
}

void Executor::discountTimes(Instance &instance) {
  if (!instance.slots.front()->busy())
    for (DeviceProgram &program : instance.programs[0]) {
      program.time -= program.time / 8;
      program.line.discount();
    }
}

void Executor::keepBuffers(Run &run) {
  auto &spare = run.instance.spare[run.variant];
  if (spare.size() < run.instance.depth())
    spare.push_back(std::move(run.buffers));
}

Status Executor::add(std::unique_ptr<DeviceSlot> slot) {
  slot->index = slots.size();
  if (slot->name.empty())
    slot->name = !slot->info.name.empty()
                     ? slot->info.name
                     : slot->info.backend + "." + std::to_string(slot->index);
  for (const std::unique_ptr<DeviceSlot> &other : slots)
    if (other->name == slot->name)
      return failure(Code::InvalidArgument, "there are two devices named '",
                     slot->name, "'");
  slot->onCaller = dynamic_cast<DirectDevice *>(slot->device.get());
  slots.push_back(std::move(slot));
  return Status();
}

void Executor::clear() {
  for (const std::unique_ptr<DeviceSlot> &slot : slots)
    slot->device.reset();
}

void Executor::wake(DeviceSlot &slot) {
  if (!std::exchange(slot.isDirty, true))
    dirty.push_back(&slot);
}

void Executor::settle() {
  // pump() may mark further devices, or the same device again.
  while (!dirty.empty()) {
    DeviceSlot &slot = *dirty.back();
    dirty.pop_back();
    slot.isDirty = false;
    pump(slot);
  }
  here = nullptr;
}

//===- Scheduler.cpp - admission, deadlines and answers -------------------===//
// SPDX-License-Identifier: MIT

#include "Scheduler.h"
#include "Core.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

static double milliseconds(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void glow::runtime::tell(Request &request, Status status,
                         std::vector<Tensor> outputs) {
  if (!request.done)
    return;
  auto done = std::move(request.done);
  request.done = nullptr;
  done(std::move(status), std::move(outputs));
}

/// The time until a device would begin a new request: the rest of its active
/// tasks, and the waiting requests that its copies serve.
Duration Scheduler::predictedWait(const Model &model, const Slot &slot) const {
  Duration wait{0};
  const TimePoint now = core.now();
  for (const std::shared_ptr<Task> &task : slot.active) {
    const Run &run = *task->run;
    Duration left =
        run.copy->places[run.variant][task->part].time - (now - task->begin);
    wait += std::max(left, Duration(0)) / slot.room();
  }
  // Requests of other models are served in turn with those of this model.
  for (const std::shared_ptr<Model> &other : core.ring) {
    size_t ready = 0;
    const Copy *here = nullptr;
    for (const std::shared_ptr<Copy> &copy : other->copies)
      if (copy->state == Copy::Ready) {
        ++ready;
        if (copy->slots.front() == &slot)
          here = copy.get();
      }
    if (!here || other->queue.empty())
      continue;
    const size_t last = other->variants.size() - 1;
    int64_t rows = 0;
    for (const auto &[place, request] : other->queue)
      rows += request->rows;
    int64_t runs = rows / std::max<int64_t>(1, other->variants[last]->batch);
    wait += here->timeOf(last) * runs / (ready * slot.room());
  }
  return wait;
}

/// Whether a request fits into the queue, the memory and its deadline, as far
/// as measured times predict.
Status Scheduler::admit(Request &request) {
  const Model &model = *request.model;
  if (core.isClosed || model.state != Model::Serving)
    return failure(Code::NotFound, "model '", model.spec.name, "' version ",
                   model.spec.version, " is not served",
                   model.evictedFor ? "; it was evicted" : "");
  const size_t limit =
      core.options.queueLimit + (mistake(Mistake::OneTooMany) ? 1 : 0);
  if (queued >= limit)
    return failure(Code::Overloaded, "the queue is full: ", queued, " of ",
                   core.options.queueLimit, " requests wait");
  const uint64_t memory = core.options.memoryLimit;
  const uint64_t taken = core.memory->taken;
  if (memory && taken + request.bytes > memory)
    return failure(Code::Overloaded, "the request takes ", request.bytes,
                   " bytes, ", taken, " of ", memory, " are taken");
  if (request.options.deadline == TimePoint::max())
    return Status();
  const TimePoint now = core.now();
  if (request.options.deadline <= now)
    return failure(Code::Deadline, "the deadline was ",
                   milliseconds(now - request.options.deadline),
                   " ms before the request");
  Duration best = Duration::max(), run{0};
  for (const std::shared_ptr<Copy> &copy : model.copies)
    if (copy->state == Copy::Ready) {
      Duration time = copy->timeOf(0);
      Duration wait = predictedWait(model, *copy->slots.front());
      if (wait + time < best)
        best = wait + time, run = time;
    }
  const Duration left = request.options.deadline - now;
  if (best == Duration::max() || best <= left)
    return Status();
  // A single slow measurement must not refuse requests for ever. Each refusal
  // for an idle device reduces the measured time, so that a run can renew it.
  for (const std::shared_ptr<Copy> &copy : model.copies)
    if (copy->slots.front()->active.empty())
      for (Place &place : copy->places[0])
        place.time -= place.time / 8;
  return failure(Code::Overloaded, "the request would take ",
                 milliseconds(best), " ms, ", milliseconds(run),
                 " of them to run, and has ", milliseconds(left));
}

void Scheduler::submit(const std::shared_ptr<Request> &request) {
  // The model may have been replaced between Host::find and this Entry.
  if (auto newer = core.replaced.find(uint64_t(request->model->id));
      newer != core.replaced.end())
    if (std::shared_ptr<Model> model = core.find(newer->second))
      request->model = model;
  Model &model = *request->model;
  request->id = ++order;
  request->admitted = core.now();
  Status status = admit(*request);
  if (!status.ok()) {
    ++model.counters.refused;
    request->state = Request::Answered;
    core.later([request, status] { tell(*request, status, {}); });
    return;
  }
  // The destructor of the request gives the bytes back.
  request->memory = core.memory;
  core.memory->taken += request->bytes;
  ++model.counters.admitted;
  model.lastUse = request->admitted;
  if (request->options.deadline != TimePoint::max())
    request->timer = core.workers->postAt(
        request->options.deadline,
        [weak = core.weak_from_this(), late = std::weak_ptr(request)] {
          std::shared_ptr<Core> core = weak.lock();
          std::shared_ptr<Request> request = late.lock();
          if (!core || !request)
            return;
          Core::Entry entry(core);
          core->scheduler.expire(request, Code::Deadline);
        });
  push(request);
}

/// Queues a new request, or one whose run has failed.
void Scheduler::push(const std::shared_ptr<Request> &request) {
  Model &model = *request->model;
  request->state = Request::Waiting;
  request->started = core.now();
  model.queue[{-int64_t(request->options.priority), request->id}] = request;
  ++queued;
  if (!core.provisioner.hasHope(model))
    return failWaiting(model, core.provisioner.hopeless(model));
  wake(model);
}

void Scheduler::wake(Model &model) {
  // The least busy device is marked last: settle() takes the last mark first.
  Slot *idle = nullptr;
  for (const std::shared_ptr<Copy> &copy : model.copies)
    if (copy->state == Copy::Ready) {
      Slot &slot = *copy->slots.front();
      if (!idle || slot.active.size() + slot.waiting.size() <
                       idle->active.size() + idle->waiting.size())
        idle = &slot;
    }
  for (const std::shared_ptr<Copy> &copy : model.copies)
    if (copy->state == Copy::Ready && copy->slots.front() != idle)
      core.markDirty(*copy->slots.front());
  if (idle)
    core.markDirty(*idle);
}

void Scheduler::remove(Request &request) {
  Model &model = *request.model;
  queued -= model.queue.erase({-int64_t(request.options.priority), request.id});
}

/// Makes a request Answered, counts it, and calls `done` with an error after
/// the Entry. A success only counts: deliver() passes its outputs on.
void Scheduler::answer(const std::shared_ptr<Request> &request, Status status) {
  if (request->state == Request::Waiting)
    remove(*request);
  request->state = Request::Answered;
  core.workers->cancel(request->timer);
  Model &model = *request->model;
  switch (status.code()) {
  case Code::Ok:
    ++model.counters.answered;
    break;
  case Code::Deadline:
    ++model.counters.late;
    break;
  case Code::Cancelled:
    ++model.counters.cancelled;
    break;
  default:
    ++model.counters.failed;
  }
  trace(*request, "request", request->admitted);
  if (!status.ok())
    core.later([request, status] { tell(*request, status, {}); });
  settled(model);
}

/// Lets a leaving model go when its queue is empty.
void Scheduler::settled(Model &model) {
  if (model.state != Model::Leaving || !model.queue.empty())
    return;
  // Deferred, because a caller may iterate over the models.
  core.later([weak = core.weak_from_this(), id = model.id] {
    std::shared_ptr<Core> core = weak.lock();
    if (!core)
      return;
    Core::Entry entry(core);
    if (auto found = core->models.find(uint64_t(id));
        found != core->models.end())
      core->provisioner.leave(*found->second);
  });
}

/// Answers a request at its deadline or after a cancellation.
void Scheduler::expire(const std::shared_ptr<Request> &request, Code code) {
  if (request->state == Request::Answered)
    return;
  // Borrowed memory goes back to the caller only when no device touches it:
  // claim() or decide() answers the request at the end of the run.
  if (request->state == Request::Running && request->isBorrowed) {
    request->isCancelled |= code == Code::Cancelled;
    std::shared_ptr<Run> run = request->run.lock();
    if (run && request->isCancelled && run->requests.size() == 1)
      core.executor.abandon(run);
    return;
  }
  if (request->state == Request::Running && code == Code::Deadline &&
      mistake(Mistake::AnswerAfterTheRun))
    return;
  std::shared_ptr<Run> run = request->run.lock();
  answer(request,
         code == Code::Cancelled
             ? Status(code, "the request was cancelled")
             : Status(code, "the request was not done at its deadline"));
  // The other requests of a batch still need the run.
  auto isAnswered = [](const std::shared_ptr<Request> &other) {
    return other->state == Request::Answered;
  };
  if (run && std::ranges::all_of(run->requests, isAnswered))
    core.executor.abandon(run);
}

void Scheduler::cancel(const std::shared_ptr<Request> &request) {
  expire(request, Code::Cancelled);
}

void Scheduler::finish(const std::shared_ptr<Run> &run, bool killed) {
  Model &model = *run->copy->model;
  ++model.counters.runs;
  model.counters.runTime.add(core.now() - run->begin);
  if (run->status.ok())
    return deliver(run);
  if (mistake(Mistake::ForgetAfterLoss) &&
      run->status.code() == Code::DeviceLost)
    return;
  for (const std::shared_ptr<Request> &request : run->requests) {
    if (request->state != Request::Running)
      continue; // answered at its deadline, or cancelled
    request->kills += killed;
    if (request->isBorrowed && run->tasksOut)
      run->held.push_back(request);
    else
      decide(request, *run, killed);
  }
}

void Scheduler::release(const std::shared_ptr<Run> &run) {
  for (const std::shared_ptr<Request> &request : std::exchange(run->held, {}))
    decide(request, *run, false);
}

/// Whether the deadline of a request has passed. The clock is read only for a
/// request that has one, because that takes a good part of a short run.
static bool isLate(const Request &request, const Workers &workers) {
  return request.options.deadline != TimePoint::max() &&
         request.options.deadline < workers.now();
}

static Status missedDeadline() {
  return Status(Code::Deadline, "the request was not done at its deadline");
}

/// Answers a request whose run failed, or queues it again.
void Scheduler::decide(const std::shared_ptr<Request> &request, const Run &run,
                       bool killed) {
  if (request->isCancelled)
    return answer(request,
                  Status(Code::Cancelled, "the request was cancelled"));
  if (isLate(*request, *core.workers))
    return answer(request, missedDeadline());
  if (request->kills >= 2 && !mistake(Mistake::NeverPoison))
    return answer(
        request,
        failure(Code::Poison, "the request was run on ", request->kills,
                " devices that were lost; the last: ", run.status.message()));
  // In a batch another request may have caused the failure. Each then runs
  // alone.
  const bool isGuilty =
      run.requests.size() == 1 || mistake(Mistake::ShareErrors);
  if (run.status.code() != Code::DeviceLost && isGuilty)
    return answer(request, run.status);
  if (core.isClosed)
    return answer(request, run.status);
  // A leaving version keeps its copy until its requests are answered. After a
  // device loss the copy is not loaded again for them. After a failed batch it
  // stays: only a run of its own gives a blameless request its answer.
  const bool hasCopy =
      run.status.code() != Code::DeviceLost && run.copy->state != Copy::Gone;
  if (hasCopy) {
    core.provisioner.stay(run.copy);
  } else if (request->model->state != Model::Serving &&
             run.copy->state != Copy::Ready) {
    std::shared_ptr<Model> newer = core.find(request->model->id);
    if (!newer || newer->state != Model::Serving)
      return answer(request, run.status.code() == Code::DeviceLost
                                 ? run.status
                                 : Status(Code::DeviceLost,
                                          "the model's version ended before "
                                          "the request could run again"));
    request->model = newer;
  }
  request->isAlone |= run.status.code() != Code::DeviceLost || request->kills;
  ++request->model->counters.again;
  push(request);
}

/// Makes a request Answered before its outputs are delivered, so that a
/// deadline timer finds it done; false if it was answered before or is late.
bool Scheduler::claim(const std::shared_ptr<Request> &request) {
  if (request->state != Request::Running)
    return false;
  if (request->isCancelled) {
    answer(request, Status(Code::Cancelled, "the request was cancelled"));
    return false;
  }
  if (isLate(*request, *core.workers) && !mistake(Mistake::AnswerAfterTheRun)) {
    answer(request, missedDeadline());
    return false;
  }
  answer(request, Status());
  return true;
}

/// Corrects the counters of a request that claim() counted as answered.
void Scheduler::countAsLate(const Request &request) {
  std::lock_guard lock(core.mutex);
  --request.model->counters.answered;
  ++request.model->counters.late;
}

/// Claims the requests of a successful run under the lock; copies outputs and
/// calls `done` without it.
void Scheduler::deliver(const std::shared_ptr<Run> &run) {
  std::vector<std::pair<std::shared_ptr<Request>, int64_t>> wanted; // and row
  int64_t row = 0;
  for (const std::shared_ptr<Request> &request : run->requests) {
    if (claim(request))
      wanted.emplace_back(request, row);
    row += request->rows;
  }
  core.later([weak = core.weak_from_this(), workers = core.workers, run,
              wanted = std::move(wanted)] {
    for (const auto &[request, first] : wanted) {
      Result<std::vector<Tensor>> outputs = outputsOf(*run, *request, first);
      // A deadline may pass while the lock is freed and rows are copied.
      if (isLate(*request, *workers) && !mistake(Mistake::AnswerAfterTheRun)) {
        if (std::shared_ptr<Core> core = weak.lock())
          core->scheduler.countAsLate(*request);
        outputs = missedDeadline();
      }
      // `core` is not held here: `done` may destroy the host, whose devices
      // must not end on this thread.
      if (outputs)
        tell(*request, Status(), outputs.take());
      else
        tell(*request, outputs.status(), {});
    }
    // Keeps the memory of the run for the next one, after all outputs are read.
    std::shared_ptr<Core> core = weak.lock();
    const bool isUsed =
        run->copy->model->isBatched ||
        !run->copy->model->variants[run->variant]->between.empty();
    if (!core || !isUsed || !run->buffers)
      return;
    std::lock_guard lock(core->mutex);
    auto &spare = run->copy->spare[run->variant];
    if (run->copy->state == Copy::Ready && spare.size() < run->copy->depth())
      spare.push_back(std::move(run->buffers));
  });
}

void Scheduler::failWaiting(Model &model, const Status &status) {
  auto queue = model.queue; // a copy: answer() erases entries
  for (auto &[place, request] : queue)
    answer(request, status);
}

void Scheduler::failRunning(Slot &slot, const Status &status) {
  for (const std::shared_ptr<Task> &task : slot.active)
    for (const std::shared_ptr<Request> &request : task->run->requests)
      if (request->state == Request::Running && !request->isBorrowed)
        answer(request, status);
}

void Scheduler::trace(const Request &request, const char *category,
                      TimePoint from) {
  if (!core.observer)
    return;
  core.later([observer = core.observer, model = request.model, id = request.id,
              parent = request.options.parentSpan, category, from,
              to = core.now()] {
    observer->spanDone({id, parent, model->spec.name, category, from, to});
  });
}

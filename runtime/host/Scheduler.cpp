//===- Scheduler.cpp - admission, deadlines and answers -------------------===//

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

Duration Scheduler::predictedWait(const Model &model, const Slot &slot) const {
  Duration wait{0};
  const TimePoint now = core.now();
  for (const std::shared_ptr<Task> &task : slot.active) {
    const Run &run = *task->run;
    Duration left =
        run.copy->places[run.variant][task->part].time - (now - task->begin);
    wait += std::max(left, Duration(0)) / slot.room();
  }
  // What waits of other models is served in turns with this one's.
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

/// Whether a request can be done in its time and memory, as far as is known.
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
  // What was measured once should not keep requests away for good: each that is
  // refused by an idle device makes it count less.
  for (const std::shared_ptr<Copy> &copy : model.copies)
    if (copy->slots.front()->active.empty())
      for (Place &place : copy->places[0])
        place.time -= place.time / 8;
  return failure(Code::Overloaded, "the request would take ",
                 milliseconds(best), " ms, ", milliseconds(run),
                 " of them to run, and has ", milliseconds(left));
}

void Scheduler::submit(const std::shared_ptr<Request> &request) {
  // It may have been replaced since it was looked up.
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
  // The one that runs the least comes last, and is then served first.
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

void Scheduler::settled(Model &model) {
  if (model.state != Model::Leaving || !model.queue.empty())
    return;
  // Later, as the models may be looked through.
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

void Scheduler::expire(const std::shared_ptr<Request> &request, Code code) {
  if (request->state == Request::Answered)
    return;
  // Memory of the caller's goes back to it when no device touches it.
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
      continue;
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

/// Whether the deadline of a request is over. What has none need not know the
/// time, which takes a good part of a short run.
static bool isLate(const Request &request, const Workers &workers) {
  return request.options.deadline != TimePoint::max() &&
         request.options.deadline < workers.now();
}

static Status missedDeadline() {
  return Status(Code::Deadline, "the request was not done at its deadline");
}

/// What becomes of a request whose run failed.
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
  // With others it may have been one of them that failed, or was fatal.
  const bool isGuilty =
      run.requests.size() == 1 || mistake(Mistake::ShareErrors);
  if (run.status.code() != Code::DeviceLost && isGuilty)
    return answer(request, run.status);
  if (core.isClosed)
    return answer(request, run.status);
  // A version that leaves keeps its copy until its requests are answered. After
  // a loss it is not loaded again for them, but after a batch that failed it
  // is: only a run of its own gives an innocent request its answer.
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

/// Makes a request answered whose outputs are there; false if it was too late.
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

void Scheduler::countAsLate(const Request &request) {
  std::lock_guard lock(core.mutex);
  --request.model->counters.answered;
  ++request.model->counters.late;
}

void Scheduler::deliver(const std::shared_ptr<Run> &run) {
  std::vector<std::pair<std::shared_ptr<Request>, int64_t>> wanted;
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
      // To free the lock and to copy rows takes time.
      if (isLate(*request, *workers) && !mistake(Mistake::AnswerAfterTheRun)) {
        if (std::shared_ptr<Core> core = weak.lock())
          core->scheduler.countAsLate(*request);
        outputs = missedDeadline();
      }
      // What the caller waits for may destroy the host, whose devices should
      // not be left to this thread.
      if (outputs)
        tell(*request, Status(), outputs.take());
      else
        tell(*request, outputs.status(), {});
    }
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
  auto queue = model.queue;
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

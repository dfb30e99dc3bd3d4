//===- Invariants.cpp - invariants of a host ------------------------------===//
// SPDX-License-Identifier: MIT

#include "World.h"
#include <algorithm>

using namespace simulation;
using namespace glow;
using namespace glow::runtime;

void World::answered(Asked &one, int64_t id, const Status &status,
                     const std::vector<Tensor> &outputs) {
  const Seen &history = seen[id];
  if (++one.answers > 1)
    return fail("request ", id, " is answered twice");
  if (clock->now() > one.deadline)
    return fail("request ", id, " is answered late");
  const bool isBad = one.plan->kind == RequestPlan::Bad;
  switch (status.code()) {
  case Code::Ok:
    return check(one, id, outputs);
  case Code::InvalidArgument:
    return isBad ? void()
                 : fail("request ", id, " fails as another one should");
  case Code::Cancelled:
    return one.isCancelled ? void()
                           : fail("request ", id, " is cancelled by itself");
  case Code::Deadline:
    return clock->now() == one.deadline
               ? void()
               : fail("request ", id, " is called late before it is");
  case Code::Poison:
    return history.starts >= 2 || runsUnseen(one.name)
               ? void()
               : fail("request ", id, " is called poison after ",
                      history.starts, " runs");
  case Code::DeviceLost:
  case Code::NotFound:
    one.isUnserved = true;
    return;
  case Code::Overloaded:
    return;
  default:
    fail("request ", id, " fails: ", status.message());
  }
}

/// Later parts do not show their requests, and requests that are lost on their
/// way never come to a device.
bool World::runsUnseen(const std::string &name) const {
  return std::ranges::any_of(plan.models,
                             [&](const ModelPlan &model) {
                               return model.name == name && model.parts > 1;
                             }) ||
         !servers.empty();
}

/// Whether the elements are those of a model. A model with a state has them for
/// the state that the requests before have left.
bool World::isRight(const Asked &one, size_t model, std::span<const float> y) {
  for (size_t i = 0; i < one.x.size(); ++i) {
    const float expected =
        one.session
            ? function(model * 10, {one.x[i], one.session->state[i]})
            : resultInParts(model * 10, plan.models[model].parts, one.x[i]);
    if (y[i] != expected)
      return false;
  }
  return true;
}

void World::check(const Asked &one, int64_t id,
                  const std::vector<Tensor> &outputs) {
  if (one.plan->kind == RequestPlan::Bad)
    return fail("request ", id, " should fail");
  if (outputs.size() != 1 ||
      outputs[0].type().elements() != int64_t(one.x.size()))
    return fail("request ", id, " has outputs of another shape");
  auto y = outputs[0].elements<float>();
  Session *session = one.session;
  for (size_t number = 0; number < plan.models.size(); ++number)
    if (plan.models[number].name == one.name && isRight(one, number, y) &&
        (!session || session->model.value_or(number) == number)) {
      if (session)
        *session = {session->id, {y.begin(), y.end()}, number};
      return;
    }
  fail("request ", id, " has wrong numbers");
}

void World::look() {
  size_t waiting = 0, fresh = 0;
  auto neverRan = [](const auto &entry) {
    std::weak_ptr<glow::runtime::Batch> none;
    const auto &run = entry.second->run;
    return !run.owner_before(none) && !none.owner_before(run);
  };
  for (const auto &model : core.provisioner.all()) {
    waiting += model->queue->requests.size();
    fresh += size_t(std::ranges::count_if(model->queue->requests, neverRan));
    if (model->waiting != model->queue->requests.size())
      fail("model ", model->spec.name, " is said to have ", model->waiting,
           " requests");
  }
  if (waiting != core.scheduler.waiting())
    fail("the queue is said to have ", core.scheduler.waiting(), ", it has ",
         waiting);
  // A request whose run was in vain returns to a queue that may be full.
  if (fresh > plan.queueLimit)
    fail("the queue has ", fresh, " of ", plan.queueLimit);
  if (plan.memoryLimit && core.scheduler.memoryTaken() > plan.memoryLimit)
    fail("requests take ", core.scheduler.memoryTaken(), " of ",
         plan.memoryLimit, " bytes");
  for (size_t i = 0; i < devices.size(); ++i)
    lookAt(*core.executor.devices()[i], *devices[i], wires[i] != nullptr);
  for (const auto &[id, history] : seen)
    if (history.kills > 2)
      fail("request ", id, " takes a third device with it");
}

void World::lookAt(DeviceSlot &slot, simulation::Device &device, bool isFar) {
  if (slot.active.size() > slot.capacity())
    fail("a device runs more than it should");
  if (slot.state == DeviceState::Lost)
    return;
  const auto &health = HostAccess::healthOf(core, slot);
  size_t loaded = health.stale.size();
  for (const auto &copy : health.copies)
    for (const auto &variant : copy->programs)
      for (const DeviceProgram &program : variant)
        loaded +=
            program.slot == &slot && program.state != ProgramState::Absent;
  // A dead device has not been asked yet, and the host knows only an earlier
  // state of a distant device.
  if (device.programCount() > loaded && !isFar)
    fail("a device has ", device.programCount(), " programs, the host knows ",
         loaded);
  if (slot.state != DeviceState::Good || !slot.active.empty() ||
      !slot.waiting.empty())
    return;
  // A request waits for the one before it in its session.
  auto mayRun = [](const auto &entry) {
    return !entry.second->session || !entry.second->session->holder;
  };
  for (const auto &copy : health.copies)
    if (copy->isReady() && copy->slots.front() == &slot &&
        std::ranges::any_of(copy->model->queue->requests, mayRun) &&
        copy->running < copy->depth())
      fail("a device idles while work waits");
}

void World::settled() {
  if (!wrong.empty())
    return;
  if (loading)
    fail(loading, " models are still being loaded");
  for (size_t i = 0; i < asked.size(); ++i)
    if (!asked[i]->answers)
      fail("request ", i + 1, " is not answered");
  if (core.scheduler.waiting() || core.scheduler.memoryTaken())
    fail("there is something left: ", core.scheduler.waiting(), " requests, ",
         core.scheduler.memoryTaken(), " bytes");
  for (size_t i = 0; i < devices.size(); ++i)
    lookAt(*core.executor.devices()[i], *devices[i], false);
  for (const auto &slot : core.executor.devices())
    if (slot->state != DeviceState::Good || !slot->active.empty() ||
        !slot->waiting.empty() || !slot->lost.empty())
      fail("device ", slot->name, " is not what it was: ", name(slot->state),
           " ", slot->why, ", runs ", slot->active.size());
  for (const auto &model : core.provisioner.all())
    for (const auto &copy : model->copies)
      if (!copy->isReady() || copy->running)
        fail("a copy of ", model->spec.name, " is not ready");
  if (!host.isReady())
    fail("the host is not ready");
}

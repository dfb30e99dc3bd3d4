//===- Sessions.cpp - states that stay between requests -------------------===//
// SPDX-License-Identifier: MIT
//
// A run holds the session of its request until no device touches its tensors,
// also if the request is answered before. Requests of a held session are passed
// over when a device takes the next one. All functions here run under the lock.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

using namespace glow;
using namespace glow::runtime;

/// The most bytes of the buffers of all states: a state of a fixed size has one
/// that a run reads and one that it writes.
static uint64_t bytesOf(const SessionStates &states) {
  uint64_t sum = 0;
  for (const StateInfo &state : states.all())
    sum += state.grows()     ? state.entryBytes() * uint64_t(state.capacity)
           : state.isUpdated ? state.type.bytes()
                             : 2 * state.type.bytes();
  return sum;
}

Result<HostSessionId>
Scheduler::open(std::vector<std::shared_ptr<ServedModel>> models,
                std::unique_ptr<SessionStates> states) {
  const uint64_t bytes = bytesOf(*states);
  Status status;
  for (const std::shared_ptr<ServedModel> &model : models)
    if (status.ok())
      status = checkServed(*model);
  if (status.ok())
    status = checkMemory("session", bytes);
  if (!status.ok())
    return status;
  const HostSessionId id{++lastSession};
  auto session =
      std::make_shared<HostSession>(id, std::move(models), std::move(states));
  session->bytes = bytes;
  session->memory = memory;
  memory->taken += bytes;
  sessions[id] = std::move(session);
  return id;
}

std::shared_ptr<HostSession> Scheduler::find(HostSessionId id) const {
  const auto found = sessions.find(id);
  return found == sessions.end() ? nullptr : found->second;
}

void Scheduler::close(const std::shared_ptr<HostSession> &session) {
  sessions.erase(session->id);
  for (const std::shared_ptr<ServedModel> &model : session->models) {
    auto requests = model->queue->requests; // answer() erases entries
    for (auto &[key, request] : requests)
      if (request->session == session)
        answer(request, Status(Code::Cancelled,
                               "the session of the request was closed"));
  }
}

void Scheduler::wake(const HostSession &session) {
  for (const std::shared_ptr<ServedModel> &model : session.models)
    wake(*model);
}

void Scheduler::letGo(HostSession &session, const void *holder) {
  if (session.holder != holder)
    return;
  session.holder = nullptr;
  wake(session);
}

void Scheduler::letGo(const Batch &run) {
  if (HostSession *session = run.session())
    letGo(*session, &run);
}

/// Sets the inputs, sizes and states of a request from its session, whose
/// states are those after the request before it.
Status Scheduler::bindSession(Request &request) {
  SessionStates &states = *request.session->states;
  const Variant &variant = *request.model->variants.front();
  std::vector<TensorView> views(variant.program.inputs.size());
  const std::span<const StatePlace> places =
      states.places(request.stateProgram);
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].input != StatePlace::none)
      views[places[i].input] = states.value(i);
  size_t given = 0;
  for (TensorView &view : views)
    if (!view.type)
      view = request.inputs[given++].view();
  Result<SizeValues> sizes = sizesOf(variant.program, views);
  if (!sizes)
    return sizes.status();
  request.inputViews = std::move(views);
  request.sizes = sizes.take();
  request.states = &states;
  if (!variant.isOpen())
    return Status();
  uint64_t bytes = 0;
  for (const TensorType &type : variant.typesIn(request.sizes))
    bytes += type.bytes();
  // It may have run before.
  memory->taken += bytes - request.runBytes;
  request.bytes += bytes - request.runBytes;
  request.runBytes = bytes;
  return Status();
}

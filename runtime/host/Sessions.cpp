//===- Sessions.cpp - sessions of served models ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Core.h"
#include "glow/Program/Failure.h"
#include "glow/Runtime/Host.h"

using namespace glow;
using namespace glow::runtime;

std::shared_ptr<HostSession> Host::find(HostSessionId id) const {
  std::lock_guard lock(core->mutex);
  return core->scheduler.find(id);
}

static Status noSession(HostSessionId id) {
  return failureOf(Code::NotFound,
                   {"the host has no session ", std::to_string(uint64_t(id))});
}

Result<HostSessionId> Host::openSession(ModelId id) {
  const std::shared_ptr<ServedModel> model = find(id);
  if (!model)
    return failureOf(Code::NotFound, {"no program is loaded as ",
                                      std::to_string(uint64_t(id))});
  if (model->isBatched)
    return failureOf(Code::Unsupported,
                     {"model '", model->spec.name,
                      "' has batches, in which a session has no place"});
  Result<std::unique_ptr<SessionStates>> states =
      SessionStates::create(model->variants.front()->program);
  if (!states)
    return states.status().prefixed("model '" + model->spec.name + "': ");
  Core::Entry entry(core);
  return core->scheduler.open(model, states.take());
}

Status Host::closeSession(HostSessionId id) {
  std::shared_ptr<HostSession> session; // declared first: ends after the Entry
  Core::Entry entry(core);
  if (!(session = core->scheduler.find(id)))
    return noSession(id);
  core->scheduler.close(session);
  return Status();
}

namespace {
/// Has the states of a session for a caller.
class Holding {
public:
  Holding(const std::shared_ptr<Core> &core, HostSession &session)
      : core(core), session(session) {
    Core::Entry entry(core);
    if (!session.holder)
      session.holder = &session;
    else
      isFree = false;
  }
  ~Holding() {
    Core::Entry entry(core);
    if (isFree)
      core->scheduler.letGo(session, &session);
  }
  Holding(const Holding &) = delete;
  bool isFree = true;

private:
  const std::shared_ptr<Core> core;
  HostSession &session;
};
} // namespace

Status Host::withSession(HostSessionId id,
                         const std::function<Status(SessionStates &)> &body) {
  const std::shared_ptr<HostSession> session = find(id);
  if (!session)
    return noSession(id);
  const Holding holding(core, *session);
  if (!holding.isFree)
    return failureOf(Code::Overloaded,
                     {"session ", std::to_string(uint64_t(id)),
                      " runs a request; its states are free between requests"});
  return body(*session->states);
}

/// Whether a request gives all inputs that are no states. Types are checked
/// when it runs, as only then the lengths of states are known.
static Status checkCount(const HostSession &session, size_t given) {
  const size_t wanted =
      session.model->inputs().size() - session.states->all().size();
  if (given == wanted)
    return Status();
  return failureOf(Code::ShapeMismatch,
                   {"a request has ", std::to_string(given),
                    " inputs, a session of model '", session.model->spec.name,
                    "' takes ", std::to_string(wanted), " beside its states"});
}

RequestHandle Host::submit(HostSessionId id, std::vector<Tensor> inputs,
                           RequestOptions options, Done done) {
  auto request = std::make_shared<Request>();
  request->session = find(id);
  request->inputs = std::move(inputs);
  Status status = noSession(id);
  if (request->session) {
    request->model = request->session->model;
    request->rows = request->model->variants.front()->batch;
    status = checkCount(*request->session, request->inputs.size());
  }
  return admit(std::move(request), std::move(status), options, std::move(done));
}

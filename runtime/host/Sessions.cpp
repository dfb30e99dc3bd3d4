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

Result<HostSessionId> Host::openSession(std::span<const ModelId> ids) {
  std::vector<std::shared_ptr<ServedModel>> models;
  std::vector<const Program *> programs;
  std::string names;
  if (ids.empty())
    return Status(Code::InvalidArgument, "a session has one model at least");
  for (ModelId id : ids) {
    std::shared_ptr<ServedModel> model = find(id);
    if (!model)
      return failureOf(Code::NotFound, {"no program is loaded as ",
                                        std::to_string(uint64_t(id))});
    if (model->isBatched)
      return failureOf(Code::Unsupported,
                       {"model '", model->spec.name,
                        "' has batches, in which a session has no place"});
    programs.push_back(&model->variants.front()->program);
    names += (names.empty() ? "'" : ", '") + model->spec.name + "'";
    models.push_back(std::move(model));
  }
  Result<std::unique_ptr<SessionStates>> states =
      SessionStates::create(programs);
  if (!states)
    return states.status().prefixed("model " + names + ": ");
  Core::Entry entry(core);
  return core->scheduler.open(std::move(models), states.take());
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
static Status checkCount(const HostSession &session, size_t program,
                         size_t given) {
  const ServedModel &model = *session.programs[program];
  size_t wanted = model.inputs().size();
  for (const StatePlace &place : session.states->places(program))
    wanted -= place.input != StatePlace::none;
  if (given == wanted)
    return Status();
  return failureOf(Code::ShapeMismatch,
                   {"a request has ", std::to_string(given),
                    " inputs, a session of model '", model.spec.name,
                    "' takes ", std::to_string(wanted), " beside its states"});
}

/// Whether the session has a model of this number.
static Status checkProgram(const HostSession &session, size_t program) {
  if (program < session.programs.size())
    return Status();
  return failureOf(Code::NotFound,
                   {"session ", std::to_string(uint64_t(session.id)), " has ",
                    std::to_string(session.programs.size()),
                    " models, and none with the number ",
                    std::to_string(program)});
}

RequestHandle Host::submit(HostSessionId id, size_t program,
                           std::vector<Tensor> inputs, RequestOptions options,
                           Done done, std::optional<ModelId> by) {
  auto request = std::make_shared<Request>();
  request->session = find(id);
  request->inputs = std::move(inputs);
  Status status = noSession(id);
  if (request->session)
    status = checkProgram(*request->session, program);
  if (status.ok()) {
    request->model = request->session->programs[program];
    request->stateProgram = program;
    request->rows = request->model->variants.front()->batch;
    status = checkCount(*request->session, program, request->inputs.size());
    if (std::shared_ptr<ServedModel> other = by ? find(*by) : nullptr) {
      std::lock_guard lock(core->mutex);
      request->session->models.insert(other);
      request->model = std::move(other);
    }
  }
  return admit(std::move(request), std::move(status), options, std::move(done));
}

//===- Host.cpp - the hosts of glow.h -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Requests are answered on threads of the host. An error there is the last
// message of that thread while the completion function runs.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "glow/Program/Failure.h"
#include "glow/Runtime/Devices.h"
#include "glow/Runtime/ReportSocket.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace glow;
using namespace glow::capi;

/// The names of a model's outputs, which results share.
using Names = std::shared_ptr<const std::vector<std::string>>;

struct glow_host {
  explicit glow_host(HostOptions options) : host(std::move(options)) {}

  std::mutex mutex;                // of the names
  std::map<uint64_t, Names> names; // of the outputs, by model
  // By session and by number of its model: outputs that are no states.
  std::map<uint64_t, std::vector<Names>> sessions;
  Host host; // answers what is left when it ends, with names
  std::vector<std::unique_ptr<ReportSocket>> sockets; // end first
};

struct glow_result {
  std::vector<NamedTensor> outputs;
};

namespace {
/// A request and its submission share this: the caller may free the request
/// before the submission returns.
struct Sent {
  std::mutex mutex;
  std::optional<RequestHandle> handle; ///< empty until it is submitted
  bool isCancelled = false;            ///< before that
};
} // namespace

struct glow_request {
  std::shared_ptr<Sent> sent;
};

glow_status glow_host_new(const glow_host_settings *settings,
                          glow_host **host) {
  return guarded([&] {
    if (Status status = checkPointers({host}); !status.ok())
      return status;
    HostOptions options;
    if (settings) {
      if (!(settings->hang_factor >= 0) || std::isinf(settings->hang_factor))
        return failure(Code::InvalidArgument, "hang_factor is ",
                       settings->hang_factor,
                       ", it should be a number from 0 on");
      if (settings->queue)
        options.queueLimit = settings->queue;
      options.memoryLimit = settings->memory;
      options.hangFactor = settings->hang_factor;
    }
    *host = new glow_host(std::move(options));
    return Status();
  });
}
void glow_host_free(glow_host *host) { delete host; }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

glow_status glow_host_add_device(glow_host *host, const char *name,
                                 const char *backend, size_t threads,
                                 uint64_t memory) {
  return guarded([&] {
    Status status = checkPointers({host, backend});
    if (status.ok() && threads > DeviceOptions::mostThreads)
      status = failure(Code::InvalidArgument, "threads are ", threads,
                       ", they should be at most ", DeviceOptions::mostThreads);
    DeviceOptions options;
    options.threads = unsigned(threads);
    options.memoryBytes = memory;
    return status.ok()
               ? host->host.openDevice(backend, options, name ? name : "")
               : status;
  });
}

glow_status glow_host_add_devices(glow_host *host, const char *path) {
  return guarded([&] {
    if (Status status = checkPointers({host, path}); !status.ok())
      return status;
    Result<std::vector<DeviceDescription>> devices = devicesNamed(path);
    return devices ? addDevices(host->host, *devices) : devices.status();
  });
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static Names namesOf(const Program &program) {
  std::vector<std::string> names;
  for (const Binding &output : program.outputs)
    names.push_back(output.name);
  return std::make_shared<std::vector<std::string>>(std::move(names));
}

static Status serve(glow_host &host, const char *name,
                    glow_program *const *programs, size_t count,
                    const glow_serving *how, const char *batch,
                    glow_model_id *model) {
  ModelSpec spec;
  spec.name = name;
  spec.batch = batch;
  if (how) {
    spec.copies = unsigned(std::min<size_t>(how->copies, UINT_MAX));
    spec.weight = how->weight ? how->weight : 1;
    spec.mayPad = how->pads != 0;
    spec.evictsOthers = how->evicts_others != 0;
  }
  for (size_t i = 0; i < count; ++i) {
    if (Status status = checkPointers({programs[i]}); !status.ok())
      return status;
    spec.programs.push_back(programs[i]->program);
  }
  Names names = namesOf(spec.programs.front());
  Result<ModelId> id = host.host.add(std::move(spec));
  if (!id)
    return id.status();
  std::lock_guard lock(host.mutex);
  host.names[uint64_t(*id)] = std::move(names);
  *model = uint64_t(*id);
  return Status();
}

glow_status glow_host_serve(glow_host *host, const char *name,
                            glow_program *const *programs, size_t count,
                            const glow_serving *how, glow_model_id *model) {
  return guarded([&] {
    if (Status status = checkPointers({host, name, programs, model});
        !status.ok())
      return status;
    if (count == 0)
      return failure(Code::InvalidArgument, "model '", name,
                     "' has no program");
    return serve(*host, name, programs, count, how, "", model);
  });
}

glow_status glow_host_serve_batches(glow_host *host, const char *name,
                                    glow_program *program, const char *batch,
                                    const glow_serving *how,
                                    glow_model_id *model) {
  return guarded([&] {
    Status status = checkPointers({host, name, program, batch, model});
    if (status.ok() && !*batch)
      status = failure(Code::InvalidArgument, "model '", name,
                       "' has an empty name of a batch");
    return status.ok() ? serve(*host, name, &program, 1, how, batch, model)
                       : status;
  });
}

glow_status glow_host_find(const glow_host *host, const char *name,
                           glow_model_id *model) {
  return guarded([&] {
    if (Status status = checkPointers({host, name, model}); !status.ok())
      return status;
    Result<ModelId> id = host->host.find(std::string_view(name));
    if (id)
      *model = uint64_t(*id);
    return id.status();
  });
}

glow_status glow_host_end(glow_host *host, glow_model_id model) {
  return guarded([&] {
    if (Status status = checkPointers({host}); !status.ok())
      return status;
    std::lock_guard lock(host->mutex);
    if (!host->names.erase(model))
      return failure(Code::NotFound, "no model is served as ", model);
    host->host.unload(ModelId(model));
    return Status();
  });
}

int glow_host_is_ready(const glow_host *host) {
  return host && host->host.isReady();
}

glow_status glow_host_report(const glow_host *host, const char **json) {
  return guarded([&] {
    if (Status status = checkPointers({host, json}); !status.ok())
      return status;
    static thread_local std::string text;
    text = host->host.report().json();
    *json = text.c_str();
    return Status();
  });
}

glow_status glow_host_listen(glow_host *host, const char *path) {
  return guarded([&] {
    if (Status status = checkPointers({host, path}); !status.ok())
      return status;
    auto socket =
        ReportSocket::open(path, [host] { return host->host.report().json(); });
    if (!socket)
      return socket.status();
    std::lock_guard lock(host->mutex);
    host->sockets.push_back(socket.take());
    return Status();
  });
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void glow_result_free(glow_result *result) { delete result; }
size_t glow_result_outputs(const glow_result *result) {
  return result ? result->outputs.size() : 0;
}
glow_status glow_result_output(const glow_result *result, size_t index,
                               glow_tensor_info *info, const void **data) {
  return guarded([&] {
    if (Status status = checkPointers({result}); !status.ok())
      return status;
    if (index >= result->outputs.size())
      return noOutput(result->outputs.size(), index);
    const NamedTensor &output = result->outputs[index];
    return describe(output.name, output.tensor, info, data);
  });
}
void glow_request_free(glow_request *request) { delete request; }

/// Tells the caller; there may be no memory for a result.
static void answer(glow_done done, void *context, const Names &names,
                   Status status, std::vector<Tensor> outputs) {
  std::unique_ptr<glow_result> result;
  glow_status outcome = guarded([&] {
    if (!status.ok())
      return status;
    result = std::make_unique<glow_result>();
    for (size_t i = 0; i < outputs.size(); ++i)
      result->outputs.push_back({(*names)[i], std::move(outputs[i])});
    return Status();
  });
  done(context, outcome, outcome == GLOW_OK ? result.release() : nullptr);
}

static Result<RequestOptions> optionsOf(const glow_request_options *given) {
  RequestOptions options;
  if (!given)
    return options;
  options.priority = given->priority;
  const double milliseconds = given->deadline_ms;
  // A deadline beyond the range of the clock counts as none.
  constexpr double most = 1e12;
  if (!(milliseconds >= 0))
    return failure(Code::InvalidArgument, "deadline_ms is ", milliseconds,
                   ", it should be a number from 0 on");
  if (milliseconds > 0 && milliseconds < most)
    options.deadline = std::chrono::steady_clock::now() +
                       Duration(int64_t(milliseconds * 1e6));
  return options;
}

static Result<std::vector<Tensor>> copiesOf(const glow_tensor *inputs,
                                            size_t count) {
  std::vector<Tensor> copies;
  for (size_t i = 0; i < count; ++i) {
    Result<TensorType> type = typeOf(inputs[i]);
    Result<Tensor> copy =
        type ? copyOf(*type, inputs[i].data) : Result<Tensor>(type.status());
    if (!copy)
      return copy.status().prefixed("input " + std::to_string(i) + ": ");
    copies.push_back(copy.take());
  }
  return copies;
}

namespace {
/// The model to which a request goes, or the session and the number of its
/// model.
struct Target {
  uint64_t id;
  bool isSession;
  size_t program = 0;
};
} // namespace

/// The names of the outputs in an answer.
static Result<Names> namesOf(glow_host &host, Target target) {
  std::lock_guard lock(host.mutex);
  if (target.isSession) {
    if (auto found = host.sessions.find(target.id);
        found != host.sessions.end())
      // The host refuses another number.
      return target.program < found->second.size()
                 ? found->second[target.program]
                 : Names();
  } else if (auto found = host.names.find(target.id);
             found != host.names.end()) {
    return found->second;
  }
  return failureOf(
      Code::NotFound,
      {target.isSession ? "the host has no session " : "no model is served as ",
       std::to_string(target.id)});
}

static Status submit(glow_host &host, Target target, std::vector<Tensor> inputs,
                     RequestOptions options, glow_done done, void *context,
                     glow_request **request) {
  Result<Names> names = namesOf(host, target);
  if (!names)
    return names.status();
  auto sent = std::make_shared<Sent>();
  std::unique_ptr<glow_request> handle;
  if (request)
    *request = (handle = std::make_unique<glow_request>(sent)).get();
  Host::Done answered = [=, names = *names](Status status,
                                            std::vector<Tensor> outputs) {
    answer(done, context, names, std::move(status), std::move(outputs));
  };
  RequestHandle submitted =
      target.isSession
          ? host.host.submit(HostSessionId(target.id), target.program,
                             std::move(inputs), options, std::move(answered))
          : host.host.submit(ModelId(target.id), std::move(inputs), options,
                             std::move(answered));
  // The caller's from now on, and perhaps freed by `done`.
  (void)handle.release();
  bool isCancelled = false;
  {
    std::lock_guard lock(sent->mutex);
    sent->handle = submitted;
    isCancelled = sent->isCancelled;
  }
  if (isCancelled)
    host.host.cancel(submitted);
  return Status();
}

/// Checks the arguments of a request, and sends it.
static glow_status request(glow_host *host, Target target,
                           std::span<const glow_tensor> inputs,
                           const glow_request_options *options, glow_done done,
                           void *context, glow_request **request) {
  return guarded([&] {
    Status status = checkPointers({host, reinterpret_cast<const void *>(done)});
    if (status.ok() && !inputs.empty())
      status = checkPointers({inputs.data()});
    if (!status.ok())
      return status;
    Result<RequestOptions> asked = optionsOf(options);
    if (!asked)
      return asked.status();
    Result<std::vector<Tensor>> copies = copiesOf(inputs.data(), inputs.size());
    if (!copies)
      return copies.status();
    return submit(*host, target, copies.take(), *asked, done, context, request);
  });
}

glow_status glow_submit(glow_host *host, glow_model_id model,
                        const glow_tensor *inputs, size_t count,
                        const glow_request_options *options, glow_done done,
                        void *context, glow_request **handle) {
  return request(host, {model, false}, {inputs, count}, options, done, context,
                 handle);
}

glow_status glow_host_session_submit(glow_host *host, glow_host_session session,
                                     const glow_tensor *inputs, size_t count,
                                     const glow_request_options *options,
                                     glow_done done, void *context,
                                     glow_request **handle) {
  return request(host, {session, true}, {inputs, count}, options, done, context,
                 handle);
}

glow_status glow_host_session_submit_of(glow_host *host,
                                        glow_host_session session, size_t model,
                                        const glow_tensor *inputs, size_t count,
                                        const glow_request_options *options,
                                        glow_done done, void *context,
                                        glow_request **handle) {
  return request(host, {session, true, model}, {inputs, count}, options, done,
                 context, handle);
}

static void cancel(glow_host &host, const glow_request &request) {
  std::shared_ptr<Sent> sent = request.sent; // the answer may free the request
  std::optional<RequestHandle> handle;
  {
    std::lock_guard lock(sent->mutex);
    handle = sent->handle;
    sent->isCancelled = true;
  }
  if (handle)
    host.host.cancel(*handle);
}

glow_status glow_cancel(glow_host *host, const glow_request *request) {
  return guarded([&] {
    Status status = checkPointers({host, request});
    if (status.ok())
      cancel(*host, *request);
    return status;
  });
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// The names that are no states of a session's model.
static Names stateless(const std::vector<std::string> &all,
                       std::span<const StatePlace> states) {
  std::vector<std::string> names;
  for (size_t i = 0; i < all.size(); ++i)
    if (std::ranges::find(states, i, &StatePlace::output) == states.end())
      names.push_back(all[i]);
  return std::make_shared<std::vector<std::string>>(std::move(names));
}

static Status open(glow_host &host, std::span<const glow_model_id> models,
                   glow_host_session &session) {
  std::lock_guard lock(host.mutex);
  std::vector<ModelId> ids;
  for (glow_model_id model : models) {
    if (!host.names.contains(model))
      return failure(Code::NotFound, "no model is served as ", model);
    ids.push_back(ModelId(model));
  }
  Result<HostSessionId> id = host.host.openSession(ids);
  if (!id)
    return id.status();
  std::vector<Names> names;
  Status status = host.host.withSession(*id, [&](SessionStates &states) {
    for (size_t i = 0; i < models.size(); ++i)
      names.push_back(stateless(*host.names.at(models[i]), states.places(i)));
    return Status();
  });
  if (!status.ok())
    return status;
  session = uint64_t(*id);
  host.sessions[session] = std::move(names);
  return Status();
}

glow_status glow_host_session_new(glow_host *host, glow_model_id model,
                                  glow_host_session *session) {
  return glow_host_session_new_of(host, &model, 1, session);
}

glow_status glow_host_session_new_of(glow_host *host,
                                     const glow_model_id *models, size_t count,
                                     glow_host_session *session) {
  return guarded([&] {
    Status status = checkPointers({host, models, session});
    return status.ok() ? open(*host, {models, count}, *session) : status;
  });
}

glow_status glow_host_session_end(glow_host *host, glow_host_session session) {
  return guarded([&] {
    if (Status status = checkPointers({host}); !status.ok())
      return status;
    {
      std::lock_guard lock(host->mutex);
      host->sessions.erase(session);
    }
    return host->host.closeSession(HostSessionId(session));
  });
}

/// Calls `body` with the states of a session. `given` is what a pointer of the
/// caller should point to.
static glow_status
onStates(glow_host *host, glow_host_session session, const void *given,
         const std::function<Status(SessionStates &)> &body) {
  return guarded([&] {
    Status status = checkPointers({host, given});
    return status.ok() ? host->host.withSession(HostSessionId(session), body)
                       : status;
  });
}

glow_status glow_host_session_save(glow_host *host, glow_host_session session,
                                   const char *path) {
  return onStates(host, session, path,
                  [=](SessionStates &states) { return states.save(path); });
}

glow_status glow_host_session_restore(glow_host *host,
                                      glow_host_session session,
                                      const char *path) {
  return onStates(host, session, path,
                  [=](SessionStates &states) { return states.restore(path); });
}

glow_status glow_host_session_rollback(glow_host *host,
                                       glow_host_session session,
                                       size_t entries) {
  return onStates(host, session, host, [=](SessionStates &states) {
    return states.rollback(entries);
  });
}

glow_status glow_host_session_reset(glow_host *host,
                                    glow_host_session session) {
  return onStates(host, session, host,
                  [](SessionStates &states) { return states.reset(); });
}

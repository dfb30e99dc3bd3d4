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

namespace {
/// A model to which requests go, by themselves or in a session.
struct TargetModel {
  uint64_t id = 0;
  Names names = {};                ///< of outputs that are no states
  std::vector<size_t> states = {}; ///< numbers of inputs that are states
};

/// Programs of sizes that come often to a served model.
struct SizedModel {
  std::string name;
  std::shared_ptr<SizedPrograms> programs;
};
} // namespace

struct glow_host {
  explicit glow_host(HostOptions options) : host(std::move(options)) {}

  std::mutex mutex;                // of all but the host
  std::map<uint64_t, Names> names; // of the outputs, by model
  std::map<uint64_t, std::vector<TargetModel>> sessions; // by number
  Host host; // answers what is left when it ends, with names
  std::map<uint64_t, SizedModel> sized;               // by model
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
  SizedModel sized{name, nullptr};
  if (count == 1 && programs[0]->sized) {
    ModelSpec like = spec;
    like.programs.clear();
    sized.programs = programs[0]->sized->forRequests(std::move(like));
  }
  Result<ModelId> id = host.host.add(std::move(spec));
  if (!id)
    return id.status();
  std::map<uint64_t, SizedModel> older; // destroyed without the lock
  std::lock_guard lock(host.mutex);
  host.names[uint64_t(*id)] = std::move(names);
  // Requests to an older version go to this one.
  for (auto at = host.sized.begin(); at != host.sized.end();) {
    auto next = std::next(at);
    if (at->second.name == name)
      older.insert(host.sized.extract(at));
    at = next;
  }
  if (sized.programs)
    host.sized[uint64_t(*id)] = std::move(sized);
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
    std::map<uint64_t, SizedModel>::node_type sized; // destroyed without lock
    std::lock_guard lock(host->mutex);
    if (!host->names.erase(model))
      return failure(Code::NotFound, "no model is served as ", model);
    sized = host->sized.extract(model);
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

namespace {
/// How a request is answered.
struct Route {
  TargetModel model;
  std::shared_ptr<SizedPrograms> sized; ///< null without any
};
} // namespace

static Result<Route> routeOf(glow_host &host, Target target) {
  std::lock_guard lock(host.mutex);
  Route route;
  if (target.isSession) {
    auto found = host.sessions.find(target.id);
    if (found == host.sessions.end())
      return failureOf(Code::NotFound,
                       {"the host has no session ", std::to_string(target.id)});
    // The host refuses another number.
    if (target.program < found->second.size())
      route.model = found->second[target.program];
  } else {
    auto found = host.names.find(target.id);
    if (found == host.names.end())
      return failureOf(Code::NotFound,
                       {"no model is served as ", std::to_string(target.id)});
    route.model = {target.id, found->second, {}};
  }
  if (auto found = host.sized.find(route.model.id); found != host.sized.end())
    route.sized = found->second.programs;
  return route;
}

/// The model of the sizes of a request, if there is one.
static std::optional<ModelId> modelFor(glow_host &host, const Route &route,
                                       const std::vector<Tensor> &inputs) {
  if (!route.sized)
    return std::nullopt;
  const auto id = ModelId(route.model.id);
  std::vector<TensorView> views;
  for (const Tensor &input : inputs) {
    while (std::ranges::find(route.model.states, views.size()) !=
           route.model.states.end())
      views.emplace_back();
    views.push_back(input.view());
  }
  const ModelId chosen = route.sized->choose(views, host.host, id);
  return chosen == id ? std::nullopt : std::optional(chosen);
}

static Status submit(glow_host &host, Target target, std::vector<Tensor> inputs,
                     RequestOptions options, glow_done done, void *context,
                     glow_request **request) {
  Result<Route> route = routeOf(host, target);
  if (!route)
    return route.status();
  const std::optional<ModelId> model = modelFor(host, *route, inputs);
  auto sent = std::make_shared<Sent>();
  std::unique_ptr<glow_request> handle;
  if (request)
    *request = (handle = std::make_unique<glow_request>(sent)).get();
  Host::Done answered = [=, names = route->model.names](
                            Status status, std::vector<Tensor> outputs) {
    answer(done, context, names, std::move(status), std::move(outputs));
  };
  RequestHandle submitted =
      target.isSession
          ? host.host.submit(HostSessionId(target.id), target.program,
                             std::move(inputs), options, std::move(answered),
                             model)
          : host.host.submit(model.value_or(ModelId(target.id)),
                             std::move(inputs), options, std::move(answered));
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

/// A model of a session, without its states.
static TargetModel stateless(uint64_t id, const std::vector<std::string> &all,
                             std::span<const StatePlace> states) {
  std::vector<std::string> names;
  TargetModel model{id};
  for (size_t i = 0; i < all.size(); ++i)
    if (std::ranges::find(states, i, &StatePlace::output) == states.end())
      names.push_back(all[i]);
  for (const StatePlace &state : states)
    model.states.push_back(state.input);
  model.names = std::make_shared<std::vector<std::string>>(std::move(names));
  return model;
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
  std::vector<TargetModel> targets;
  Status status = host.host.withSession(*id, [&](SessionStates &states) {
    for (size_t i = 0; i < models.size(); ++i)
      targets.push_back(
          stateless(models[i], *host.names.at(models[i]), states.places(i)));
    return Status();
  });
  if (!status.ok())
    return status;
  session = uint64_t(*id);
  host.sessions[session] = std::move(targets);
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

//===- Call.cpp - the calls of glow.h -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Programs with the same number of threads share a host and its devices. A call
// has at most one run. The completion function may free the call, so that the
// run and its call share their common state.
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "glow/Program/Failure.h"
#include "glow/Program/SizeValues.h"
#include <thread>

using namespace glow;
using namespace glow::capi;

namespace {
/// Marks, while it lives, that a completion function of a run is called.
class Reporting {
public:
  explicit Reporting(std::shared_ptr<Running> running)
      : running(std::move(running)), outer(innermost) {
    ++this->running->reporting;
    innermost = this;
  }
  ~Reporting() {
    innermost = outer;
    --running->reporting;
    running->reporting.notify_all();
  }
  Reporting(const Reporting &) = delete;

  /// The number of completion functions of a call under way on this thread.
  static unsigned onThisThread(const Running &running) {
    unsigned count = 0;
    for (const Reporting *at = innermost; at; at = at->outer)
      count += at->running.get() == &running;
    return count;
  }

private:
  std::shared_ptr<Running> running;
  const Reporting *outer;
  static thread_local const Reporting *innermost;
};

thread_local const Reporting *Reporting::innermost = nullptr;
} // namespace

/// The host whose devices programs share that run in the same way.
static std::shared_ptr<Host> hostOf(const RunOptions &run) {
  static std::mutex mutex;
  static std::map<std::pair<unsigned, unsigned>, std::weak_ptr<Host>> all;
  std::lock_guard lock(mutex);
  // Its devices have threads and live as long as a program is on them.
  std::weak_ptr<Host> &known = all[{run.threads, run.atOnce}];
  std::shared_ptr<Host> host = known.lock();
  if (!host) {
    DeviceOptions options;
    options.threads = run.threads;
    options.runsAtOnce =
        run.atOnce ? run.atOnce
                   : std::max(1u, std::thread::hardware_concurrency());
    host = std::make_shared<Host>(options);
    known = host;
  }
  return host;
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

static std::vector<TensorView> unbound(const std::vector<Binding> &bindings) {
  std::vector<TensorView> views;
  for (const Binding &binding : bindings)
    views.push_back({nullptr, &binding.type});
  return views;
}

/// Brings a program onto the device, unless it is there.
static Status load(glow_program &program) {
  std::lock_guard lock(program.loading);
  if (program.model)
    return Status();
  program.host = hostOf(program.run);
  // The compiler has checked the least sizes alone.
  std::optional<MemoryBudget::Use> use;
  if (program.memoryLimit && hasLengths(program.program.inputs))
    use.emplace(MemoryBudget(program.memoryLimit));
  Result<ModelId> model = program.host->load(program.program);
  if (model)
    program.model = *model;
  return model.status();
}

Status capi::makeCall(glow_program &program, glow_call **call) {
  if (Status status = load(program); !status.ok())
    return status;
  *call = new glow_call{
      &program,
      {unbound(program.program.inputs), unbound(program.program.outputs)}};
  (*call)->tensors.outputShapes = &(*call)->shapes;
  return Status();
}

glow_status glow_call_new(glow_program *program, glow_call **call) {
  return guarded([&] {
    Status status = checkPointers({program, call});
    return status.ok() ? makeCall(*program, call) : status;
  });
}

void glow_call_free(glow_call *call) {
  if (call)
    call->running->now.wait(true);
  delete call;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Status capi::checkIdle(const glow_call &call) {
  return call.running->now ? inUse(call) : Status();
}

Status capi::inUse(const glow_call &call) {
  return Status(Code::InvalidArgument,
                call.states
                    ? "the session is in use already; a fork of it can run "
                      "beside it"
                    : "the call runs already; what should run beside it takes "
                      "another call");
}

/// A session has the memory of its states.
static Status checkNoState(const glow_call &call, const std::string &name) {
  if (call.states)
    for (const StateInfo &info : call.states->all())
      if (name == info.pair.input || name == info.pair.output)
        return failureOf(
            Code::InvalidArgument,
            {"'", name,
             "' is a state of the session, which has its memory; "
             "glow_session_get and glow_session_set copy its value"});
  return Status();
}

/// Kernels read whole elements.
static Status checkAddress(const Binding &binding, const void *data) {
  const size_t size = byteSize(binding.type.kind);
  if (reinterpret_cast<uintptr_t>(data) % size == 0)
    return Status();
  return failure(Code::InvalidArgument, "'", binding.name,
                 "' is at an address that is no multiple of ", size,
                 " bytes, the size of an element");
}

static Status bindOne(glow_call &call, const std::string &name, void *data,
                      size_t bytes) {
  auto bindIn = [&](const std::vector<Binding> &bindings,
                    std::vector<TensorView> &views) -> std::optional<Status> {
    for (size_t i = 0; i < bindings.size(); ++i) {
      if (bindings[i].name != name)
        continue;
      const TensorType &type = *views[i].type;
      if (bytes != type.bytes())
        return failure(Code::ShapeMismatch, "'", name, "' has ", bytes,
                       " bytes, ", type.text(), " takes ", type.bytes());
      if (Status status = checkAddress(bindings[i], data); !status.ok())
        return status;
      views[i].data = data;
      call.overlaps.reset();
      return Status();
    }
    return std::nullopt;
  };
  Status idle = checkIdle(call);
  if (idle.ok())
    idle = takeLengths(call);
  if (idle.ok())
    idle = checkSizes(call);
  if (idle.ok())
    idle = checkNoState(call, name);
  if (!idle.ok())
    return idle;
  if (auto status = bindIn(call.program->program.inputs, call.tensors.inputs))
    return *status;
  if (auto status = bindIn(call.program->program.outputs, call.tensors.outputs))
    return *status;
  return failure(Code::NotFound, "no input or output is named '", name, "'");
}

glow_status glow_bind(glow_call *call, const char *name, void *data,
                      size_t bytes) {
  return guarded([&] {
    Status status = checkPointers({call, name});
    if (status.ok() && bytes)
      status = checkPointers({data});
    return status.ok() ? bindOne(*call, name, data, bytes) : status;
  });
}

static Status checkBound(const std::vector<Binding> &bindings,
                         const std::vector<TensorView> &views) {
  for (size_t i = 0; i < bindings.size(); ++i)
    if (!views[i].data && views[i].type->bytes() != 0)
      return failure(Code::InvalidArgument, "'", bindings[i].name,
                     "' is not bound; it should be ", views[i].type->text());
  return Status();
}

static Status checkBound(const glow_call &call) {
  Status status = checkSizes(call);
  if (status.ok())
    status = checkBound(call.program->program.inputs, call.tensors.inputs);
  return status.ok()
             ? checkBound(call.program->program.outputs, call.tensors.outputs)
             : status;
}

/// Whether outputs share memory is found once for what is bound.
static Status findOverlaps(glow_call &call) {
  if (call.overlaps)
    return Status();
  // States that grow have one buffer for an input and an output.
  std::vector<size_t> own;
  if (call.states)
    for (const StatePlace &place : call.states->places(call.number))
      if (place.input != StatePlace::none)
        own.push_back(place.input);
  Result<std::shared_ptr<Overlaps>> found =
      Overlaps::find(call.program->program, call.tensors, own);
  if (found)
    call.overlaps = found.take();
  return found.status();
}

/// Binds one after the other; `Data` is void * or const void *.
template <typename Data>
static Status bindAll(glow_call &call, const std::vector<Binding> &bindings,
                      Data *const *data, std::vector<TensorView> &views) {
  for (size_t i = 0; i < bindings.size(); ++i) {
    if (views[i].data == data[i])
      continue;
    if (Status status = checkAddress(bindings[i], data[i]); !status.ok())
      return status;
    views[i].data = const_cast<void *>(data[i]); // inputs are only read
    call.overlaps.reset();
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Sets the tensors of the states, which another buffer has after each run.
static Status bindStates(glow_call &call) {
  if (!call.states)
    return Status();
  Status status = takeLengths(call);
  if (status.ok())
    status = checkSizes(call);
  if (!status.ok())
    return status;
  // Buffers of states lie apart from everything, but Overlaps copies tensors.
  if (call.overlaps && *call.overlaps)
    call.overlaps.reset();
  return call.states->bind(call.tensors, call.number);
}

/// Takes the one run that a call may have.
static Status begin(glow_call &call) {
  if (call.running->now.exchange(true))
    return inUse(call);
  call.running->cancelled = false;
  call.tensors.cancelled = &call.running->cancelled;
  Status status = bindStates(call);
  if (status.ok())
    status = checkBound(call);
  if (status.ok())
    status = findOverlaps(call);
  if (!status.ok())
    call.running->end();
  return status;
}

/// Takes over what a run has written, if it has succeeded.
static void keepResults(const Status &status, const Overlaps *overlaps,
                        SessionStates *states, size_t number) {
  if (status.ok() && overlaps)
    overlaps->copyBack();
  if (status.ok() && states)
    states->advance(number);
}

/// The program of the sizes of a run, if there is one.
static ModelId modelOf(const glow_call &call) {
  const glow_program &program = *call.program;
  return program.sized ? program.sized->choose(call.tensors.inputs,
                                               *program.host, *program.model)
                       : *program.model;
}

static Status run(glow_call &call) {
  if (Status status = begin(call); !status.ok())
    return status;
  Status status = call.program->host->run(modelOf(call), call.toRunOn(),
                                          &call.running->handle);
  keepResults(status, call.overlaps->get(), call.states.get(), call.number);
  call.running->end();
  return status;
}

glow_status glow_run(glow_call *call) {
  return guarded([&] {
    Status status = checkPointers({call});
    return status.ok() ? run(*call) : status;
  });
}

glow_status glow_run_on(glow_call *call, const void *const *inputs,
                        void *const *outputs) {
  return guarded([&] {
    Status status = checkPointers({call});
    if (status.ok())
      status = checkIdle(*call);
    if (status.ok() && call->states)
      status = Status(Code::InvalidArgument,
                      "the call is of a session, which glow_run runs on what "
                      "glow_bind has bound");
    if (!status.ok())
      return status;
    const Program &program = call->program->program;
    if (!program.inputs.empty())
      status = checkPointers({inputs});
    if (status.ok())
      status = bindAll(*call, program.inputs, inputs, call->tensors.inputs);
    if (status.ok() && !program.outputs.empty())
      status = checkPointers({outputs});
    if (status.ok())
      status = bindAll(*call, program.outputs, outputs, call->tensors.outputs);
    return status.ok() ? run(*call) : status;
  });
}

static Status start(glow_call &call, glow_ran done, void *context) {
  if (Status status = begin(call); !status.ok())
    return status;
  std::shared_ptr<Running> running = call.running;
  std::shared_ptr<Overlaps> overlaps = *call.overlaps;
  std::shared_ptr<SessionStates> states = call.states;
  const size_t number = call.number;
  Status status = call.program->host->start(
      modelOf(call), call.toRunOn(),
      [=](Status status) {
        keepResults(status, overlaps.get(), states.get(), number);
        const Reporting reporting(running); // before a waiter sees the end
        // The caller may use the call then, and free it.
        running->end();
        done(context, guarded([&] { return status; }));
      },
      running->handle);
  if (!status.ok())
    running->end();
  return status;
}

glow_status glow_run_async(glow_call *call, glow_ran done, void *context) {
  return guarded([&] {
    Status status = checkPointers({call, reinterpret_cast<const void *>(done)});
    return status.ok() ? start(*call, done, context) : status;
  });
}

glow_status glow_call_cancel(glow_call *call) {
  return guarded([&] {
    Status status = checkPointers({call});
    if (!status.ok())
      return status;
    // The flag first: a run without a handle reads it, and one that has none
    // yet looks at it behind its begin.
    Running &running = *call->running;
    running.cancelled = running.now.load();
    call->program->host->cancel(running.handle);
    return status;
  });
}

static void wait(const glow_call &call) {
  std::shared_ptr<Running> running = call.running;
  const unsigned own = Reporting::onThisThread(*running);
  running->now.wait(true);
  for (unsigned reporting; (reporting = running->reporting) > own;)
    running->reporting.wait(reporting);
}

glow_status glow_call_wait(glow_call *call) {
  return guarded([&] {
    Status status = checkPointers({call});
    if (status.ok())
      wait(*call);
    return status;
  });
}

static Status profileCall(glow_call &call, size_t runs, const char **json) {
  constexpr size_t most = 1000000; // all of them are kept
  if (runs == 0 || runs > most)
    return failure(Code::InvalidArgument, "a profile is of ", runs,
                   " runs, it should be of at least 1 and at most ", most);
  call.running->cancelled = false; // by a cancellation after the last run
  Status status = bindStates(call);
  if (status.ok())
    status = checkBound(call);
  if (status.ok())
    status = findOverlaps(call);
  if (!status.ok())
    return status;
  Result<std::string> profile =
      capi::profile(*call.program, call.toRunOn(), runs);
  if (!profile)
    return profile.status();
  if (*call.overlaps)
    (*call.overlaps)->copyBack();
  static thread_local std::string text;
  text = profile.take();
  *json = text.c_str();
  return Status();
}

glow_status glow_profile(glow_call *call, size_t runs, const char **json) {
  return guarded([&] {
    Status status = checkPointers({call, json});
    if (status.ok())
      status = checkIdle(*call);
    return status.ok() ? profileCall(*call, runs, json) : status;
  });
}

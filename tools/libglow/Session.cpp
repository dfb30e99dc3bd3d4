//===- Session.cpp - the sessions of glow.h -------------------------------===//
// SPDX-License-Identifier: MIT
//
// A session is a call with states. A function that reads or changes states
// takes the place of a run, so that only one of them uses the states at a time.
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "glow/Program/Failure.h"
#include <cstring>

using namespace glow;
using namespace glow::capi;

struct glow_session {
  std::vector<std::unique_ptr<glow_call>> calls; ///< a call for each program

  /// The state of the run, which all calls share.
  Running &running() const { return *calls.front()->running; }
  SessionStates &states() const { return *calls.front()->states; }
};

//===----------------------------------------------------------------------===//
// States of programs
//===----------------------------------------------------------------------===//

static Status describeState(const StateInfo &state, glow_state_info *info) {
  if (Status status = checkPointers({info}); !status.ok())
    return status;
  *info = {state.pair.input.c_str(),   state.pair.output.c_str(),
           glow_kind(state.type.kind), state.type.shape.size(),
           state.type.shape.data(),    size_t(state.type.bytes()),
           state.pair.isGiven,         state.axis,
           size_t(state.capacity),     size_t(state.length)};
  return Status();
}

size_t glow_program_states(const glow_program *program) {
  return program ? program->states.size() : 0;
}

glow_status glow_program_state(const glow_program *program, size_t index,
                               glow_state_info *info) {
  return guarded([&] {
    if (Status status = checkPointers({program}); !status.ok())
      return status;
    const size_t count = program->states.size();
    return index < count ? describeState(program->states[index], info)
                         : failure(Code::NotFound, "there are ", count,
                                   " states, none has number ", index);
  });
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

static Status make(std::span<glow_program *const> programs,
                   const std::shared_ptr<SessionStates> &states,
                   glow_session **session) {
  auto made = std::make_unique<glow_session>();
  for (glow_program *program : programs) {
    glow_call *call;
    if (Status status = makeCall(*program, &call); !status.ok())
      return status;
    call->states = states;
    call->number = made->calls.size();
    made->calls.emplace_back(call);
    call->running = made->calls.front()->running;
  }
  *session = made.release();
  return Status();
}

static Status make(std::span<glow_program *const> programs,
                   glow_session **session) {
  std::vector<const Program *> all;
  for (glow_program *program : programs) {
    if (Status status = checkPointers({program}); !status.ok())
      return status;
    all.push_back(&program->program);
  }
  Result<std::unique_ptr<SessionStates>> states = SessionStates::create(all);
  return states ? make(programs, states.take(), session) : states.status();
}

glow_status glow_session_new(glow_program *program, glow_session **session) {
  return glow_session_new_of(&program, 1, session);
}

glow_status glow_session_new_of(glow_program *const *programs, size_t count,
                                glow_session **session) {
  return guarded([&] {
    Status status = checkPointers({programs, session});
    if (status.ok() && !count)
      status = Status(Code::InvalidArgument, "a session has no program");
    return status.ok() ? make({programs, count}, session) : status;
  });
}

void glow_session_free(glow_session *session) {
  if (session)
    session->running().now.wait(true);
  delete session;
}

glow_call *glow_session_call(glow_session *session) {
  return glow_session_call_of(session, 0);
}

glow_call *glow_session_call_of(glow_session *session, size_t program) {
  return session && program < session->calls.size()
             ? session->calls[program].get()
             : nullptr;
}

namespace {
/// A reference to a function, which is smaller in code than std::function.
template <typename... Arguments> class Body {
public:
  template <typename Function>
  Body(const Function &function)
      : function(&function), call([](const void *of, Arguments... arguments) {
          return (*static_cast<const Function *>(of))(arguments...);
        }) {}
  Status operator()(Arguments... arguments) const {
    return call(function, arguments...);
  }

private:
  const void *function;
  Status (*call)(const void *, Arguments...);
};

/// Keeps runs from a call while it lives.
class Taken {
public:
  explicit Taken(Running &running) : running(running) {}
  ~Taken() { running.end(); }
  Taken(const Taken &) = delete;

private:
  Running &running;
};
} // namespace

/// Runs the body of a function of a session, whose pointers are given, while
/// nothing else uses the states.
static glow_status onStates(std::initializer_list<const void *> pointers,
                            const glow_session *session,
                            const Body<SessionStates &> &body) {
  return guarded([&] {
    Status status = checkPointers({session});
    if (status.ok())
      status = checkPointers(pointers);
    if (!status.ok())
      return status;
    Running &running = session->running();
    if (running.now.exchange(true))
      return inUse(*session->calls.front());
    const Taken taken(running);
    return body(session->states());
  });
}

/// The same for a function that takes the name of a state.
static glow_status onState(const glow_session *session, const char *name,
                           const Body<SessionStates &, size_t> &body) {
  return onStates({name}, session, [&](SessionStates &states) {
    Result<size_t> index = states.find(name);
    return index ? body(states, *index) : index.status();
  });
}

glow_status glow_session_state(const glow_session *session, const char *name,
                               glow_state_info *info) {
  return onState(session, name, [&](SessionStates &states, size_t index) {
    return describeState(states.all()[index], info);
  });
}

static Status checkBytes(const StateInfo &state, const TensorType &type,
                         const void *data, size_t bytes) {
  if (bytes != type.bytes())
    return failureOf(Code::ShapeMismatch,
                     {"'", state.pair.input, "' has ", std::to_string(bytes),
                      " bytes, ", type.text(), " takes ",
                      std::to_string(type.bytes())});
  return bytes ? checkPointers({data}) : Status();
}

glow_status glow_session_get(const glow_session *session, const char *name,
                             void *data, size_t bytes) {
  return onState(session, name, [&](SessionStates &states, size_t index) {
    const StateInfo &state = states.all()[index];
    Status status = checkBytes(state, state.type, data, bytes);
    if (status.ok() && bytes)
      std::memcpy(data, states.value(index).data, bytes);
    return status;
  });
}

glow_status glow_session_set(glow_session *session, const char *name,
                             const void *data, size_t bytes) {
  return onState(session, name, [&](SessionStates &states, size_t index) {
    const StateInfo &state = states.all()[index];
    TensorType type = state.type;
    // Any number of whole entries fits, up to the capacity.
    if (state.grows() && state.entryBytes())
      type.shape[0] = int64_t(bytes / state.entryBytes());
    Status status = checkBytes(state, type, data, bytes);
    return status.ok() ? states.set(index, {const_cast<void *>(data), &type})
                       : status;
  });
}

glow_status glow_session_append(glow_session *session, const char *name,
                                const void *data, size_t entries) {
  return onState(session, name, [&](SessionStates &states, size_t index) {
    if (entries)
      if (Status status = checkPointers({data}); !status.ok())
        return status;
    return states.append(index, data, entries);
  });
}

glow_status glow_session_rollback(glow_session *session, size_t entries) {
  return onStates({}, session, [&](SessionStates &states) {
    return states.rollback(entries);
  });
}

glow_status glow_session_reset(glow_session *session) {
  return onStates({}, session,
                  [](SessionStates &states) { return states.reset(); });
}

glow_status glow_session_fork(const glow_session *session,
                              glow_session **fork) {
  return onStates({fork}, session, [&](SessionStates &states) {
    std::vector<glow_program *> programs;
    for (const auto &call : session->calls)
      programs.push_back(call->program);
    return make(programs, states.fork(), fork);
  });
}

glow_status glow_session_save(const glow_session *session, const char *path) {
  return onStates({path}, session,
                  [&](SessionStates &states) { return states.save(path); });
}

glow_status glow_session_restore(glow_session *session, const char *path) {
  return onStates({path}, session,
                  [&](SessionStates &states) { return states.restore(path); });
}

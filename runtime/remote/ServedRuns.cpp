//===- ServedRuns.cpp - runs that come from hosts -------------------------===//

#include "DeviceServer.h"
#include "base/Mistake.h"

using namespace glow;
using namespace glow::runtime;

static Status makeTensors(const std::vector<Binding> &bindings,
                          std::vector<Tensor> &tensors) {
  for (const Binding &binding : bindings) {
    Result<Tensor> tensor = Tensor::zeros(binding.type);
    if (!tensor)
      return tensor.status().prefixed("'" + binding.name + "': ");
    tensors.push_back(tensor.take());
  }
  return Status();
}

Result<std::shared_ptr<ServedRun>> DeviceServer::prepare(SessionId id,
                                                         ProgramId program) {
  std::vector<Binding> inputs, outputs;
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return noSession();
    auto found = session->programs.find(program);
    if (found == session->programs.end())
      return failure(Code::NotFound, "no program is loaded as ",
                     uint64_t(program));
    auto &spare = found->second.spare;
    if (!spare.empty()) {
      auto run = std::make_shared<ServedRun>();
      run->inputs = std::move(spare.back().inputs);
      run->outputs = std::move(spare.back().outputs);
      spare.pop_back();
      return run;
    }
    inputs = found->second.inputs;
    outputs = found->second.outputs;
  }
  auto run = std::make_shared<ServedRun>();
  Status status = makeTensors(inputs, run->inputs);
  if (status.ok())
    status = makeTensors(outputs, run->outputs);
  if (!status.ok())
    return status;
  return run;
}

/// A run on its device.
struct DeviceServer::Call {
  SessionId session;
  ProgramId program;
  std::shared_ptr<ServedRun> run;
  Tensors tensors;
  std::function<void(Status)> done;
  bool isActive = false; ///< the device runs it
  /// Given up: what the device says of it after a reset is not heard.
  enum State { Runs, Over, GivenUp };
  std::atomic<State> state = Runs;

  /// Whether it was running, and is not any more.
  bool take(State next) {
    State expected = Runs;
    return state.compare_exchange_strong(expected, next);
  }
};

void DeviceServer::start(SessionId id, ProgramId program,
                         std::shared_ptr<ServedRun> run,
                         std::function<void(Status)> done) {
  auto call = std::make_shared<Call>();
  call->session = id;
  call->program = program;
  call->run = run;
  call->done = std::move(done);
  for (const Tensor &input : run->inputs)
    call->tensors.inputs.push_back(input.view());
  for (const Tensor &output : run->outputs)
    call->tensors.outputs.push_back(output.view());
  call->tensors.cancelled = &run->cancelled;
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return call->done(noSession());
    session->runs.insert(std::move(run));
    calls.insert(call);
    waiting.push_back(call);
    ++busy;
  }
  launch();
}

/// Gives the device as many runs as it takes. Others wait, which hosts send so
/// that it is not idle while an answer and the next run are on their way.
void DeviceServer::launch() {
  std::vector<std::shared_ptr<Call>> launched;
  {
    std::lock_guard lock(mutex);
    while (!waiting.empty() && active < atOnce) {
      std::shared_ptr<Call> call = std::move(waiting.front());
      waiting.pop_front();
      call->isActive = true;
      ++active;
      launched.push_back(std::move(call));
    }
  }
  for (const std::shared_ptr<Call> &call : launched)
    post([this, call] { runNow(call); });
}

void DeviceServer::runNow(const std::shared_ptr<Call> &call) {
  auto threw = [&](const std::string &what) {
    markBroken();
    if (call->take(Call::Over)) {
      call->done(Status(Code::DeviceLost, "threw" + what));
      finish(call);
    }
  };
  try {
    device->run(call->program, call->tensors, [this, call](Status status) {
      ended(call, std::move(status));
    });
  } catch (const std::exception &error) {
    threw(std::string(": ") + error.what());
  } catch (...) {
    threw("");
  }
}

void DeviceServer::ended(const std::shared_ptr<Call> &call, Status status) {
  if (!call->take(Call::Over)) {
    if (call->state == Call::Over)
      markBroken(); // it calls `done` twice for one run
    return;
  }
  if (status.code() == Code::DeviceLost)
    markBroken();
  // Its outputs are read before another run has them.
  call->done(asAsked(*call, std::move(status)));
  finish(call);
}

/// Calls of a session that ends which wait for the device. Calls that the
/// device runs keep no other session waiting any more. The lock is held.
std::vector<std::shared_ptr<DeviceServer::Call>>
DeviceServer::takeCalls(SessionId session) {
  std::vector<std::shared_ptr<Call>> taken;
  for (const std::shared_ptr<Call> &call : calls)
    if (call->session == session)
      active -= std::exchange(call->isActive, false);
  for (const std::shared_ptr<Call> &call : waiting)
    if (call->session == session)
      taken.push_back(call);
  std::erase_if(waiting,
                [&](const auto &call) { return call->session == session; });
  return taken;
}

void DeviceServer::endCalls(const std::vector<std::shared_ptr<Call>> &ended) {
  for (const std::shared_ptr<Call> &call : ended)
    if (call->take(Call::Over)) {
      call->done(noSession());
      finish(call);
    }
}

/// Ends a run of which the device was reset, and may say anything or nothing.
void DeviceServer::giveUp(const std::shared_ptr<Call> &call) {
  if (!call->take(Call::GivenUp))
    return;
  call->done(Status(Code::DeviceLost, "the device was reset"));
  finish(call);
}

/// What a host hears of a run. Nothing of a device that was lost meanwhile: the
/// message that it was may come later than this one. One that ended since its
/// session did was not cancelled by its host, which may run it elsewhere.
Status DeviceServer::asAsked(const Call &call, Status status) {
  std::lock_guard lock(mutex);
  if (isBroken && status.code() != Code::DeviceLost &&
      !mistake(Mistake::BelieveTheLost))
    return Status(Code::DeviceLost, "the device was lost meanwhile");
  if (status.code() != Code::Cancelled)
    return status;
  return find(call.session) ? status : noSession();
}

void DeviceServer::finish(const std::shared_ptr<Call> &call) {
  {
    std::lock_guard lock(mutex);
    calls.erase(call);
    active -= std::exchange(call->isActive, false);
    std::erase(waiting, call);
    if (auto session = sessions.find(call->session);
        session != sessions.end()) {
      session->second.runs.erase(call->run);
      auto &programs = session->second.programs;
      // Tensors of a run that was given up may still be written.
      if (auto found = programs.find(call->program);
          found != programs.end() && call->state == Call::Over)
        found->second.spare.push_back(
            {std::move(call->run->inputs), std::move(call->run->outputs)});
    }
  }
  launch();
  left();
}

//===- ServedRuns.cpp - runs that come from hosts -------------------------===//
// SPDX-License-Identifier: MIT

#include "DeviceServer.h"
#include "base/Mistake.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

/// The types of the inputs and outputs in a run of these sizes. No type is
/// larger than that of its binding, whose size was checked.
static Result<std::vector<TensorType>>
typesOf(const std::vector<Binding> &inputs, const std::vector<Binding> &outputs,
        const Ints &sizes) {
  std::vector<TensorType> types;
  size_t at = 0;
  bool fits = true;
  for (const Binding &input : inputs) {
    types.push_back(input.type);
    if (input.lengths.empty())
      continue;
    for (int64_t &size : types.back().shape) {
      fits &= at < sizes.size() && sizes[at] >= 0 && sizes[at] <= size;
      size = fits ? sizes[at++] : size;
    }
  }
  if (!fits || at != sizes.size())
    return Status(Code::ShapeMismatch,
                  "the sizes of a run are not those of the program's inputs");
  SizeValues values;
  if (Status status = values.bind(inputs, typedViews(types)); !status.ok())
    return status;
  for (const Binding &output : outputs)
    types.push_back(values.typeOf(output.type, output.lengths));
  return types;
}

static Status makeTensors(std::span<const TensorType> types,
                          std::vector<Tensor> &tensors) {
  for (const TensorType &type : types) {
    Result<Tensor> tensor = Tensor::zeros(type);
    if (!tensor)
      return tensor.status().prefixed("a tensor of a run: ");
    tensors.push_back(tensor.take());
  }
  return Status();
}

Result<std::shared_ptr<ServedRun>>
DeviceServer::prepare(SessionId id, ProgramId program, const Ints &sizes) {
  auto run = std::make_shared<ServedRun>();
  std::vector<TensorType> types;
  size_t inputs = 0;
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return noSession();
    auto found = session->programs.find(program);
    if (found == session->programs.end())
      return failure(Code::NotFound, "no program is loaded as ",
                     uint64_t(program));
    Loaded &loaded = found->second;
    Result<std::vector<TensorType>> known =
        typesOf(loaded.inputs, loaded.outputs, sizes);
    if (!known)
      return known.status();
    types = known.take();
    inputs = loaded.inputs.size();
    auto fits = [&](const Values &values) {
      return std::ranges::equal(values.inputs, std::span(types).first(inputs),
                                {}, &Tensor::type) &&
             std::ranges::equal(values.outputs,
                                std::span(types).subspan(inputs), {},
                                &Tensor::type);
    };
    auto spare = std::ranges::find_if(loaded.spare, fits);
    const bool isFound = spare != loaded.spare.end();
    if (isFound) {
      run->inputs = std::move(spare->inputs);
      run->outputs = std::move(spare->outputs);
      loaded.spare.erase(spare);
    } else if (!loaded.spare.empty()) {
      loaded.spare.pop_back(); // tensors of other sizes, in place of these
    }
    if (isFound)
      return run;
  }
  Status status = makeTensors(std::span(types).first(inputs), run->inputs);
  if (status.ok())
    status = makeTensors(std::span(types).subspan(inputs), run->outputs);
  if (!status.ok())
    return status;
  return run;
}

/// A run of a session, from start() to finish().
///
/// `state` goes from Runs to Over (it has a completion) or to GivenUp, once, by
/// take(): the thread that makes this change calls `done`. DeviceServer::mutex
/// guards `isActive`.
struct DeviceServer::Call {
  SessionId session;
  ProgramId program;
  std::shared_ptr<ServedRun> run;
  Tensors tensors;
  std::function<void(Status)> done;
  bool isActive = false; ///< counts in `active`
  /// GivenUp: the device was reset, and its completion is ignored.
  enum State { Runs, Over, GivenUp };
  std::atomic<State> state = Runs;

  /// Changes the state from Runs to `next`; false if it was not Runs.
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
    ++busy; // until finish()
  }
  launch();
}

/// Gives the device as many runs as it takes at a time. Hosts send more, which
/// wait here: the device is then not idle while an answer and the next run are
/// in transit.
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
  // Posted, as Device::run may compute on the thread that calls it.
  for (const std::shared_ptr<Call> &call : launched)
    post([this, call] { runNow(call); });
}

/// Calls Device::run, on a worker thread and without the lock.
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

/// The completion of a run; any thread of the device, without the lock.
void DeviceServer::ended(const std::shared_ptr<Call> &call, Status status) {
  if (!call->take(Call::Over)) {
    if (call->state == Call::Over)
      markBroken(); // the device has called `done` twice for one run
    return;
  }
  if (status.code() == Code::DeviceLost)
    markBroken();
  // The link reads the outputs in `done`; finish() then lets another run use
  // the tensors.
  call->done(asAsked(*call, std::move(status)));
  finish(call);
}

/// Takes the waiting calls of a session that ends. Its running calls no longer
/// count as active, so that other sessions need not wait for them. Needs the
/// lock.
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

/// Ends a run whose device was reset. A later completion of it is ignored, and
/// there may be none.
void DeviceServer::giveUp(const std::shared_ptr<Call> &call) {
  if (!call->take(Call::GivenUp))
    return;
  call->done(Status(Code::DeviceLost, "the device was reset"));
  finish(call);
}

/// The status of a run that its host receives. If the device was lost
/// meanwhile, the run is lost, too: the message of the loss may arrive later. A
/// run that was cancelled because its session ended is lost, so that the host
/// may run it elsewhere; the host itself has not cancelled it.
Status DeviceServer::asAsked(const Call &call, Status status) {
  std::lock_guard lock(mutex);
  if (isBroken && status.code() != Code::DeviceLost &&
      !mistake(Mistake::BelieveTheLost))
    return Status(Code::DeviceLost, "the device was lost meanwhile");
  if (status.code() != Code::Cancelled)
    return status;
  return find(call.session) ? status : noSession();
}

/// Removes a call whose `done` has been called, and launches waiting calls.
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
      // The device may still write the tensors of a run that was given up: they
      // are not used again.
      if (auto found = programs.find(call->program);
          found != programs.end() && call->state == Call::Over)
        found->second.spare.push_back(
            {std::move(call->run->inputs), std::move(call->run->outputs)});
    }
  }
  launch();
  left();
}

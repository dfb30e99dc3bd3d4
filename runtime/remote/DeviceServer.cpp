//===- DeviceServer.cpp - sessions of a device that hosts use -------------===//
// SPDX-License-Identifier: MIT

#include "DeviceServer.h"
#include "base/Mistake.h"

using namespace glow;
using namespace glow::runtime;

DeviceServer::~DeviceServer() {
  std::vector<SessionId> all;
  {
    std::unique_lock lock(mutex);
    hasEnded = true; // find() gives no session from here on
    for (const auto &[id, session] : sessions) {
      all.push_back(id);
      for (const std::shared_ptr<ServedRun> &run : session.runs)
        run->cancelled = true;
    }
    idle.wait(lock, [&] { return busy == 0; });
  }
  for (SessionId id : all)
    drop(id);
}

/// Runs a task that may wait for the device. The task may use `this`: the
/// destructor waits for it.
void DeviceServer::post(std::function<void()> task) {
  {
    std::lock_guard lock(mutex);
    ++busy;
  }
  workers->post([this, task = std::move(task)] {
    task();
    left();
  });
}

/// Ends a posted task or a call.
void DeviceServer::left() {
  std::lock_guard lock(mutex);
  if (--busy == 0)
    idle.notify_all();
}

/// A session, whose lease begins anew; null if it is over. Needs the lock, and
/// the pointer is valid as long as the lock is held.
DeviceServer::Session *DeviceServer::find(SessionId id) {
  auto found = sessions.find(id);
  if (found == sessions.end() || hasEnded)
    return nullptr;
  found->second.heard = workers->now();
  return &found->second;
}

Status DeviceServer::noSession() {
  return Status(Code::DeviceLost,
                "the session is over: the server was started again, or heard "
                "nothing for too long");
}

void DeviceServer::open(SessionId previous, Done<RemoteSession> done) {
  post([this, previous, done = std::move(done)] { done(openNow(previous)); });
}

/// Opens a session, on a worker thread. Ends the previous session of the host,
/// and the sessions that were silent for longer than the lease.
Result<RemoteSession> DeviceServer::openNow(SessionId previous) {
  if (!mistake(Mistake::KeepSessions))
    drop(previous);
  for (SessionId id : silent())
    drop(id);
  if (device->state() == DeviceState::Lost)
    return failure(Code::DeviceLost, "the device of the server is lost");
  if (Status status = mend(); !status.ok())
    return status;
  RemoteSession session;
  session.device = device->info();
  session.device.backend = backend;
  std::lock_guard lock(mutex);
  if (hasEnded)
    return noSession();
  if (sessions.size() >= options.mostSessions)
    return failure(Code::Overloaded, "the server has ", sessions.size(),
                   " hosts, as many as it takes");
  do
    session.id = SessionId(random());
  while (session.id == SessionId::None || sessions.contains(session.id));
  sessions[session.id].heard = workers->now();
  session.freeBytes = freeFor(sessions[session.id]);
  return session;
}

void DeviceServer::markBroken() {
  std::lock_guard lock(mutex);
  isBroken = true;
}

/// Resets a broken device, which ends all sessions. `mending` lets one thread
/// do so at a time. `mutex` is taken in steps, because reset() may call `done`
/// of runs.
Status DeviceServer::mend() {
  std::lock_guard oneAtATime(mending);
  std::vector<SessionId> all;
  std::set<std::shared_ptr<Call>> given;
  {
    std::lock_guard lock(mutex);
    if (!isBroken || mistake(Mistake::NeverMend))
      return Status();
    for (const auto &[id, session] : sessions)
      all.push_back(id);
    given = calls; // after the reset these may have no completion
  }
  for (SessionId id : all)
    drop(id);
  Status status = device->reset();
  if (status.code() == Code::Unsupported && given.empty())
    status = Status(); // drop() has unloaded everything, and nothing runs
  if (!status.ok())
    return failure(Code::DeviceLost,
                   "the device of the server cannot be "
                   "mended: ",
                   status.message());
  for (const std::shared_ptr<Call> &call : given)
    giveUp(call);
  std::lock_guard lock(mutex);
  isBroken = false;
  return Status();
}

/// The sessions whose lease has run out.
std::vector<SessionId> DeviceServer::silent() {
  std::lock_guard lock(mutex);
  std::vector<SessionId> found;
  for (const auto &[id, session] : sessions)
    if (workers->now() - session.heard > options.lease)
      found.push_back(id);
  return found;
}

/// Ends a session: cancels its runs and unloads its programs. Called without
/// the lock, on a thread that may wait for the device.
void DeviceServer::drop(SessionId id) {
  std::map<ProgramId, Loaded> programs;
  std::vector<std::shared_ptr<Call>> ended;
  {
    // The session is erased under the lock; from then on no thread finds it.
    std::lock_guard lock(mutex);
    auto found = sessions.find(id);
    if (found == sessions.end())
      return;
    ended = takeCalls(id);
    for (const std::shared_ptr<ServedRun> &run : found->second.runs)
      run->cancelled = true;
    programs.swap(found->second.programs);
    sessions.erase(found);
  }
  endCalls(ended);
  launch();
  for (const auto &[program, loaded] : programs)
    device->unload(program);
}

void DeviceServer::close(SessionId session) {
  post([this, session] { drop(session); });
}

Result<uint64_t> DeviceServer::ping(SessionId id) {
  if (device->state() == DeviceState::Lost)
    return failure(Code::DeviceLost, "the device of the server is lost");
  std::lock_guard lock(mutex);
  Session *session = find(id);
  if (!session)
    return noSession();
  if (isBroken)
    return failure(Code::DeviceLost, "the device of the server is lost");
  return freeFor(*session);
}

/// Bytes that the host of a session may still take. Needs the lock.
uint64_t DeviceServer::freeFor(const Session &session) const {
  const uint64_t free = device->freeBytes();
  if (!options.mostBytes)
    return free;
  return std::min(free, options.mostBytes -
                            std::min(options.mostBytes, session.taken));
}

void DeviceServer::measure(SessionId id, Done<DeviceRates> done) {
  {
    std::lock_guard lock(mutex);
    if (!find(id))
      return done(noSession());
  }
  post([this, done = std::move(done)] { done(device->measure()); });
}

std::unique_ptr<RemoteService>
glow::deviceServer(std::shared_ptr<Device> device, const std::string &backend,
                   ServerOptions options) {
  return std::make_unique<DeviceServer>(std::move(device), backend,
                                        std::move(options));
}

//===- RemoteSession.cpp - sessions of a remote device --------------------===//
// SPDX-License-Identifier: MIT

#include "RemoteClient.h"

using namespace glow;
using namespace glow::runtime;

Result<RemoteSession> RemoteClient::openAndWait(SessionId previous) {
  return await<RemoteSession>([&](Link::Done<RemoteSession> done) {
    link->open(previous, options.openLimit, std::move(done));
  });
}

Status RemoteClient::begin() {
  Result<RemoteSession> given = openAndWait(SessionId::None);
  if (!given)
    return given.status();
  {
    std::lock_guard lock(mutex);
    theInfo = given->device;
    theInfo.returnsAtOnce = true;
    theInfo.hasBuffers = false;
    // With one program ahead the device is not idle while an answer and the
    // next run are in transit.
    theInfo.programsAhead = 1;
    adopt(*given);
    theState = DeviceState::Good;
  }
  pingLater(given->id);
  return Status();
}

/// Ends the device: after it no answer touches a tensor, and no timer acts.
void RemoteClient::end() {
  SessionId last;
  Runs ended;
  {
    std::unique_lock lock(mutex);
    hasEnded = true;
    last = ends;
    observer = nullptr;
    ended = takeRuns();
    waitForTensors(lock);
  }
  if (last != SessionId::None)
    link->close(last);
  endRuns(std::move(ended), Status(Code::DeviceLost, "the device is closed"));
}

/// Takes all runs, except those whose inputs the link reads now: run() ends
/// these. Needs the lock.
RemoteClient::Runs RemoteClient::takeRuns() {
  Runs taken;
  for (auto run = running.begin(); run != running.end();) {
    auto next = std::next(run);
    run->second.isLost = true;
    if (!run->second.isSending)
      taken.insert(running.extract(run));
    run = next;
  }
  return taken;
}

/// Cancels and answers runs; called without the lock.
void RemoteClient::endRuns(Runs runs, const Status &status) {
  for (auto &[number, run] : runs) {
    if (run.cancel)
      run.cancel();
    run.done(status);
  }
}

/// Waits until no thread of this client touches tensors. The wait frees the
/// lock.
void RemoteClient::waitForTensors(std::unique_lock<std::mutex> &lock) {
  tensorsLeft.wait(lock, [&] { return sending == 0 && copying == 0; });
}

/// Makes a new session the current one; needs the lock.
void RemoteClient::adopt(const RemoteSession &given) {
  session = ends = given.id;
  free = given.freeBytes;
  programs.clear();
  why = Status();
}

/// Calls the observer without the lock, as it may call the device.
void RemoteClient::reportState() {
  std::function<void()> callback;
  {
    std::lock_guard lock(mutex);
    callback = observer;
  }
  if (callback)
    callback();
}

/// Ends the session `of`, unless it is over already: Good or Suspect becomes
/// Lost. Called without the lock, by any thread.
void RemoteClient::lose(SessionId of, const Status &reason) {
  Runs lost;
  {
    std::lock_guard lock(mutex);
    if (hasEnded || of != session || theState == DeviceState::Lost)
      return;
    theState = DeviceState::Lost;
    why = Status(Code::DeviceLost, reason.message());
    programs.clear();
    lost = takeRuns();
  }
  endRuns(std::move(lost), Status(Code::DeviceLost, reason.message()));
  link->drop(); // ends the waits of await()
  reportState();
  reopen();
}

/// Calls `what` after a time, on a worker thread, unless the client is gone.
void RemoteClient::after(Duration time,
                         std::function<void(RemoteClient &)> what) {
  workers->postAt(workers->now() + time,
                  [weak = weak_from_this(), what = std::move(what)] {
                    if (std::shared_ptr<RemoteClient> self = weak.lock())
                      what(*self);
                  });
}

void RemoteClient::pingLater(SessionId of) {
  after(options.pingEvery, [of](RemoteClient &self) { self.ping(of); });
}

/// Sends a ping, unless the session `of` is over: each session has pings of its
/// own.
void RemoteClient::ping(SessionId of) {
  {
    std::lock_guard lock(mutex);
    if (hasEnded || of != session || theState == DeviceState::Lost)
      return;
  }
  link->ping(of, 0, options.pingLimit,
             [weak = weak_from_this(), of](Result<uint64_t> answer) {
               if (std::shared_ptr<RemoteClient> self = weak.lock())
                 self->ponged(of, answer);
             });
}

void RemoteClient::ponged(SessionId of, const Result<uint64_t> &answer) {
  if (!answer)
    return lose(of, answer.status());
  {
    std::lock_guard lock(mutex);
    if (of == session)
      free = *answer;
  }
  pingLater(of);
}

/// Asks for a session; after a failure reopened() sets a timer to ask again.
void RemoteClient::reopen() {
  SessionId previous;
  {
    std::lock_guard lock(mutex);
    if (hasEnded || theState != DeviceState::Lost)
      return;
    previous = ends;
  }
  link->open(previous, options.pingLimit,
             [weak = weak_from_this()](Result<RemoteSession> given) {
               if (std::shared_ptr<RemoteClient> self = weak.lock())
                 self->reopened(given);
             });
}

/// The answer to reopen(). Lost becomes Suspect, unless the server now has a
/// device of another backend.
void RemoteClient::reopened(const Result<RemoteSession> &given) {
  auto again = [](RemoteClient &self) { self.reopen(); };
  if (!given)
    return after(options.pingEvery, again);
  {
    std::lock_guard lock(mutex);
    if (hasEnded || theState != DeviceState::Lost)
      return;
    adopt(*given);
    if (given->device.backend == theInfo.backend)
      theState = DeviceState::Suspect;
    else
      why = failure(
          Code::DeviceLost, "its address now has a device of backend '",
          given->device.backend, "' instead of '", theInfo.backend, "'");
  }
  if (given->device.backend != theInfo.backend)
    return after(options.pingLimit, again);
  pingLater(given->id);
  reportState();
}

/// Ends all runs. A Suspect device becomes Good, because its new session has no
/// programs; a Good one gets a new session; a Lost one fails.
Status RemoteClient::reset() {
  if (isInherited())
    return Status(Code::DeviceLost, "it is a device of the parent process");
  SessionId before;
  DeviceState state;
  Status reason;
  Runs given;
  {
    std::unique_lock lock(mutex);
    given = takeRuns();
    waitForTensors(lock);
    state = theState;
    reason = why;
    before = ends;
    // A session that was just begun needs no other one.
    if (state == DeviceState::Suspect)
      theState = DeviceState::Good;
    // Later answers of the session that ends here do not match `session`, and
    // so do not affect the next one.
    if (state == DeviceState::Good) {
      session = SessionId::None;
      programs.clear();
    }
  }
  endRuns(std::move(given), Status(Code::DeviceLost, "the device was reset"));
  if (state != DeviceState::Good)
    return reason;
  Result<RemoteSession> opened = openAndWait(before);
  if (!opened) {
    lose(SessionId::None, opened.status());
    return opened.status();
  }
  {
    std::lock_guard lock(mutex);
    if (hasEnded || theState == DeviceState::Lost || session != SessionId::None)
      return Status(Code::DeviceLost, "the link broke");
    adopt(*opened);
  }
  pingLater(opened->id);
  return Status();
}

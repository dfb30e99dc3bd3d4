//===- RemoteClient.h - the host's side of a remote device ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A call belongs to the session in which it was made; its answer counts as long
// as this session lasts. A call that fails with Code::DeviceLost ends the
// session: all runs are lost at once, and the server is asked for another
// session until it, or a server in its place, gives one.
//
// States of the device: Good; Lost when a session ends (lose); Suspect with the
// next session (reopened); Good again when the host calls reset().
//
// In a child of fork() the device is lost for good: link and session belong to
// the parent, which goes on with both. The child touches neither of them, and
// no lock that a thread of its parent may hold.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_REMOTECLIENT_H
#define GLOW_RUNTIME_REMOTE_REMOTECLIENT_H

#include "glow/Base/Threads.h"
#include "glow/Runtime/Remote.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

namespace glow::runtime {

/// The implementation of a remote device, which owns its link. Calls in transit
/// hold it by weak pointers.
class RemoteClient : public std::enable_shared_from_this<RemoteClient> {
public:
  RemoteClient(std::unique_ptr<Link> link, std::shared_ptr<Workers> workers,
               RemoteOptions options)
      : link(std::move(link)), workers(std::move(workers)), options(options) {}

  Status begin();
  void end();

  /// Whether this process is a child of the one that began the session.
  bool isInherited() const { return birth != forkCount(); }
  DeviceInfo info() const;
  DeviceState state() const;
  uint64_t freeBytes() const;
  Result<DeviceRates> measure();
  void watch(std::function<void()> observer);
  Result<ProgramId> load(const Program &program);
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done);
  void unload(ProgramId program);
  Status reset();

private:
  struct Loaded {
    ProgramId there;
    std::vector<Binding> inputs, outputs;
  };
  struct Running {
    Tensors *tensors;
    std::function<void(Status)> done;
    std::function<void()> cancel; ///< null: being sent, or cancelled
    bool isSending = true;        ///< the link reads the inputs
    bool isLost = false;          ///< its session has ended; run() ends it
  };
  using Runs = std::map<uint64_t, Running>;

  template <typename T>
  Result<T> await(const std::function<void(Link::Done<T>)> &call);
  Result<SessionId> currentSession() const; ///< fails if there is none
  Result<RemoteSession> openAndWait(SessionId previous);
  Result<double> secondsOfPing(SessionId of, uint64_t bytes);
  void adopt(const RemoteSession &given);
  void lose(SessionId of, const Status &why);
  void reportState();
  void after(Duration time, std::function<void(RemoteClient &)> what);
  void pingLater(SessionId of);
  void ping(SessionId of);
  void ponged(SessionId of, const Result<uint64_t> &free);
  Runs takeRuns();
  void endRuns(Runs runs, const Status &status);
  void waitForTensors(std::unique_lock<std::mutex> &lock);
  void reopen();
  void reopened(const Result<RemoteSession> &given);
  void findCancelled();
  void answered(SessionId of, uint64_t number, Status status,
                const Link::Outputs &outputs);

  const std::unique_ptr<Link> link;
  const std::shared_ptr<Workers> workers;
  const RemoteOptions options;
  const uint64_t birth = forkCount();

  // Guards the members below. Free during calls of the link, of `done` and of
  // `observer`.
  mutable std::mutex mutex;
  std::condition_variable tensorsLeft;
  DeviceState theState = DeviceState::Lost;
  Status why{Code::DeviceLost, "the server was never reached"};
  SessionId session = SessionId::None; ///< cleared while reset() opens the next
  SessionId ends = SessionId::None;    ///< the last session, for Link::open
  DeviceInfo theInfo;
  uint64_t free = 0, lastProgram = 0, lastRun = 0;
  std::map<ProgramId, Loaded> programs;
  Runs running;
  unsigned sending = 0, copying = 0; // threads that read or write tensors now
  bool hasTimer = false;             // for findCancelled()
  bool hasEnded = false;             // end() was called
  std::function<void()> observer;
};

/// Makes a call of the link, and waits for its answer. No lock is held.
template <typename T>
Result<T> RemoteClient::await(const std::function<void(Link::Done<T>)> &call) {
  struct Answer {
    std::optional<Result<T>> value;
    Event isThere;
  };
  // Shared: set() may still run when the value is read here.
  auto answer = std::make_shared<Answer>();
  call([answer](Result<T> value) {
    answer->value.emplace(std::move(value));
    answer->isThere.set();
  });
  workers->wait(answer->isThere);
  return std::move(*answer->value);
}

} // namespace glow::runtime

#endif // GLOW_RUNTIME_REMOTE_REMOTECLIENT_H

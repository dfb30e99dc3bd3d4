//===- RemoteClient.h - the host's side of a remote device ------*- C++ -*-===//
//
// A call belongs to the session in which it was made, and its answer is
// believed as long as that lasts. When a call fails in the way of a link, the
// session is over: what runs is lost, at once and for good, and the server is
// asked for another session until it, or another one in its place, gives one.
//
// In a child of fork() the device is lost for good: link and session are the
// parent's, which goes on with both. The child touches neither them nor a lock
// that a thread of its parent may hold.
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

/// What a remote device does, and what keeps its link; shared with calls that
/// are on their way.
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
    std::function<void()> cancel; ///< null: it is on its way, or was called
    bool isSending = true;        ///< the link reads the inputs
    bool isLost = false;          ///< meanwhile
  };
  using Runs = std::map<uint64_t, Running>;

  template <typename T>
  Result<T> await(const std::function<void(Link::Done<T>)> &call);
  Result<SessionId> currentSession() const; ///< fails if there is none
  Result<RemoteSession> openAndWait(SessionId previous);
  Result<double> secondsOfPing(SessionId of, uint64_t bytes);
  void adopt(const RemoteSession &given);
  void lose(SessionId of, const Status &why);
  void tellState();
  void after(Duration time, std::function<void(RemoteClient &)> what);
  void pingLater(SessionId of);
  void ping(SessionId of);
  void ponged(SessionId of, const Result<uint64_t> &free);
  Runs takeRuns();
  void endRuns(Runs runs, const Status &status);
  void waitForTensors(std::unique_lock<std::mutex> &lock);
  void reopen();
  void reopened(const Result<RemoteSession> &given);
  void look();
  void answered(SessionId of, uint64_t number, Status status,
                const Link::Outputs &outputs);

  const std::unique_ptr<Link> link;
  const std::shared_ptr<Workers> workers;
  const RemoteOptions options;
  const uint64_t birth = forkCount();

  mutable std::mutex mutex; // guards what follows; free when others are called
  std::condition_variable tensorsLeft;
  DeviceState theState = DeviceState::Lost;
  Status why{Code::DeviceLost, "the server was never reached"};
  SessionId session = SessionId::None; ///< None while another one is asked for
  SessionId ends = SessionId::None;    ///< the last one, which the next ends
  DeviceInfo theInfo;
  uint64_t free = 0, lastProgram = 0, lastRun = 0;
  std::map<ProgramId, Loaded> programs;
  Runs running;
  unsigned sending = 0, copying = 0; // calls that touch tensors of runs
  bool looks = false, hasEnded = false;
  std::function<void()> observer;
};

/// Makes a call of the link, and waits for its answer.
template <typename T>
Result<T> RemoteClient::await(const std::function<void(Link::Done<T>)> &call) {
  struct Answer {
    std::optional<Result<T>> value;
    Event isThere;
  };
  // Shared: what sets the value may still be inside when it is read here.
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

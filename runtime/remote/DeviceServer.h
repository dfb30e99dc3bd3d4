//===- DeviceServer.h - a device that hosts elsewhere use -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Programs belong to the session that loaded them, and are unloaded with it.
// Data from a link is not trusted: types of inputs and outputs are checked
// before memory is allocated for them, and the device checks everything else.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_DEVICESERVER_H
#define GLOW_RUNTIME_REMOTE_DEVICESERVER_H

#include "glow/Runtime/Remote.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <set>

namespace glow::runtime {

/// Serves a device to the sessions of hosts. Methods may be called from any
/// thread. A method that waits for the device posts a task, which counts as
/// busy; the destructor waits until nothing is busy.
class DeviceServer final : public RemoteService {
public:
  DeviceServer(std::shared_ptr<Device> device, const std::string &backend,
               ServerOptions options)
      : device(std::move(device)), backend(backend), options(options),
        atOnce(std::max(1u, this->device->info().programsAtOnce)),
        workers(options.workers ? options.workers : threadWorkers()),
        random(options.seed ? options.seed
                            : (uint64_t(std::random_device()()) << 32 ^
                               std::random_device()())) {}
  ~DeviceServer() override;

  void open(SessionId previous, Done<RemoteSession> done) override;
  Result<uint64_t> ping(SessionId session) override;
  void measure(SessionId session, Done<DeviceRates> done) override;
  Result<std::shared_ptr<IncomingProgram>>
  receive(SessionId session, uint64_t descriptionBytes,
          uint64_t constantBytes) override;
  Status append(IncomingProgram &program, std::string_view bytes) override;
  void load(std::shared_ptr<IncomingProgram> program,
            Done<RemoteProgram> done) override;
  Result<std::shared_ptr<ServedRun>>
  prepare(SessionId session, ProgramId program, const Ints &sizes) override;
  void start(SessionId session, ProgramId program,
             std::shared_ptr<ServedRun> run,
             std::function<void(Status)> done) override;
  void unload(SessionId session, ProgramId program,
              Done<uint64_t> done) override;
  void close(SessionId session) override;

private:
  struct Values {
    std::vector<Tensor> inputs, outputs;
  };
  struct Loaded {
    std::vector<Binding> inputs, outputs;
    std::vector<Values> spare; ///< tensors of runs that are over
    uint64_t bytes = 0;        ///< bytes that it takes on the device
  };
  struct Session {
    TimePoint heard;
    uint64_t taken = 0; ///< bytes of the device for its programs
    /// Bytes of all programs that are being received. Shared with these: one
    /// may outlive the session.
    std::shared_ptr<std::atomic<uint64_t>> coming =
        std::make_shared<std::atomic<uint64_t>>(0);
    std::map<ProgramId, Loaded> programs;
    std::set<std::shared_ptr<ServedRun>> runs;
  };
  struct Call;

  Session *find(SessionId id);
  static Status noSession();
  void post(std::function<void()> task);
  void left();
  Status asAsked(const Call &call, Status status);
  void launch();
  void runNow(const std::shared_ptr<Call> &call);
  void ended(const std::shared_ptr<Call> &call, Status status);
  void finish(const std::shared_ptr<Call> &call);
  void giveUp(const std::shared_ptr<Call> &call);
  std::vector<std::shared_ptr<Call>> takeCalls(SessionId session);
  void endCalls(const std::vector<std::shared_ptr<Call>> &ended);
  void markBroken();
  Status mend();
  std::vector<SessionId> silent();
  void drop(SessionId id);
  Result<RemoteProgram> loadNow(const std::shared_ptr<IncomingProgram> &given);
  Result<RemoteSession> openNow(SessionId previous);
  uint64_t freeFor(const Session &session) const;
  Status take(SessionId session, uint64_t bytes);

  const std::shared_ptr<Device> device;
  const std::string backend;
  const ServerOptions options;
  const size_t atOnce;
  const std::shared_ptr<Workers> workers;

  std::mutex mending; // serialises mend(); taken before `mutex`
  // Guards the members below. Free when run, load, unload or reset of the
  // device is called; freeBytes() is called under it.
  std::mutex mutex;
  std::condition_variable idle;
  std::mt19937_64 random;
  std::map<SessionId, Session> sessions;
  std::set<std::shared_ptr<Call>> calls;     // waiting or running calls
  std::deque<std::shared_ptr<Call>> waiting; // until the device has capacity
  size_t active = 0;     // calls that count as running on the device
  bool isBroken = false; // the device was lost, or broke its contract
  size_t busy = 0;       // posted tasks, and calls without a completion
  bool hasEnded = false;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_REMOTE_DEVICESERVER_H

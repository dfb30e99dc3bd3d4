//===- Remote.h - devices in other processes --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A RemoteDevice is a Device whose programs run in another process, in which a
// DeviceServer serves a device. A Link carries calls between them, by a
// transport such as "grpc". docs/Remote.md describes the whole protocol.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_H
#define GLOW_RUNTIME_REMOTE_H

#include "glow/Runtime/Device.h"
#include "glow/Runtime/ProcessGroup.h"
#include "glow/Runtime/Workers.h"
#include "glow/Values/Tensor.h"
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace glow {

/// A session between a host and a server, which starts with `open`. Session
/// numbers are unique, also between processes, so that a restarted server is
/// never taken for the previous one.
enum class SessionId : uint64_t { None = 0 };

/// A server's reply at the start of a session.
struct RemoteSession {
  SessionId id = SessionId::None;
  DeviceInfo device;
  uint64_t freeBytes = 0;
};

/// A server's reply after loading a program.
struct RemoteProgram {
  ProgramId id{};
  uint64_t freeBytes = 0; ///< remaining bytes
};

/// Maximum bytes of a message: of the inputs of a run, or of its outputs.
inline constexpr uint64_t largestMessage = (uint64_t(1) << 31) - (1 << 20);

/// Maximum bytes of a ping that measures the link.
inline constexpr uint64_t largestPing = uint64_t(1) << 22;

/// A connection to a server. Each `done` is called once, on any thread, also
/// before the method returns. It gets Code::DeviceLost if the server cannot be
/// reached, did not answer in time, or does not know the session; else the
/// reply of the server. Methods may be called from any thread.
class Link {
public:
  template <typename T> using Done = std::function<void(Result<T>)>;

  /// Writes the outputs of a run, which have the required types. Fails with
  /// Code::ShapeMismatch if the received data has other sizes.
  using Outputs = std::function<Status(const std::vector<TensorView> &)>;

  /// Ends all open calls; their `done` is called before or soon after the end
  /// of the destructor.
  virtual ~Link() = default;

  /// Begins a session and ends `previous`, which frees all of its programs.
  virtual void open(SessionId previous, Duration limit,
                    Done<RemoteSession> done) = 0;

  /// Checks whether the session is alive, and returns the free bytes.
  /// `moreBytes` of unused data are sent along, at most largestPing.
  virtual void ping(SessionId session, uint64_t moreBytes, Duration limit,
                    Done<uint64_t> done) = 0;

  /// Measures the device; the rates of the link stay 0. There is no time limit.
  virtual void measure(SessionId session, Done<DeviceRates> done) = 0;

  /// Loads a program. The program and its `description` (ProgramFile.h) are
  /// read until `done`. There is no time limit.
  virtual void load(SessionId session, const Program &program,
                    const std::string &description,
                    Done<RemoteProgram> done) = 0;

  /// Runs a program. `sizes` are those of the inputs that have lengths, one
  /// input after the other. Reads the inputs before it returns, and accesses no
  /// memory of the caller afterwards, except when `done` calls its `Outputs`.
  /// Returns a function that cancels the run; it may also be called after the
  /// end of the run.
  virtual std::function<void()>
  run(SessionId session, ProgramId program, const Ints &sizes,
      const std::vector<TensorView> &inputs,
      std::function<void(Status, const Outputs &)> done) = 0;

  /// Frees the memory of a program, and returns the bytes that are free then.
  virtual void unload(SessionId session, ProgramId program,
                      Done<uint64_t> done) = 0;

  /// Ends a session at the end of its host, without waiting for an answer.
  virtual void close(SessionId session) = 0;

  /// Abandons all open calls, with Code::DeviceLost.
  virtual void drop() = 0;
};

/// A program on its way to a server.
struct IncomingProgram {
  SessionId session = SessionId::None;
  uint64_t descriptionBytes = 0; ///< total size
  std::string description;       ///< the received part
  Tensor constants; ///< u8[...], in the format of writeBlock (Serial.h)
  std::shared_ptr<void>
      share;           ///< share in the host's limit for programs in transit
  uint64_t hash[2]{};  ///< of description and constants, in this order, as sent
  uint64_t filled = 0; ///< received bytes of both
};

/// A run on its way through a server.
struct ServedRun {
  std::vector<Tensor> inputs; ///< to be filled; types are those of the run
  std::vector<Tensor> outputs;
  std::atomic<bool> cancelled{false};
};

/// The service that the transport of a server calls. Each `done` is called
/// once, on any thread, also before the method returns. An unknown session
/// gives Code::DeviceLost.
class RemoteService {
public:
  template <typename T> using Done = std::function<void(Result<T>)>;
  virtual ~RemoteService() = default;
  virtual void open(SessionId previous, Done<RemoteSession> done) = 0;
  virtual Result<uint64_t> ping(SessionId session) = 0;
  virtual void measure(SessionId session, Done<DeviceRates> done) = 0;

  /// Allocates memory for a program that arrives in pieces. Fails with
  /// Code::OutOfMemory if its constants do not fit.
  virtual Result<std::shared_ptr<IncomingProgram>>
  receive(SessionId session, uint64_t descriptionBytes,
          uint64_t constantBytes) = 0;

  /// Appends the next bytes. Fails with Code::InvalidArgument if there are more
  /// than announced.
  virtual Status append(IncomingProgram &program, std::string_view bytes) = 0;

  /// Loads the received program. Fails as Device::load does, and with
  /// Code::InvalidArgument if the program is damaged.
  virtual void load(std::shared_ptr<IncomingProgram> program,
                    Done<RemoteProgram> done) = 0;

  /// Allocates memory for a run of these sizes (Link::run). Fails with
  /// Code::NotFound if there is no such program, and with Code::ShapeMismatch
  /// if it takes other sizes.
  virtual Result<std::shared_ptr<ServedRun>>
  prepare(SessionId session, ProgramId program, const Ints &sizes = {}) = 0;

  /// Starts the run, once its inputs have arrived.
  virtual void start(SessionId session, ProgramId program,
                     std::shared_ptr<ServedRun> run,
                     std::function<void(Status)> done) = 0;
  virtual void unload(SessionId session, ProgramId program,
                      Done<uint64_t> done) = 0;
  virtual void close(SessionId session) = 0;
};

/// Serves an address until it is destroyed, which ends all open calls.
class LinkServer {
public:
  virtual ~LinkServer() = default;
  virtual std::string address() const = 0; ///< with the actual port
};

/// The contents of the symbol `glow_transport` in a transport module. The
/// module is `libglow-NAME.so` beside the program or in the folder `../lib`.
struct Transport {
  using Magic = std::array<char, 16>;
  /// The number of this interface, by which findTransport knows its modules.
  static constexpr Magic expectedMagic = {"glow transport3"};
  using Connect = Result<std::unique_ptr<Link>>(const std::string &place);
  using Serve = Result<std::unique_ptr<LinkServer>>(const std::string &place,
                                                    RemoteService &service);
  using Join = Result<std::unique_ptr<ProcessGroup>>();

  constexpr Transport(Connect *connect, Serve *serve, Join *join)
      : connect(connect), serve(serve), join(join) {}

  Magic magic = expectedMagic;
  Connect *connect;
  Serve *serve;
  Join *join; ///< as joinGroup; null for a transport without jobs
};

/// Opens the module of a transport, once. Fails with Code::NotFound and a
/// remedy.
Result<const Transport *> findTransport(const std::string &name);

/// "grpc:HOST:PORT" is a transport and an address in it. Fails with
/// Code::InvalidArgument for a text without a transport.
struct RemoteAddress {
  std::string transport, place;
  static Result<RemoteAddress> parse(const std::string &text);
};

/// Supervision of the link of a remote device.
struct RemoteOptions {
  Duration pingEvery = std::chrono::milliseconds(100);
  Duration pingLimit = std::chrono::seconds(2); ///< then the server is lost
  Duration openLimit = std::chrono::seconds(5); ///< for the first answer
  /// Time limit for sending and loading a program; then the server is lost.
  Duration loadLimit = std::chrono::minutes(10);
  /// Interval of the checks whether runs are cancelled.
  Duration cancelEvery = std::chrono::milliseconds(10);
};

/// Makes a device behind a link. Fails as Link::open does.
///
/// The device becomes Lost as soon as a call fails or a ping is not answered in
/// time. It becomes Suspect when the server, or another one at its address,
/// answers again. Then `reset` makes it Good, with nothing loaded.
Result<std::unique_ptr<Device>> remoteDevice(std::unique_ptr<Link> link,
                                             std::shared_ptr<Workers> workers,
                                             RemoteOptions options = {});

/// The same, by address. Also fails with Code::WrongTarget if the device is of
/// another backend.
Result<std::unique_ptr<Device>> openRemoteDevice(const std::string &address,
                                                 const std::string &backend);

/// Options of a server.
struct ServerOptions {
  std::shared_ptr<Workers> workers; ///< null: own threads
  /// A session without messages for this time ends.
  Duration lease = std::chrono::seconds(10);
  unsigned mostSessions = 64;
  /// Memory of the device for the programs of one session; 0: all.
  uint64_t mostBytes = 0;
  uint64_t seed = 0; ///< seed of session numbers; 0: random
};

/// Serves a device to any number of hosts, each in its own session. The
/// destructor cancels all runs and waits for them.
std::unique_ptr<RemoteService> deviceServer(std::shared_ptr<Device> device,
                                            const std::string &backend,
                                            ServerOptions options = {});

} // namespace glow

#endif // GLOW_RUNTIME_REMOTE_H

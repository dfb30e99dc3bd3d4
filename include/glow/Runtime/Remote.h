//===- Remote.h - devices in other processes --------------------*- C++ -*-===//
//
// RemoteDevice is a Device whose programs run in another process, which has a
// DeviceServer for a device of its own. A Link carries calls from one to the
// other; how, a transport says, as "grpc". docs/Remote.md tells the whole.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_H
#define GLOW_RUNTIME_REMOTE_H

#include "glow/Runtime/Device.h"
#include "glow/Runtime/Workers.h"
#include "glow/Values/Tensor.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace glow {

/// What holds between a host and a server from `open` on. No two sessions have
/// one number, not of two processes either, so that a server that was started
/// again is never taken for the one from before.
enum class SessionId : uint64_t { None = 0 };

/// What a server says when a session begins.
struct RemoteSession {
  SessionId id = SessionId::None;
  DeviceInfo device;
  uint64_t freeBytes = 0;
};

/// What a server says of a program that it has loaded.
struct RemoteProgram {
  ProgramId id{};
  uint64_t freeBytes = 0; ///< left
};

/// The most bytes of a message: of the inputs of a run, or of its outputs.
inline constexpr uint64_t largestMessage = (uint64_t(1) << 31) - (1 << 20);

/// The most bytes that a ping has in order to measure the link.
inline constexpr uint64_t largestPing = uint64_t(1) << 22;

/// A way to a server. Each `done` is called once, on any thread, also before
/// the method returns, with Code::DeviceLost if the server cannot be reached,
/// did not answer in time, or does not know the session; else as the server
/// says. Methods may be called from any thread.
class Link {
public:
  template <typename T> using Done = std::function<void(Result<T>)>;

  /// Writes the outputs of a run, which are of the types they should be. Fails
  /// with Code::ShapeMismatch if what came has other sizes.
  using Outputs = std::function<Status(const std::vector<TensorView> &)>;

  /// Ends what is not answered; `done` is called for all of it before or soon
  /// after the end of this.
  virtual ~Link() = default;

  /// Begins a session and ends `previous`, all of whose programs are gone then.
  virtual void open(SessionId previous, Duration limit,
                    Done<RemoteSession> done) = 0;

  /// Whether the session lives, and the bytes that are free. `moreBytes` that
  /// nothing reads go with it, at most largestPing.
  virtual void ping(SessionId session, uint64_t moreBytes, Duration limit,
                    Done<uint64_t> done) = 0;

  /// Measures the device; what of its rates is of this link stays 0. Takes as
  /// long as it takes.
  virtual void measure(SessionId session, Done<DeviceRates> done) = 0;

  /// Loads a program, which with its `description` (ProgramFile.h) is read
  /// until `done`. Takes as long as it takes.
  virtual void load(SessionId session, const Program &program,
                    const std::string &description,
                    Done<RemoteProgram> done) = 0;

  /// Runs a program. Reads the inputs before it returns, and touches no memory
  /// of the caller's afterwards: `done` may call what it is given. Returns what
  /// cancels the run, also when it is over.
  virtual std::function<void()>
  run(SessionId session, ProgramId program,
      const std::vector<TensorView> &inputs,
      std::function<void(Status, const Outputs &)> done) = 0;

  /// Frees the memory of a program; says what is free then.
  virtual void unload(SessionId session, ProgramId program,
                      Done<uint64_t> done) = 0;

  /// Ends a session whose host ends; no answer is waited for.
  virtual void close(SessionId session) = 0;

  /// Gives up all that is not answered, with Code::DeviceLost.
  virtual void drop() = 0;
};

/// A program on its way to a server.
struct IncomingProgram {
  SessionId session = SessionId::None;
  uint64_t descriptionBytes = 0; ///< in all
  std::string description;       ///< as much of it as came
  Tensor constants;              ///< u8[...], as writeBlock has them (Serial.h)
  std::shared_ptr<void>
      share;           ///< of the limit of a host's programs on their way
  uint64_t hash[2]{};  ///< of both, the description first, as sent
  uint64_t filled = 0; ///< bytes of both that came
};

/// A run on its way through a server.
struct ServedRun {
  std::vector<Tensor> inputs; ///< of the types of the program, to be filled
  std::vector<Tensor> outputs;
  std::atomic<bool> cancelled{false};
};

/// What the transport of a server calls. Each `done` is called once, on any
/// thread, also before the method returns. A session that there is not is
/// Code::DeviceLost.
class RemoteService {
public:
  template <typename T> using Done = std::function<void(Result<T>)>;
  virtual ~RemoteService() = default;
  virtual void open(SessionId previous, Done<RemoteSession> done) = 0;
  virtual Result<uint64_t> ping(SessionId session) = 0;
  virtual void measure(SessionId session, Done<DeviceRates> done) = 0;

  /// Memory for a program that comes in pieces. Fails with Code::OutOfMemory if
  /// its constants do not fit.
  virtual Result<std::shared_ptr<IncomingProgram>>
  receive(SessionId session, uint64_t descriptionBytes,
          uint64_t constantBytes) = 0;

  /// Adds the next bytes. Fails with Code::InvalidArgument if they are more
  /// than was said.
  virtual Status append(IncomingProgram &program, std::string_view bytes) = 0;

  /// Loads what came. Fails as Device::load does, with Code::InvalidArgument if
  /// it is damaged, too.
  virtual void load(std::shared_ptr<IncomingProgram> program,
                    Done<RemoteProgram> done) = 0;

  /// Memory for a run. Fails with Code::NotFound if there is no such program.
  virtual Result<std::shared_ptr<ServedRun>> prepare(SessionId session,
                                                     ProgramId program) = 0;

  /// Runs it, once its inputs are there.
  virtual void start(SessionId session, ProgramId program,
                     std::shared_ptr<ServedRun> run,
                     std::function<void(Status)> done) = 0;
  virtual void unload(SessionId session, ProgramId program,
                      Done<uint64_t> done) = 0;
  virtual void close(SessionId session) = 0;
};

/// Answers on an address until it is destroyed, which ends what is open.
class LinkServer {
public:
  virtual ~LinkServer() = default;
  virtual std::string address() const = 0; ///< with the port that was found
};

/// What a module of a transport, `libglow-NAME.so` beside the program or in
/// `../lib` of it, has under the symbol `glow_transport`.
struct Transport {
  static constexpr char expectedMagic[16] = "glow transport1";
  char magic[16];
  Result<std::unique_ptr<Link>> (*connect)(const std::string &place);
  Result<std::unique_ptr<LinkServer>> (*serve)(const std::string &place,
                                               RemoteService &service);
};

/// Opens the module of a transport, once. Fails with Code::NotFound and what to
/// do.
Result<const Transport *> findTransport(const std::string &name);

/// "grpc:HOST:PORT" is transport and place. Fails with Code::InvalidArgument
/// for what has no transport.
struct RemoteAddress {
  std::string transport, place;
  static Result<RemoteAddress> parse(const std::string &text);
};

/// How a remote device looks after its link.
struct RemoteOptions {
  Duration pingEvery = std::chrono::milliseconds(100);
  Duration pingLimit = std::chrono::seconds(2); ///< then the server is lost
  Duration openLimit = std::chrono::seconds(5); ///< for the first answer
  /// Of a program, all of it sent and loaded; then the server is lost.
  Duration loadLimit = std::chrono::minutes(10);
  /// How often runs are looked at for whether they are still wanted.
  Duration cancelEvery = std::chrono::milliseconds(10);
};

/// A device behind a link. Fails as Link::open does.
///
/// It is Lost as soon as a call fails or a ping is not answered in its time,
/// and Suspect when the server, or another one in its place, answers again:
/// then `reset` makes it Good, with nothing loaded.
Result<std::unique_ptr<Device>> remoteDevice(std::unique_ptr<Link> link,
                                             std::shared_ptr<Workers> workers,
                                             RemoteOptions options = {});

/// The same by an address. Fails with Code::WrongTarget if its device is of
/// another backend, too.
Result<std::unique_ptr<Device>> openRemoteDevice(const std::string &address,
                                                 const std::string &backend);

/// How a server works.
struct ServerOptions {
  std::shared_ptr<Workers> workers; ///< null: threads of its own
  /// A session of which nothing was heard for so long ends.
  Duration lease = std::chrono::seconds(10);
  unsigned mostSessions = 64;
  /// Memory of the device for the programs of one session; 0: all.
  uint64_t mostBytes = 0;
  uint64_t seed = 0; ///< of the numbers of sessions; 0: by chance
};

/// Serves a device to any number of hosts, each in a session of its own.
/// Destroying it cancels what runs, and waits for it.
std::unique_ptr<RemoteService> deviceServer(std::shared_ptr<Device> device,
                                            const std::string &backend,
                                            ServerOptions options = {});

} // namespace glow

#endif // GLOW_RUNTIME_REMOTE_H

//===- GrpcLink.cpp - the host's side of gRPC -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Each call holds the connection until gRPC has ended the call, so that a link
// may be destroyed inside one of its own answers.
//
//===----------------------------------------------------------------------===//

#include "Device.grpc.pb.h"
#include "Grpc.h"
#include "Messages.h"
#include "glow/Base/Hash.h"
#include "glow/Base/Threads.h"
#include "glow/Program/Serial.h"
#include <condition_variable>
#include <cstdlib>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <mutex>
#include <set>

using namespace glow;
using namespace glow::remote;

namespace {

/// The calls without an answer. A context is in the set from the constructor to
/// the destructor of its CallBase: a context in the set is alive.
class OpenCalls {
public:
  void add(grpc::ClientContext *context) {
    std::lock_guard lock(mutex);
    contexts.insert(context);
  }
  void remove(grpc::ClientContext *context) {
    std::lock_guard lock(mutex);
    contexts.erase(context);
  }
  /// gRPC calls the answers of cancelled calls on its own threads.
  void cancelAll() {
    std::lock_guard lock(mutex);
    for (grpc::ClientContext *context : contexts)
      context->TryCancel();
  }
  /// Sets the call that holds the session, and cancels the one before. After
  /// end() the new call is cancelled as well.
  void hold(grpc::ClientContext *context) {
    std::lock_guard lock(mutex);
    if (contexts.contains(holding))
      holding->TryCancel();
    holding = context;
    if (isEnded)
      context->TryCancel();
  }
  void end() {
    cancelAll();
    std::lock_guard lock(mutex);
    isEnded = true;
    if (contexts.contains(holding))
      holding->TryCancel();
  }

private:
  std::mutex mutex; // guards the members below
  grpc::ClientContext *holding = nullptr;
  bool isEnded = false;
  std::set<grpc::ClientContext *> contexts;
};

/// A channel with its open calls. The link and its calls share it; Ending
/// deletes it.
struct Connection {
  explicit Connection(std::shared_ptr<grpc::Channel> channel)
      : stub(Devices::NewStub(channel)), generic(std::move(channel)) {}
  std::unique_ptr<Devices::Stub> stub;
  grpc::GenericStub generic;
  OpenCalls calls;
};

/// Deletes connections on a thread of its own. Deleting the last connection
/// waits for gRPC's threads, and the last reference often ends inside an
/// answer, which is on such a thread. At exit the process waits for the
/// connections of links that were destroyed.
class Ending {
public:
  static Ending &instance() {
    // Never destroyed: a link may end after the destruction of static objects.
    static Ending *ending = new Ending();
    return *ending;
  }
  /// Fails if the system gives no thread.
  Status begin() {
    std::lock_guard lock(mutex);
    if (hasBegun)
      return Status();
    std::thread thread;
    if (Status status = beginThread(thread, [this] { endAll(); }); !status.ok())
      return status;
    thread.detach();
    std::atexit([] { instance().wait(); });
    hasBegun = true;
    return Status();
  }
  /// A link was destroyed: its connection, which no other link has, ends soon.
  void linkEnds() {
    std::lock_guard lock(mutex);
    ++expected;
  }
  /// The last reference to a connection has ended; any thread.
  void end(Connection *connection) {
    std::lock_guard lock(mutex);
    ended.push_back(connection);
    changed.notify_all();
  }

private:
  /// Called at exit.
  void wait() {
    if (birth != forkCount()) // a child of fork() has no connections to end
      return;
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return expected == 0; });
  }
  /// The thread, which is detached and never returns.
  void endAll() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return !ended.empty(); });
      std::vector<Connection *> now = std::exchange(ended, {});
      lock.unlock();
      for (Connection *connection : now)
        delete connection;
      lock.lock();
      expected -= now.size();
      changed.notify_all();
    }
  }

  const uint64_t birth = forkCount();

  std::mutex mutex; // guards the members below
  bool hasBegun = false;
  std::condition_variable changed;
  std::vector<Connection *> ended;
  size_t expected = 0; ///< connections of destroyed links, not yet deleted
};

/// A call, from its begin until gRPC has ended it.
struct CallBase {
  explicit CallBase(std::shared_ptr<Connection> through)
      : connection(std::move(through)) {
    connection->calls.add(&context);
  }
  ~CallBase() { connection->calls.remove(&context); }

  const std::shared_ptr<Connection> connection;
  grpc::ClientContext context;
};

template <typename Request, typename Reply> struct Call : CallBase {
  using CallBase::CallBase;
  Request request;
  Reply reply;
};

Status lostStatus(const grpc::Status &status) {
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return Status(Code::DeviceLost, "the server did not answer in its time");
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED)
    return Status(Code::DeviceLost, "what answers is no glow device");
  return failure(Code::DeviceLost,
                 "the server cannot be reached: ", status.error_message());
}

template <typename Reply>
Status outcomeOf(const grpc::Status &status, const Reply &reply) {
  return status.ok() ? statusOf(reply.outcome()) : lostStatus(status);
}

void setLimit(grpc::ClientContext &context, Duration limit) {
  context.set_deadline(
      std::chrono::system_clock::now() +
      std::chrono::duration_cast<std::chrono::microseconds>(limit));
}

/// Holds a session until one side ends it. gRPC calls OnDone last, on one of
/// its threads; the object then deletes itself.
class Holding final : public grpc::ClientReadReactor<HoldReply>, CallBase {
public:
  Holding(std::shared_ptr<Connection> through, uint64_t session)
      : CallBase(std::move(through)) {
    request.set_session(session);
    connection->calls.hold(&context);
    connection->stub->async()->Hold(&context, &request, this);
    StartRead(&reply);
    StartCall();
  }
  void OnDone(const grpc::Status &) override { delete this; }

private:
  HoldRequest request;
  HoldReply reply;
};

/// Sends a program piece by piece. gRPC calls OnWriteDone after each piece and
/// OnDone last, never two at a time; the object then deletes itself.
class Loading final : public grpc::ClientWriteReactor<LoadPiece>, CallBase {
public:
  Loading(std::shared_ptr<Connection> connection, uint64_t session,
          const Program &program, const std::string &description,
          Link::Done<RemoteProgram> done)
      : CallBase(std::move(connection)), program(program),
        done(std::move(done)) {
    HashOfParts hash;
    add(description, hash);
    writeBlock(program, [&](std::string_view bytes) { add(bytes, hash); });
    const Hash sum = hash.finish();
    piece.set_session(session);
    piece.set_description_bytes(description.size());
    piece.set_constant_bytes(blockBytes(program).value_or(0));
    piece.set_hash_high(sum.high);
    piece.set_hash_low(sum.low);
    this->connection->stub->async()->Load(&context, &reply, this);
    StartWrite(&piece);
    StartCall();
  }

  void OnWriteDone(bool ok) override {
    if (!ok)
      return; // the server has ended the call; OnDone has the reason
    while (next < parts.size() && at == parts[next].size())
      ++next, at = 0;
    if (next == parts.size())
      return StartWritesDone();
    const size_t size = std::min(pieceBytes, parts[next].size() - at);
    piece.Clear();
    piece.set_bytes(parts[next].data() + at, size);
    at += size;
    StartWrite(&piece);
  }

  void OnDone(const grpc::Status &status) override {
    Status outcome = outcomeOf(status, reply);
    done(outcome.ok() ? Result<RemoteProgram>(RemoteProgram{
                            ProgramId(reply.program()), reply.free_bytes()})
                      : Result<RemoteProgram>(outcome));
    delete this;
  }

private:
  void add(std::string_view bytes, HashOfParts &hash) {
    hash.add(bytes);
    parts.push_back(bytes);
  }

  const Program program; ///< keeps constants
  std::vector<std::string_view> parts;
  size_t next = 0, at = 0;
  LoadPiece piece;
  LoadReply reply;
  const Link::Done<RemoteProgram> done;
};

class GrpcLink final : public Link {
public:
  explicit GrpcLink(std::shared_ptr<grpc::Channel> channel)
      : connection(new Connection(std::move(channel)),
                   [](Connection *ended) { Ending::instance().end(ended); }) {}
  ~GrpcLink() override {
    connection->calls.end();
    Ending::instance().linkEnds();
  }

  void open(SessionId previous, Duration limit,
            Done<RemoteSession> done) override {
    auto call = std::make_shared<Call<OpenRequest, OpenReply>>(connection);
    call->request.set_version(version);
    call->request.set_previous(uint64_t(previous));
    setLimit(call->context, limit);
    // A new link waits for its server, which may not listen yet.
    call->context.set_wait_for_ready(previous == SessionId::None);
    connection->stub->async()->Open(
        &call->context, &call->request, &call->reply,
        [call, done](const grpc::Status &status) {
          Status outcome = outcomeOf(status, call->reply);
          if (!outcome.ok())
            return done(outcome);
          RemoteSession session;
          session.id = SessionId(call->reply.session());
          session.device = deviceOf(call->reply);
          session.freeBytes = call->reply.free_bytes();
          new Holding(call->connection, call->reply.session()); // owns itself
          done(session);
        });
  }

  void ping(SessionId session, uint64_t moreBytes, Duration limit,
            Done<uint64_t> done) override {
    auto call = std::make_shared<Call<PingRequest, PingReply>>(connection);
    call->request.set_session(uint64_t(session));
    call->request.mutable_more()->resize(size_t(moreBytes));
    setLimit(call->context, limit);
    connection->stub->async()->Ping(
        &call->context, &call->request, &call->reply,
        [call, done](const grpc::Status &status) {
          Status outcome = outcomeOf(status, call->reply);
          done(outcome.ok() ? Result<uint64_t>(call->reply.free_bytes())
                            : Result<uint64_t>(outcome));
        });
  }

  void measure(SessionId session, Done<DeviceRates> done) override {
    auto call =
        std::make_shared<Call<MeasureRequest, MeasureReply>>(connection);
    call->request.set_session(uint64_t(session));
    connection->stub->async()->Measure(
        &call->context, &call->request, &call->reply,
        [call, done](const grpc::Status &status) {
          Status outcome = outcomeOf(status, call->reply);
          done(outcome.ok() ? Result<DeviceRates>(ratesOf(call->reply.rates()))
                            : Result<DeviceRates>(outcome));
        });
  }

  void load(SessionId session, const Program &program,
            const std::string &description, Done<RemoteProgram> done) override {
    new Loading(connection, uint64_t(session), program, description,
                std::move(done));
  }

  std::function<void()>
  run(SessionId session, ProgramId program, const Ints &sizes,
      const std::vector<TensorView> &inputs,
      std::function<void(Status, const Outputs &)> done) override {
    using RunCall = Call<grpc::ByteBuffer, grpc::ByteBuffer>;
    auto call = std::make_shared<RunCall>(connection);
    call->request =
        runRequest(uint64_t(session), uint64_t(program), sizes, inputs);
    connection->generic.UnaryCall(
        &call->context, "/glow.remote.Devices/Run", {}, &call->request,
        &call->reply, [call, done = std::move(done)](grpc::Status status) {
          Status outcome =
              status.ok() ? readOutcome(call->reply) : lostStatus(status);
          done(outcome, [&](const std::vector<TensorView> &outputs) {
            return readOutputs(call->reply, outputs);
          });
        });
    return [weak = std::weak_ptr<RunCall>(call)] {
      if (std::shared_ptr<RunCall> call = weak.lock())
        call->context.TryCancel();
    };
  }

  void unload(SessionId session, ProgramId program,
              Done<uint64_t> done) override {
    auto call = std::make_shared<Call<UnloadRequest, UnloadReply>>(connection);
    call->request.set_session(uint64_t(session));
    call->request.set_program(uint64_t(program));
    connection->stub->async()->Unload(
        &call->context, &call->request, &call->reply,
        [call, done](const grpc::Status &status) {
          Status outcome = outcomeOf(status, call->reply);
          done(outcome.ok() ? Result<uint64_t>(call->reply.free_bytes())
                            : Result<uint64_t>(outcome));
        });
  }

  void close(SessionId session) override {
    // A short limit: the destructor of a device waits for this answer.
    Call<CloseRequest, CloseReply> call(connection);
    call.request.set_session(uint64_t(session));
    setLimit(call.context, std::chrono::milliseconds(200));
    (void)connection->stub->Close(&call.context, call.request, &call.reply);
  }

  void drop() override { connection->calls.cancelAll(); }

private:
  const std::shared_ptr<Connection> connection;
};

} // namespace

Result<std::unique_ptr<Link>> remote::connectGrpc(const std::string &place) {
  if (Status status = checkPlace(place); !status.ok())
    return status;
  if (Status status = Ending::instance().begin(); !status.ok())
    return status;
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(INT_MAX);
  arguments.SetMaxSendMessageSize(INT_MAX);
  // Short delays find a restarted server soon. Devices share no connection.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return std::unique_ptr<Link>(new GrpcLink(grpc::CreateCustomChannel(
      place, grpc::InsecureChannelCredentials(), arguments)));
}

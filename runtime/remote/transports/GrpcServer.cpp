//===- GrpcServer.cpp - the device's side of gRPC -------------------------===//
// SPDX-License-Identifier: MIT

#include "Acceptor.h"
#include "Device.grpc.pb.h"
#include "Grpc.h"
#include "Messages.h"
#include <charconv>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <set>

using namespace glow;
using namespace glow::remote;

namespace {

/// Receives a program piece by piece. gRPC calls its methods one after the
/// other and OnDone last; the object then deletes itself.
class Receiving final : public grpc::ServerReadReactor<LoadPiece> {
public:
  Receiving(RemoteService &service, LoadReply &reply)
      : service(service), reply(reply) {
    StartRead(&piece);
  }

  void OnReadDone(bool ok) override {
    if (!ok)
      return loadAll();
    Status status = program ? service.append(*program, piece.bytes()) : begin();
    if (!status.ok())
      return end(status);
    StartRead(&piece);
  }
  void OnDone() override { delete this; }

private:
  Status begin() {
    Result<std::shared_ptr<IncomingProgram>> expected =
        service.receive(SessionId(piece.session()), piece.description_bytes(),
                        piece.constant_bytes());
    if (!expected)
      return expected.status();
    program = expected.take();
    program->hash[0] = piece.hash_high();
    program->hash[1] = piece.hash_low();
    return Status();
  }
  void loadAll() {
    if (!program)
      return end(Status(Code::InvalidArgument, "no program came"));
    // On a worker thread. OnDone comes only after Finish, so that `this` lives.
    service.load(program, [this](Result<RemoteProgram> loaded) {
      if (loaded) {
        reply.set_program(uint64_t(loaded->id));
        reply.set_free_bytes(loaded->freeBytes);
      }
      end(loaded.status());
    });
  }
  void end(const Status &status) {
    setOutcome(*reply.mutable_outcome(), status);
    Finish(grpc::Status::OK);
  }

  RemoteService &service;
  LoadReply &reply;
  LoadPiece piece;
  std::shared_ptr<IncomingProgram> program;
};

/// A run. gRPC calls OnDone after Finish; the object then deletes itself.
class Running final : public grpc::ServerUnaryReactor {
public:
  Running(RemoteService &service, const grpc::ByteBuffer &request,
          grpc::ByteBuffer &reply)
      : reply(reply) {
    uint64_t session = 0, program = 0;
    grpc::ByteBuffer message = request; // shares its bytes
    Status status =
        readRunRequest(message, [&](uint64_t ofSession, uint64_t ofProgram,
                                    const Ints &sizes) {
          session = ofSession, program = ofProgram;
          return prepare(service, session, program, sizes);
        });
    if (!status.ok()) {
      end(status);
      return;
    }
    service.start(SessionId(session), ProgramId(program), run,
                  [this](Status status) { end(status); });
  }
  /// Called on a thread of gRPC, perhaps while the constructor still reads the
  /// request.
  void OnCancel() override {
    std::lock_guard lock(mutex);
    isCancelled = true;
    if (run)
      run->cancelled = true;
  }
  void OnDone() override { delete this; }

private:
  Result<std::vector<TensorView>> prepare(RemoteService &service,
                                          uint64_t session, uint64_t program,
                                          const Ints &sizes) {
    auto prepared =
        service.prepare(SessionId(session), ProgramId(program), sizes);
    if (!prepared)
      return prepared.status();
    std::lock_guard lock(mutex);
    run = prepared.take();
    if (isCancelled)
      run->cancelled = true;
    std::vector<TensorView> inputs;
    for (const Tensor &input : run->inputs)
      inputs.push_back(input.view());
    return inputs;
  }
  /// The completion of the run; perhaps inside the constructor. The outputs are
  /// copied here, as the device server reuses the tensors afterwards.
  void end(const Status &status) {
    reply = runReply(status, run ? run->outputs : std::vector<Tensor>());
    Finish(grpc::Status::OK);
  }

  grpc::ByteBuffer &reply;
  std::mutex mutex; // guards the members below until the run starts
  std::shared_ptr<ServedRun> run;
  bool isCancelled = false;
};

/// The open Hold calls of a server. A call in the set is finished once, by the
/// thread that removes it.
class Holds {
public:
  /// Adds a call; false if the server ends.
  bool add(grpc::ServerWriteReactor<HoldReply> *one) {
    std::lock_guard lock(mutex);
    return !isEnded && open.insert(one).second;
  }
  /// Removes a call; true if it was in the set: then its caller finishes it.
  bool remove(grpc::ServerWriteReactor<HoldReply> *one) {
    std::lock_guard lock(mutex);
    return open.erase(one) != 0;
  }
  void endAll() {
    std::set<grpc::ServerWriteReactor<HoldReply> *> all;
    {
      std::lock_guard lock(mutex);
      isEnded = true;
      all.swap(open);
    }
    for (grpc::ServerWriteReactor<HoldReply> *one : all)
      one->Finish(grpc::Status::OK);
  }

private:
  std::mutex mutex; // guards the members below
  std::set<grpc::ServerWriteReactor<HoldReply> *> open;
  bool isEnded = false;
};

/// Holds a session; deletes itself in OnDone.
class HeldSession final : public grpc::ServerWriteReactor<HoldReply> {
public:
  HeldSession(RemoteService &service, Holds &holds, SessionId session)
      : service(service), holds(holds), session(session) {
    if (!holds.add(this))
      Finish(grpc::Status::OK);
  }
  /// The connection is closed, or the host has another session. endAll() may
  /// finish the call at the same time: remove() decides which thread does.
  void OnCancel() override {
    service.close(session);
    if (holds.remove(this))
      Finish(grpc::Status::CANCELLED);
  }
  void OnDone() override { delete this; }

private:
  RemoteService &service;
  Holds &holds;
  const SessionId session;
};

using Calls = Devices::WithCallbackMethod_Open<Devices::WithCallbackMethod_Hold<
    Devices::WithCallbackMethod_Ping<Devices::WithCallbackMethod_Measure<
        Devices::WithCallbackMethod_Load<Devices::WithRawCallbackMethod_Run<
            Devices::WithCallbackMethod_Unload<
                Devices::WithCallbackMethod_Close<Devices::Service>>>>>>>>;

/// The handlers of all calls, on threads of gRPC. Open, Measure, Run, Load and
/// Unload finish on other threads, when the device server has answered.
class Service final : public Calls {
public:
  explicit Service(RemoteService &service) : service(service) {}

  grpc::ServerUnaryReactor *Open(grpc::CallbackServerContext *context,
                                 const OpenRequest *request,
                                 OpenReply *reply) override {
    grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
    auto end = [=](Result<RemoteSession> session) {
      setOutcome(*reply->mutable_outcome(), session.status());
      if (session) {
        reply->set_session(uint64_t(session->id));
        setDevice(*reply, session->device);
        reply->set_free_bytes(session->freeBytes);
      }
      reactor->Finish(grpc::Status::OK);
    };
    if (request->version() != version)
      end(failure(Code::Unsupported, "the host speaks version ",
                  request->version(), " of the protocol, this server ", version,
                  ": both should be of one build of Glow"));
    else
      service.open(SessionId(request->previous()), end);
    return reactor;
  }

  grpc::ServerWriteReactor<HoldReply> *
  Hold(grpc::CallbackServerContext *, const HoldRequest *request) override {
    return new HeldSession(service, holds, SessionId(request->session()));
  }
  void endHolds() { holds.endAll(); }

  grpc::ServerUnaryReactor *Ping(grpc::CallbackServerContext *context,
                                 const PingRequest *request,
                                 PingReply *reply) override {
    Result<uint64_t> free = service.ping(SessionId(request->session()));
    setOutcome(*reply->mutable_outcome(), free.status());
    if (free)
      reply->set_free_bytes(*free);
    grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  grpc::ServerUnaryReactor *Measure(grpc::CallbackServerContext *context,
                                    const MeasureRequest *request,
                                    MeasureReply *reply) override {
    grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
    service.measure(SessionId(request->session()),
                    [=](Result<DeviceRates> rates) {
                      setOutcome(*reply->mutable_outcome(), rates.status());
                      if (rates)
                        setRates(*reply->mutable_rates(), *rates);
                      reactor->Finish(grpc::Status::OK);
                    });
    return reactor;
  }

  grpc::ServerReadReactor<LoadPiece> *Load(grpc::CallbackServerContext *,
                                           LoadReply *reply) override {
    return new Receiving(service, *reply);
  }

  grpc::ServerUnaryReactor *Run(grpc::CallbackServerContext *,
                                const grpc::ByteBuffer *request,
                                grpc::ByteBuffer *reply) override {
    return new Running(service, *request, *reply);
  }

  grpc::ServerUnaryReactor *Unload(grpc::CallbackServerContext *context,
                                   const UnloadRequest *request,
                                   UnloadReply *reply) override {
    grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
    service.unload(SessionId(request->session()), ProgramId(request->program()),
                   [=](Result<uint64_t> free) {
                     setOutcome(*reply->mutable_outcome(), free.status());
                     if (free)
                       reply->set_free_bytes(*free);
                     reactor->Finish(grpc::Status::OK);
                   });
    return reactor;
  }

  grpc::ServerUnaryReactor *Close(grpc::CallbackServerContext *context,
                                  const CloseRequest *request,
                                  CloseReply *) override {
    service.close(SessionId(request->session()));
    grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

private:
  RemoteService &service;
  Holds holds;
};

class GrpcServer final : public LinkServer {
public:
  explicit GrpcServer(RemoteService &service) : calls(service) {}
  ~GrpcServer() override {
    // In this order: no new connection comes, then the Hold calls end, which
    // would keep Shutdown waiting.
    acceptor = nullptr;
    calls.endHolds();
    if (server)
      // Runs that are not answered within this time are cancelled.
      server->Shutdown(std::chrono::system_clock::now() +
                       std::chrono::seconds(2));
  }

  Status listen(const std::string &place) {
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(INT_MAX);
    builder.SetMaxSendMessageSize(INT_MAX);
    // Keepalive pings find a host that has vanished without closing.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 10000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10000);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 256);
    door = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        grpc::InsecureServerCredentials());
    builder.RegisterService(&calls);
    server = builder.BuildAndStart();
    if (!server)
      return failure(Code::Internal, "gRPC does not start");
    Result<std::unique_ptr<Acceptor>> opened =
        Acceptor::open(place, [this](int listener, int connection) {
          grpc::experimental::ExternalConnectionAcceptor::
              NewConnectionParameters parameters;
          parameters.listener_fd = listener;
          parameters.fd = connection;
          door->HandleNewConnection(&parameters);
        });
    if (!opened)
      return opened.status();
    acceptor = opened.take();
    return Status();
  }
  std::string address() const override { return acceptor->address(); }

private:
  Service calls;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> door;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<Acceptor> acceptor; // destroyed first: it uses `door`
};

} // namespace

Status remote::checkPlace(const std::string &place) {
  if (place.starts_with("unix:") && place.size() > 5)
    return Status();
  const size_t colon = place.rfind(':');
  uint16_t port = 0;
  const char *end = place.data() + place.size();
  if (colon != std::string::npos && colon > 0) {
    auto [rest, error] = std::from_chars(place.data() + colon + 1, end, port);
    if (error == std::errc() && rest == end)
      return Status();
  }
  return failure(Code::InvalidArgument, "place '", place,
                 "' should be HOST:PORT or unix:PATH");
}

Result<std::unique_ptr<LinkServer>> remote::serveGrpc(const std::string &place,
                                                      RemoteService &service) {
  if (Status status = checkPlace(place); !status.ok())
    return status;
  auto server = std::make_unique<GrpcServer>(service);
  if (Status status = server->listen(place); !status.ok())
    return status;
  return std::unique_ptr<LinkServer>(std::move(server));
}

extern "C" __attribute__((visibility("default"))) constinit const Transport
    glow_transport(connectGrpc, serveGrpc, nullptr);

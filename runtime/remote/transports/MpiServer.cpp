//===- MpiServer.cpp - the device's side of MPI ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Ranks.h"
#include <csignal>
#include <set>
#include <unistd.h>

using namespace glow;
using namespace glow::remote;

namespace {

/// Serves a device to other ranks. The MPI thread of Ranks calls take();
/// answers may come from any thread.
class MpiServer final : public LinkServer {
public:
  explicit MpiServer(RemoteService &service) : service(service) {
    Ranks::instance().serve(
        [this](int from, Message message) { take(from, message); });
  }
  ~MpiServer() override { Ranks::instance().serve(nullptr); }
  std::string address() const override {
    return std::to_string(Ranks::instance().rank());
  }

private:
  using Place = std::pair<int, uint64_t>; ///< a rank, and its load or call id

  static void answer(int to, uint64_t call, const Status &status,
                     Message message = {}) {
    message.call = call;
    message.code = uint64_t(status.code());
    if (!status.ok())
      message.text = status.message();
    Ranks::instance().send(to, std::move(message));
  }
  static RemoteService::Done<uint64_t> answerFree(int to, uint64_t call) {
    return [to, call](Result<uint64_t> free) {
      Message message;
      if (free)
        message.numbers = {int64_t(*free)};
      answer(to, call, free.status(), std::move(message));
    };
  }
  void take(int from, const Message &message);
  void open(int from, const Message &message);
  void begin(int from, const Message &message);
  void load(int from, const Message &message);
  void run(int from, const Message &message);

  RemoteService &service;
  // The members below are used by the MPI thread alone.
  std::set<int> noHosts; // ranks that have ended, or serve themselves
  std::map<Place, Result<std::shared_ptr<IncomingProgram>>> incoming;
  std::map<Place, std::weak_ptr<ServedRun>> runs;
};

} // namespace

/// Handles a message, on the MPI thread: service methods that may take long
/// post their work and return.
void MpiServer::take(int from, const Message &message) {
  const SessionId session{message.session};
  switch (message.kind) {
  case Kind::Open:
    return open(from, message);
  case Kind::Ping:
    return answerFree(from, message.call)(service.ping(session));
  case Kind::Measure:
    return service.measure(
        session, [from, call = message.call](Result<DeviceRates> rates) {
          Message list;
          if (rates)
            list.rates = listOf(*rates);
          answer(from, call, rates.status(), std::move(list));
        });
  case Kind::Begin:
    return begin(from, message);
  case Kind::Piece: {
    auto found = incoming.find({from, message.program});
    if (found == incoming.end() || !found->second)
      return;
    Status status = service.append(**found->second, message.text);
    if (!status.ok())
      found->second = status;
    return;
  }
  case Kind::Load:
    return load(from, message);
  case Kind::Run:
    return run(from, message);
  case Kind::Cancel:
    if (auto found = runs.find({from, message.call}); found != runs.end())
      if (std::shared_ptr<ServedRun> run = found->second.lock())
        run->cancelled = true;
    return;
  case Kind::Unload:
    return service.unload(session, ProgramId(message.program),
                          answerFree(from, message.call));
  case Kind::Close:
    return service.close(session);
  case Kind::Serves:
  case Kind::Bye:
    noHosts.insert(from);
    if (int(noHosts.size()) == Ranks::instance().count() - 1)
      ::kill(::getpid(), SIGTERM);
    return;
  case Kind::Answer: // Ranks::receive does not pass answers on
    return;
  }
}

void MpiServer::open(int from, const Message &message) {
  service.open(SessionId(message.session), [from, call = message.call](
                                               Result<RemoteSession> session) {
    Message answered;
    if (session) {
      const DeviceInfo &device = session->device;
      answered.session = uint64_t(session->id);
      answered.text = device.backend;
      answered.rates = listOf(device.rates);
      answered.numbers = {int64_t(session->freeBytes),
                          int64_t(device.programsAtOnce),
                          int64_t(device.threads), int64_t(device.memoryBytes)};
      for (unsigned processor : device.processors)
        answered.numbers.push_back(processor);
    }
    answer(from, call, session.status(), std::move(answered));
  });
}

void MpiServer::begin(int from, const Message &message) {
  auto program = service.receive(SessionId(message.session),
                                 numberOf(message, 0), numberOf(message, 1));
  if (program) {
    (*program)->hash[0] = numberOf(message, 2);
    (*program)->hash[1] = numberOf(message, 3);
  }
  incoming.insert_or_assign({from, message.program}, std::move(program));
}

void MpiServer::load(int from, const Message &message) {
  auto found = incoming.extract({from, message.program});
  const uint64_t call = message.call;
  if (!found || !found.mapped())
    return answer(from, call,
                  found ? found.mapped().status()
                        : Status(Code::InvalidArgument, "no program came"));
  service.load(found.mapped().take(),
               [from, call](Result<RemoteProgram> loaded) {
                 Message answered;
                 if (loaded) {
                   answered.program = uint64_t(loaded->id);
                   answered.numbers = {int64_t(loaded->freeBytes)};
                 }
                 answer(from, call, loaded.status(), std::move(answered));
               });
}

void MpiServer::run(int from, const Message &message) {
  const uint64_t call = message.call;
  const SessionId session{message.session};
  const ProgramId program{message.program};
  Result<std::shared_ptr<ServedRun>> prepared = service.prepare(
      session, program, {message.numbers.begin(), message.numbers.end()});
  if (!prepared)
    return answer(from, call, prepared.status());
  std::shared_ptr<ServedRun> run = prepared.take();
  std::vector<TensorView> inputs;
  for (const Tensor &input : run->inputs)
    inputs.push_back(input.view());
  if (Status status = takeTensors(message, inputs); !status.ok())
    return answer(from, call, status);
  // `runs` serves Kind::Cancel. Runs that have ended leave here.
  std::erase_if(runs, [](const auto &entry) { return entry.second.expired(); });
  runs[{from, call}] = run;
  service.start(session, program, run, [from, call, run](Status status) {
    Message answered;
    std::vector<TensorView> outputs;
    for (const Tensor &output : run->outputs)
      outputs.push_back(output.view());
    if (status.ok())
      setTensors(answered, outputs);
    answer(from, call, status, std::move(answered));
  });
}

std::unique_ptr<LinkServer> remote::serveRanks(RemoteService &service) {
  return std::make_unique<MpiServer>(service);
}

//===- DeviceServer.cpp - a device that hosts elsewhere use ---------------===//
//
// Programs belong to the session that loaded them, and go with it. What comes
// over a link may be anything: types of inputs and outputs are looked at before
// memory is taken for them, and the device looks at the rest.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Hash.h"
#include "glow/Program/Serial.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Runtime/Remote.h"
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <map>
#include <random>
#include <set>

using namespace glow;

/// Of a program without its constants.
static constexpr uint64_t largestDescription = uint64_t(1) << 30;

namespace {

class DeviceServer final : public RemoteService {
public:
  DeviceServer(std::shared_ptr<Device> device, const std::string &backend,
               ServerOptions options)
      : device(std::move(device)), backend(backend), options(options),
        workers(options.workers ? options.workers : threadWorkers()),
        random(options.seed ? options.seed
                            : (uint64_t(std::random_device()()) << 32 ^
                               std::random_device()())) {}
  ~DeviceServer() override;

  void open(SessionId previous, Done<RemoteSession> done) override;
  Result<uint64_t> ping(SessionId session) override;
  Result<std::shared_ptr<IncomingProgram>>
  receive(SessionId session, uint64_t descriptionBytes,
          uint64_t constantBytes) override;
  Status append(IncomingProgram &program, std::string_view bytes) override;
  void load(std::shared_ptr<IncomingProgram> program,
            Done<RemoteProgram> done) override;
  Result<std::shared_ptr<ServedRun>> prepare(SessionId session,
                                             ProgramId program) override;
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
    std::vector<Values> spare; ///< of runs that are over
  };
  struct Session {
    TimePoint heard;
    std::map<ProgramId, Loaded> programs;
    std::set<std::shared_ptr<ServedRun>> runs;
  };
  struct Call;

  Session *find(SessionId id);
  static Status noSession();
  void post(std::function<void()> task);
  void left();
  Status asAsked(const Call &call, Status status);
  void finish(const Call &call);
  std::vector<SessionId> silent();
  void drop(SessionId id);
  Result<RemoteProgram> loadNow(const std::shared_ptr<IncomingProgram> &given);
  Result<RemoteSession> openNow(SessionId previous);

  const std::shared_ptr<Device> device;
  const std::string backend;
  const ServerOptions options;
  const std::shared_ptr<Workers> workers;

  std::mutex mutex; // guards what follows; free when the device is called
  std::condition_variable idle;
  std::mt19937_64 random;
  std::map<SessionId, Session> sessions;
  size_t busy = 0; // tasks, and runs that the device has
  bool hasEnded = false;
};

} // namespace

DeviceServer::~DeviceServer() {
  std::vector<SessionId> all;
  {
    std::unique_lock lock(mutex);
    hasEnded = true;
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

/// Runs a task that may wait for the device.
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

void DeviceServer::left() {
  std::lock_guard lock(mutex);
  if (--busy == 0)
    idle.notify_all();
}

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

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

void DeviceServer::open(SessionId previous, Done<RemoteSession> done) {
  post([this, previous, done = std::move(done)] { done(openNow(previous)); });
}

Result<RemoteSession> DeviceServer::openNow(SessionId previous) {
  drop(previous);
  for (SessionId id : silent())
    drop(id);
  if (device->state() == DeviceState::Lost)
    return failure(Code::DeviceLost, "the device of the server is lost");
  RemoteSession session;
  session.device = device->info();
  session.device.backend = backend;
  session.freeBytes = device->freeBytes();
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
  return session;
}

std::vector<SessionId> DeviceServer::silent() {
  std::lock_guard lock(mutex);
  std::vector<SessionId> found;
  for (const auto &[id, session] : sessions)
    if (workers->now() - session.heard > options.lease)
      found.push_back(id);
  return found;
}

/// Cancels what runs for a session and frees its memory.
void DeviceServer::drop(SessionId id) {
  std::map<ProgramId, Loaded> programs;
  {
    std::lock_guard lock(mutex);
    auto found = sessions.find(id);
    if (found == sessions.end())
      return;
    for (const std::shared_ptr<ServedRun> &run : found->second.runs)
      run->cancelled = true;
    programs.swap(found->second.programs);
    sessions.erase(found);
  }
  for (const auto &[program, loaded] : programs)
    device->unload(program);
}

void DeviceServer::close(SessionId session) {
  post([this, session] { drop(session); });
}

Result<uint64_t> DeviceServer::ping(SessionId id) {
  {
    std::lock_guard lock(mutex);
    if (!find(id))
      return noSession();
  }
  if (device->state() == DeviceState::Lost)
    return failure(Code::DeviceLost, "the device of the server is lost");
  return device->freeBytes();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Result<std::shared_ptr<IncomingProgram>>
DeviceServer::receive(SessionId session, uint64_t descriptionBytes,
                      uint64_t constantBytes) {
  {
    std::lock_guard lock(mutex);
    if (!find(session))
      return noSession();
  }
  if (descriptionBytes > largestDescription)
    return failure(Code::InvalidArgument, "a program has a description of ",
                   descriptionBytes, " bytes, it should be at most ",
                   largestDescription);
  if (uint64_t free = device->freeBytes(); constantBytes > free)
    return failure(Code::OutOfMemory, "the constants of a program take ",
                   constantBytes, " bytes, the device has ", free, " free");
  Result<Tensor> constants =
      Tensor::zeros({ElementKind::U8, {int64_t(constantBytes)}});
  if (!constants)
    return constants.status().prefixed("the constants of a program: ");
  auto program = std::make_shared<IncomingProgram>();
  program->session = session;
  program->description.resize(size_t(descriptionBytes));
  program->constants = constants.take();
  return program;
}

Status DeviceServer::append(IncomingProgram &program, std::string_view bytes) {
  const uint64_t first = program.description.size();
  const uint64_t all = first + program.constants.type().bytes();
  if (bytes.size() > all - program.filled)
    return failure(Code::InvalidArgument, "a program has more than ", all,
                   " bytes, which were said");
  const size_t described = size_t(std::min<uint64_t>(
      bytes.size(), first - std::min(first, program.filled)));
  bytes.copy(program.description.data() + std::min(first, program.filled),
             described);
  if (size_t rest = bytes.size() - described)
    std::memcpy(static_cast<char *>(program.constants.data()) +
                    (program.filled + described - first),
                bytes.data() + described, rest);
  program.filled += bytes.size();
  return Status();
}

/// What a run of it needs has a size, and goes through a link.
static Status checkBindings(const std::vector<Binding> &bindings) {
  uint64_t bytes = 0;
  for (const Binding &binding : bindings) {
    if (!binding.type.isStatic() || binding.type.bytes() > largestMessage)
      return failure(Code::InvalidArgument, "'", binding.name,
                     "' of a program is ", binding.type.text(),
                     ", which a link does not take");
    bytes += binding.type.bytes();
    if (bytes > largestMessage)
      return failure(Code::InvalidArgument, "a run has ", bytes,
                     " bytes or more, a link takes ", largestMessage);
  }
  return Status();
}

/// A program in the memory that it came to.
static Result<Program> programIn(const std::string &backend,
                                 std::shared_ptr<IncomingProgram> given) {
  const std::string_view constants(
      static_cast<const char *>(given->constants.data()),
      size_t(given->constants.type().bytes()));
  HashOfParts hash;
  hash.add(given->description);
  hash.add(constants);
  const Hash came = hash.finish();
  if (given->filled != given->description.size() + constants.size() ||
      came != Hash{given->hash[0], given->hash[1]})
    return Status(Code::InvalidArgument,
                  "a program came damaged, or not all of it");
  Result<Program> program =
      readDescribed(backend, {given->description, constants, nullptr, given});
  if (!program)
    return program;
  if (program->backend != backend)
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program->backend, "', this device runs those of '", backend,
                   "'");
  Status status = checkBindings(program->inputs);
  if (status.ok())
    status = checkBindings(program->outputs);
  if (!status.ok())
    return status;
  return program;
}

void DeviceServer::load(std::shared_ptr<IncomingProgram> program,
                        Done<RemoteProgram> done) {
  post([this, program, done = std::move(done)] { done(loadNow(program)); });
}

Result<RemoteProgram>
DeviceServer::loadNow(const std::shared_ptr<IncomingProgram> &given) {
  Result<Program> program = programIn(backend, given);
  if (!program)
    return program.status();
  Result<ProgramId> id = device->load(*program);
  if (!id)
    return id.status();
  {
    std::lock_guard lock(mutex);
    if (Session *session = find(given->session)) {
      session->programs[*id] = {program->inputs, program->outputs, {}};
      return RemoteProgram{*id, device->freeBytes()};
    }
  }
  device->unload(*id);
  return noSession();
}

void DeviceServer::unload(SessionId id, ProgramId program,
                          Done<uint64_t> done) {
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return done(noSession());
    // One that was never there stays so.
    if (!session->programs.erase(program))
      return done(device->freeBytes());
  }
  post([this, program, done = std::move(done)] {
    device->unload(program);
    done(device->freeBytes());
  });
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static Status makeTensors(const std::vector<Binding> &bindings,
                          std::vector<Tensor> &tensors) {
  for (const Binding &binding : bindings) {
    Result<Tensor> tensor = Tensor::zeros(binding.type);
    if (!tensor)
      return tensor.status().prefixed("'" + binding.name + "': ");
    tensors.push_back(tensor.take());
  }
  return Status();
}

Result<std::shared_ptr<ServedRun>> DeviceServer::prepare(SessionId id,
                                                         ProgramId program) {
  std::vector<Binding> inputs, outputs;
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return noSession();
    auto found = session->programs.find(program);
    if (found == session->programs.end())
      return failure(Code::NotFound, "no program is loaded as ",
                     uint64_t(program));
    auto &spare = found->second.spare;
    if (!spare.empty()) {
      auto run = std::make_shared<ServedRun>();
      run->inputs = std::move(spare.back().inputs);
      run->outputs = std::move(spare.back().outputs);
      spare.pop_back();
      return run;
    }
    inputs = found->second.inputs;
    outputs = found->second.outputs;
  }
  auto run = std::make_shared<ServedRun>();
  Status status = makeTensors(inputs, run->inputs);
  if (status.ok())
    status = makeTensors(outputs, run->outputs);
  if (!status.ok())
    return status;
  return run;
}

/// A run on its device.
struct DeviceServer::Call {
  SessionId session;
  ProgramId program;
  std::shared_ptr<ServedRun> run;
  Tensors tensors;
  std::function<void(Status)> done;
};

void DeviceServer::start(SessionId id, ProgramId program,
                         std::shared_ptr<ServedRun> run,
                         std::function<void(Status)> done) {
  auto call =
      std::make_shared<Call>(Call{id, program, run, {}, std::move(done)});
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return call->done(noSession());
    session->runs.insert(std::move(run));
    ++busy;
  }
  for (const Tensor &input : call->run->inputs)
    call->tensors.inputs.push_back(input.view());
  for (const Tensor &output : call->run->outputs)
    call->tensors.outputs.push_back(output.view());
  call->tensors.cancelled = &call->run->cancelled;
  post([this, call] {
    device->run(call->program, call->tensors, [this, call](Status status) {
      // Its outputs are read before another run has them.
      call->done(asAsked(*call, std::move(status)));
      finish(*call);
    });
  });
}

/// A run that ended since its session did was not cancelled by its host, which
/// may run it elsewhere.
Status DeviceServer::asAsked(const Call &call, Status status) {
  if (status.code() != Code::Cancelled)
    return status;
  std::lock_guard lock(mutex);
  return find(call.session) ? status : noSession();
}

void DeviceServer::finish(const Call &call) {
  {
    std::lock_guard lock(mutex);
    if (auto session = sessions.find(call.session); session != sessions.end()) {
      session->second.runs.erase(call.run);
      auto &programs = session->second.programs;
      if (auto found = programs.find(call.program); found != programs.end())
        found->second.spare.push_back(
            {std::move(call.run->inputs), std::move(call.run->outputs)});
    }
  }
  left();
}

std::unique_ptr<RemoteService>
glow::deviceServer(std::shared_ptr<Device> device, const std::string &backend,
                   ServerOptions options) {
  return std::make_unique<DeviceServer>(std::move(device), backend,
                                        std::move(options));
}

//===- RemoteDevice.cpp - a device behind a link --------------------------===//
//
// A call belongs to the session in which it was made, and its answer is
// believed as long as that lasts. When a call fails in the way of a link, the
// session is over: what runs is lost, at once and for good, and the server is
// asked for another session until it, or another one in its place, gives one.
//
//===----------------------------------------------------------------------===//

#include "glow/Program/Serial.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Runtime/Remote.h"
#include <condition_variable>
#include <future>
#include <map>

using namespace glow;

namespace {

class Client : public std::enable_shared_from_this<Client> {
public:
  Client(std::unique_ptr<Link> link, std::shared_ptr<Workers> workers,
         RemoteOptions options)
      : link(std::move(link)), workers(std::move(workers)), options(options) {}

  Status begin();
  void end();
  DeviceInfo info() const;
  DeviceState state() const;
  uint64_t freeBytes() const;
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

  Result<RemoteSession> openAndWait(SessionId previous);
  void adopt(const RemoteSession &given);
  void lose(SessionId of, const Status &why);
  void tellState();
  void after(Duration time, std::function<void(Client &)> what);
  void pingLater(SessionId of);
  void ping(SessionId of);
  void ponged(SessionId of, const Result<uint64_t> &free);
  Runs takeRuns();
  void endRuns(Runs runs, const Status &status);
  void waitForTensors(std::unique_lock<std::mutex> &lock);
  void reopen();
  void reopened(const Result<RemoteSession> &given);
  void look();
  void answered(uint64_t number, Status status, const Link::Outputs &outputs);

  const std::unique_ptr<Link> link;
  const std::shared_ptr<Workers> workers;
  const RemoteOptions options;

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

} // namespace

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

Result<RemoteSession> Client::openAndWait(SessionId previous) {
  // Shared: what sets the value may still be inside when it is read here.
  auto opened = std::make_shared<std::promise<Result<RemoteSession>>>();
  link->open(previous, options.openLimit,
             [opened](Result<RemoteSession> given) {
               opened->set_value(std::move(given));
             });
  return opened->get_future().get();
}

Status Client::begin() {
  Result<RemoteSession> given = openAndWait(SessionId::None);
  if (!given)
    return given.status();
  {
    std::lock_guard lock(mutex);
    theInfo = given->device;
    theInfo.returnsAtOnce = true;
    theInfo.hasBuffers = false;
    adopt(*given);
    theState = DeviceState::Good;
  }
  pingLater(given->id);
  return Status();
}

void Client::end() {
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

/// All runs, but those of which the link reads the inputs: these are ended
/// where they are sent.
Client::Runs Client::takeRuns() {
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

void Client::endRuns(Runs runs, const Status &status) {
  for (auto &[number, run] : runs) {
    if (run.cancel)
      run.cancel();
    run.done(status);
  }
}

void Client::waitForTensors(std::unique_lock<std::mutex> &lock) {
  tensorsLeft.wait(lock, [&] { return sending == 0 && copying == 0; });
}

void Client::adopt(const RemoteSession &given) {
  session = ends = given.id;
  free = given.freeBytes;
  programs.clear();
  why = Status();
}

void Client::tellState() {
  std::function<void()> told;
  {
    std::lock_guard lock(mutex);
    told = observer;
  }
  if (told)
    told();
}

/// The session `of` is over, unless it was before.
void Client::lose(SessionId of, const Status &reason) {
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
  link->drop();
  tellState();
  reopen();
}

void Client::after(Duration time, std::function<void(Client &)> what) {
  workers->postAt(workers->now() + time,
                  [weak = weak_from_this(), what = std::move(what)] {
                    if (std::shared_ptr<Client> self = weak.lock())
                      what(*self);
                  });
}

void Client::pingLater(SessionId of) {
  after(options.pingEvery, [of](Client &self) { self.ping(of); });
}

/// A session that is over has no more pings; the next has its own.
void Client::ping(SessionId of) {
  {
    std::lock_guard lock(mutex);
    if (hasEnded || of != session || theState == DeviceState::Lost)
      return;
  }
  link->ping(of, options.pingLimit,
             [weak = weak_from_this(), of](Result<uint64_t> answer) {
               if (std::shared_ptr<Client> self = weak.lock())
                 self->ponged(of, answer);
             });
}

void Client::ponged(SessionId of, const Result<uint64_t> &answer) {
  if (!answer)
    return lose(of, answer.status());
  {
    std::lock_guard lock(mutex);
    if (of == session)
      free = *answer;
  }
  pingLater(of);
}

/// Asks for a session until there is one.
void Client::reopen() {
  SessionId previous;
  {
    std::lock_guard lock(mutex);
    if (hasEnded || theState != DeviceState::Lost)
      return;
    previous = ends;
  }
  link->open(previous, options.pingLimit,
             [weak = weak_from_this()](Result<RemoteSession> given) {
               if (std::shared_ptr<Client> self = weak.lock())
                 self->reopened(given);
             });
}

void Client::reopened(const Result<RemoteSession> &given) {
  auto again = [](Client &self) { self.reopen(); };
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
  tellState();
}

Status Client::reset() {
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
    // A session that was just begun is as good as another one.
    if (state == DeviceState::Suspect)
      theState = DeviceState::Good;
    // What the one that ends here still answers says nothing of the next.
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

//===----------------------------------------------------------------------===//
// What a device does
//===----------------------------------------------------------------------===//

DeviceInfo Client::info() const {
  std::lock_guard lock(mutex);
  return theInfo;
}

DeviceState Client::state() const {
  std::lock_guard lock(mutex);
  return theState;
}

uint64_t Client::freeBytes() const {
  std::lock_guard lock(mutex);
  return free;
}

void Client::watch(std::function<void()> given) {
  std::lock_guard lock(mutex);
  observer = std::move(given);
}

Result<ProgramId> Client::load(const Program &program) {
  Result<std::string> description = describeProgram(program);
  if (!description)
    return description.status();
  SessionId of;
  {
    std::lock_guard lock(mutex);
    if (theState == DeviceState::Lost)
      return why;
    of = session;
  }
  auto loaded = std::make_shared<std::promise<Result<RemoteProgram>>>();
  link->load(of, program, *description, [loaded](Result<RemoteProgram> there) {
    loaded->set_value(std::move(there));
  });
  Result<RemoteProgram> there = loaded->get_future().get();
  if (!there) {
    if (there.status().code() == Code::DeviceLost)
      lose(of, there.status());
    return there.status();
  }
  std::lock_guard lock(mutex);
  if (of != session || theState == DeviceState::Lost)
    return Status(Code::DeviceLost, "the link broke while it was loaded");
  free = there->freeBytes;
  // Numbers of this process: those of two servers may be the same.
  ProgramId id{++lastProgram};
  programs[id] = {there->id, program.inputs, program.outputs};
  return id;
}

static uint64_t bytesOf(const std::vector<TensorView> &views) {
  uint64_t bytes = 0;
  for (const TensorView &view : views)
    bytes += view.type->bytes();
  return bytes;
}

void Client::run(ProgramId program, Tensors &tensors,
                 std::function<void(Status)> done) {
  SessionId of;
  ProgramId there{};
  uint64_t number = 0;
  Status status;
  bool looksNow = false;
  {
    std::lock_guard lock(mutex);
    auto found = programs.find(program);
    if (theState == DeviceState::Lost)
      status = why;
    else if (found == programs.end())
      status = failure(Code::NotFound, "no program is loaded as ",
                       uint64_t(program));
    else
      status =
          checkTensors(found->second.inputs, found->second.outputs, tensors);
    if (status.ok() && std::max(bytesOf(tensors.inputs),
                                bytesOf(tensors.outputs)) > largestMessage)
      status = failure(Code::Unsupported, "a run has ", bytesOf(tensors.inputs),
                       " bytes of inputs and ", bytesOf(tensors.outputs),
                       " of outputs; a link takes at most ", largestMessage);
    if (status.ok()) {
      of = session;
      there = found->second.there;
      number = ++lastRun;
      running[number] = {&tensors, std::move(done), nullptr};
      ++sending;
      looksNow = tensors.cancelled && !std::exchange(looks, true);
    }
  }
  if (!status.ok())
    return done(std::move(status));
  if (looksNow)
    after(options.cancelEvery, [](Client &self) { self.look(); });
  // A copy: an answer that comes at once ends what `tensors` lie in.
  const std::vector<TensorView> inputs = tensors.inputs;
  auto cancel =
      link->run(of, there, inputs,
                [weak = weak_from_this(), of,
                 number](Status answer, const Link::Outputs &outputs) {
                  std::shared_ptr<Client> self = weak.lock();
                  if (!self)
                    return;
                  const bool isLost = answer.code() == Code::DeviceLost;
                  Status why = answer;
                  self->answered(number, std::move(answer), outputs);
                  if (isLost)
                    self->lose(of, why);
                });
  Runs lost;
  {
    std::lock_guard lock(mutex);
    --sending;
    if (auto found = running.find(number); found != running.end()) {
      found->second.cancel = std::move(cancel);
      found->second.isSending = false;
      if (found->second.isLost)
        lost.insert(running.extract(found));
    }
  }
  tensorsLeft.notify_all();
  endRuns(std::move(lost), Status(Code::DeviceLost, "the link broke"));
}

/// Late answers find nothing.
void Client::answered(uint64_t number, Status status,
                      const Link::Outputs &outputs) {
  Running run;
  {
    std::lock_guard lock(mutex);
    auto found = running.find(number);
    if (found == running.end() || found->second.isLost)
      return;
    run = std::move(found->second);
    running.erase(found);
    ++copying;
  }
  if (status.ok())
    status = outputs(run.tensors->outputs);
  {
    std::lock_guard lock(mutex);
    --copying;
  }
  tensorsLeft.notify_all();
  run.done(std::move(status));
}

/// Tells the server of runs that nothing waits for.
void Client::look() {
  std::vector<std::function<void()>> calls;
  {
    std::lock_guard lock(mutex);
    looks = !running.empty() && !hasEnded;
    for (auto &[number, run] : running)
      if (run.cancel && run.tensors->cancelled && *run.tensors->cancelled)
        calls.push_back(std::exchange(run.cancel, nullptr));
  }
  for (const std::function<void()> &call : calls)
    call();
  std::lock_guard lock(mutex);
  if (looks)
    after(options.cancelEvery, [](Client &self) { self.look(); });
}

void Client::unload(ProgramId program) {
  SessionId of;
  ProgramId there;
  {
    std::lock_guard lock(mutex);
    auto found = programs.find(program);
    if (found == programs.end())
      return;
    of = session;
    there = found->second.there;
    programs.erase(found);
  }
  link->unload(of, there,
               [weak = weak_from_this(), of](Result<uint64_t> answer) {
                 std::shared_ptr<Client> self = weak.lock();
                 if (!self)
                   return;
                 // Else its memory would stay taken.
                 if (!answer)
                   return self->lose(of, answer.status());
                 std::lock_guard lock(self->mutex);
                 if (of == self->session)
                   self->free = *answer;
               });
}

namespace {

class RemoteDevice final : public Device {
public:
  explicit RemoteDevice(std::shared_ptr<Client> client)
      : client(std::move(client)) {}
  ~RemoteDevice() override { client->end(); }

  DeviceInfo info() const override { return client->info(); }
  DeviceState state() const override { return client->state(); }
  uint64_t freeBytes() const override { return client->freeBytes(); }
  void watch(std::function<void()> changed) override {
    client->watch(std::move(changed));
  }
  Result<ProgramId> load(const Program &program) override {
    return client->load(program);
  }
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override {
    client->run(program, tensors, std::move(done));
  }
  void unload(ProgramId program) override { client->unload(program); }
  Status reset() override { return client->reset(); }

private:
  const std::shared_ptr<Client> client;
};

} // namespace

Result<std::unique_ptr<Device>>
glow::remoteDevice(std::unique_ptr<Link> link, std::shared_ptr<Workers> workers,
                   RemoteOptions options) {
  auto client =
      std::make_shared<Client>(std::move(link), std::move(workers), options);
  if (Status status = client->begin(); !status.ok()) {
    client->end();
    return status;
  }
  return std::unique_ptr<Device>(new RemoteDevice(std::move(client)));
}

//===- RemoteDevice.cpp - a device behind a link --------------------------===//
// SPDX-License-Identifier: MIT

#include "RemoteClient.h"
#include "glow/Program/Serial.h"
#include "glow/Runtime/ProgramFile.h"

using namespace glow;
using namespace glow::runtime;

static Status parentsDevice() {
  return Status(Code::DeviceLost, "a device in another process is lost in a "
                                  "child of fork(): its parent uses it");
}

DeviceInfo RemoteClient::info() const {
  // Not locked in a child of fork(): no thread writes `theInfo` there.
  std::unique_lock lock(mutex, std::defer_lock);
  if (!isInherited())
    lock.lock();
  return theInfo;
}

DeviceState RemoteClient::state() const {
  if (isInherited())
    return DeviceState::Lost;
  std::lock_guard lock(mutex);
  return theState;
}

uint64_t RemoteClient::freeBytes() const {
  if (isInherited())
    return 0;
  std::lock_guard lock(mutex);
  return free;
}

void RemoteClient::watch(std::function<void()> given) {
  if (isInherited())
    return;
  std::lock_guard lock(mutex);
  observer = std::move(given);
}

Result<SessionId> RemoteClient::currentSession() const {
  if (isInherited())
    return parentsDevice();
  std::lock_guard lock(mutex);
  if (theState == DeviceState::Lost)
    return why;
  return session;
}

Result<ProgramId> RemoteClient::load(const Program &program) {
  if (auto *code = dynamic_cast<const StepCode *>(program.code.get());
      code && computesLengths(*code))
    return failure(Code::Unsupported, "a remote device runs programs of given "
                                      "sizes, a node of this one computes one");
  Result<std::string> description = describeProgram(program);
  if (!description)
    return description.status();
  Result<SessionId> of = currentSession();
  if (!of)
    return of.status();
  // The timer ends the session, and so the wait: lose() drops open calls.
  const TimerId limit = workers->postAt(
      workers->now() + options.loadLimit, [weak = weak_from_this(), of = *of] {
        if (std::shared_ptr<RemoteClient> self = weak.lock())
          self->lose(of, Status(Code::DeviceLost,
                                "it did not load a program in its time"));
      });
  Result<RemoteProgram> there =
      await<RemoteProgram>([&](Link::Done<RemoteProgram> done) {
        link->load(*of, program, *description, std::move(done));
      });
  workers->cancel(limit);
  if (!there) {
    if (there.status().code() == Code::DeviceLost)
      lose(*of, there.status());
    return there.status();
  }
  std::lock_guard lock(mutex);
  if (*of != session || theState == DeviceState::Lost)
    return Status(Code::DeviceLost, "the link broke while it was loaded");
  free = there->freeBytes;
  // The id is a number of this process: ids of two servers may be equal. The
  // lock is held, so that lose() cannot clear the programs in between.
  ProgramId id{++lastProgram};
  programs[id] = {there->id, program.inputs, program.outputs};
  return id;
}

/// The shortest round trip, in seconds, of ten pings with so many bytes.
Result<double> RemoteClient::secondsOfPing(SessionId of, uint64_t bytes) {
  double least = 0;
  for (int i = 0; i < 10; ++i) {
    const TimePoint begin = workers->now();
    Result<uint64_t> free = await<uint64_t>([&](Link::Done<uint64_t> done) {
      link->ping(of, bytes, options.openLimit, std::move(done));
    });
    if (!free)
      return free.status();
    const double time =
        std::chrono::duration<double>(workers->now() - begin).count();
    least = i ? std::min(least, time) : time;
  }
  return least;
}

Result<DeviceRates> RemoteClient::measure() {
  Result<SessionId> of = currentSession();
  if (!of)
    return of.status();
  Result<DeviceRates> rates =
      await<DeviceRates>([&](Link::Done<DeviceRates> done) {
        link->measure(*of, std::move(done));
      });
  if (!rates)
    return rates;
  Result<double> empty = secondsOfPing(*of, 0);
  Result<double> full = empty ? secondsOfPing(*of, largestPing) : empty;
  if (!full)
    return full.status();
  // The link of the device to its own host comes in addition.
  const double rate = double(largestPing) / std::max(*full - *empty, 1e-9);
  rates->linkLatencySeconds += *empty / 2;
  rates->linkBytesPerSecond =
      rates->linkBytesPerSecond > 0
          ? 1 / (1 / rates->linkBytesPerSecond + 1 / rate)
          : rate;
  return rates;
}

static uint64_t bytesOf(const std::vector<TensorView> &views) {
  uint64_t bytes = 0;
  for (const TensorView &view : views)
    bytes += view.type->bytes();
  return bytes;
}

/// The sizes of the inputs that have lengths.
static Ints openSizes(const std::vector<Binding> &inputs,
                      const std::vector<TensorView> &views) {
  Ints sizes;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].lengths.empty())
      for (int64_t size : views[i].type->shape)
        sizes.push_back(size);
  return sizes;
}

/// Sends a run. The entry in `running` is made before the run is sent, as the
/// answer may come at once. While `isSending`, only this thread ends the run.
void RemoteClient::run(ProgramId program, Tensors &tensors,
                       std::function<void(Status)> done) {
  if (isInherited())
    return done(parentsDevice());
  SessionId of;
  ProgramId there{};
  uint64_t number = 0;
  Ints sizes;
  Status status;
  bool startsTimer = false;
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
      sizes = openSizes(found->second.inputs, tensors.inputs);
      number = ++lastRun;
      running[number] = {&tensors, std::move(done), nullptr};
      ++sending;
      startsTimer = tensors.cancelled && !std::exchange(hasTimer, true);
    }
  }
  if (!status.ok())
    return done(std::move(status));
  if (startsTimer)
    after(options.cancelEvery,
          [](RemoteClient &self) { self.findCancelled(); });
  // A copy: an answer that comes at once may end the lifetime of `tensors`.
  const std::vector<TensorView> inputs = tensors.inputs;
  auto cancel =
      link->run(of, there, sizes, inputs,
                [weak = weak_from_this(), of,
                 number](Status answer, const Link::Outputs &outputs) {
                  std::shared_ptr<RemoteClient> self = weak.lock();
                  if (!self)
                    return;
                  self->answered(of, number, std::move(answer), outputs);
                });
  // If the session ended meanwhile, takeRuns() has left the run to this thread.
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

/// The answer to a run; any thread of the link. An answer after the end of its
/// session finds no run. Code::DeviceLost ends the session, and so do damaged
/// outputs.
void RemoteClient::answered(SessionId of, uint64_t number, Status status,
                            const Link::Outputs &outputs) {
  std::optional<Running> run;
  {
    std::lock_guard lock(mutex);
    if (auto found = running.find(number);
        found != running.end() && !found->second.isLost) {
      // Outputs are copied without the lock. end() and reset() wait meanwhile.
      run = std::move(found->second);
      running.erase(found);
      ++copying;
    }
  }
  if (run) {
    if (status.ok())
      status = outputs(run->tensors->outputs);
    {
      std::lock_guard lock(mutex);
      --copying;
    }
    tensorsLeft.notify_all();
    run->done(status);
  }
  if (status.code() == Code::DeviceLost)
    lose(of, status);
}

/// Cancels runs on the server whose results are no longer wanted. The calls are
/// made without the lock, as the link may answer at once. A timer calls
/// it again as long as there are runs.
void RemoteClient::findCancelled() {
  std::vector<std::function<void()>> calls;
  {
    std::lock_guard lock(mutex);
    hasTimer = !running.empty() && !hasEnded;
    for (auto &[number, run] : running)
      if (run.cancel && run.tensors->cancelled && *run.tensors->cancelled)
        calls.push_back(std::exchange(run.cancel, nullptr));
  }
  for (const std::function<void()> &call : calls)
    call();
  std::lock_guard lock(mutex);
  if (hasTimer)
    after(options.cancelEvery,
          [](RemoteClient &self) { self.findCancelled(); });
}

void RemoteClient::unload(ProgramId program) {
  if (isInherited())
    return;
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
                 std::shared_ptr<RemoteClient> self = weak.lock();
                 if (!self)
                   return;
                 // Without a new session the memory would stay taken.
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
  explicit RemoteDevice(std::shared_ptr<RemoteClient> client)
      : client(std::move(client)) {}
  ~RemoteDevice() override {
    if (!client->isInherited()) {
      client->end();
      return;
    }
    // A child of fork() leaks the client: it cannot end the link, which the
    // parent uses.
    static auto *kept = new std::vector<std::shared_ptr<RemoteClient>>;
    kept->push_back(client);
  }

  DeviceInfo info() const override { return client->info(); }
  DeviceState state() const override { return client->state(); }
  uint64_t freeBytes() const override { return client->freeBytes(); }
  Result<DeviceRates> measure() override { return client->measure(); }
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
  const std::shared_ptr<RemoteClient> client;
};

} // namespace

Result<std::unique_ptr<Device>>
glow::remoteDevice(std::unique_ptr<Link> link, std::shared_ptr<Workers> workers,
                   RemoteOptions options) {
  auto client = std::make_shared<RemoteClient>(std::move(link),
                                               std::move(workers), options);
  if (Status status = client->begin(); !status.ok()) {
    client->end();
    return status;
  }
  return std::unique_ptr<Device>(new RemoteDevice(std::move(client)));
}

//===- Ranks.cpp - messages of an MPI job ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "Ranks.h"
#include "glow/Base/Hash.h"
#include "glow/Base/Threads.h"
#include <charconv>
#include <cstring>

using namespace glow;
using namespace glow::remote;

Status Ranks::start() {
  // The first caller starts the thread; each caller waits until MPI has
  // started.
  std::unique_lock lock(mutex);
  if (!std::exchange(hasBegun, true)) {
    std::thread thread;
    if (Status status = beginThread(thread, [this] { work(); }); !status.ok()) {
      hasBegun = false;
      return status;
    }
    thread.detach();
    std::atexit([] { instance().finish(); });
  }
  changed.wait(lock, [&] { return started.has_value(); });
  return *started;
}

void Ranks::beginSums(std::span<const TensorView> tensors) {
  std::lock_guard lock(mutex);
  for (const TensorView &tensor : tensors)
    adding.push_back(
        {tensor.data, tensor.type->elements(),
         tensor.type->kind == ElementKind::F64 ? MPI_DOUBLE : MPI_FLOAT});
}

void Ranks::finishSums() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return adding.empty(); });
}

/// Called at exit: MPI_Finalize needs every rank to arrive here. The thread
/// sends all remaining messages before it stops.
void Ranks::finish() {
  broadcast(Kind::Bye);
  std::unique_lock lock(mutex);
  stops = true;
  changed.wait(lock, [&] { return hasStopped || !started->ok(); });
}

void Ranks::broadcast(Kind kind) {
  for (int other = 0; other < all; ++other)
    if (other != mine) {
      Message message;
      message.kind = kind;
      send(other, std::move(message));
    }
}

/// Queues a message for the MPI thread; any thread.
void Ranks::send(int to, Message message) {
  ByteWriter writer;
  writer(message);
  std::lock_guard lock(mutex);
  leaving.emplace_back(to, writer.take());
}

uint64_t Ranks::call(int to, const void *link, Message message, Duration limit,
                     Answered answered) {
  uint64_t number;
  {
    std::lock_guard lock(mutex);
    number = ++lastCall;
    calls[number] = {link,
                     limit > Duration::zero() ? workers->now() + limit
                                              : TimePoint::max(),
                     std::move(answered)};
  }
  message.call = number;
  send(to, std::move(message));
  return number;
}

void Ranks::drop(const void *link) {
  std::vector<Call> dropped; // answered without the lock
  {
    std::lock_guard lock(mutex);
    for (auto call = calls.begin(); call != calls.end();)
      if (call->second.link == link) {
        dropped.push_back(std::move(call->second));
        call = calls.erase(call);
      } else {
        ++call;
      }
  }
  for (Call &call : dropped)
    call.answered(Status(Code::DeviceLost, "the link was given up"));
}

/// Waits for the handler of before, if it runs: handOn() holds `handing`.
void Ranks::serve(std::function<void(int, Message)> given) {
  if (given)
    broadcast(Kind::Serves);
  std::lock_guard lock(handing);
  handler = std::move(given);
}

//===----------------------------------------------------------------------===//
// The MPI thread
//===----------------------------------------------------------------------===//

/// The MPI thread. MPI_THREAD_FUNNELED permits calls of MPI from this thread
/// alone.
void Ranks::work() {
  int has = MPI_THREAD_SINGLE;
  const bool isStarted = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED,
                                         &has) == MPI_SUCCESS &&
                         has >= MPI_THREAD_FUNNELED;
  if (isStarted) {
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
  }
  {
    std::lock_guard lock(mutex);
    started =
        isStarted ? Status() : Status(Code::Unsupported, "MPI does not start");
    changed.notify_all();
  }
  while (isStarted) {
    const bool sent = sendAll(), received = receive();
    addUp();
    handOn();
    expire();
    {
      std::lock_guard lock(mutex);
      if (stops && leaving.empty() && sending.empty())
        break;
    }
    // A blocking receive would also block sending: the thread polls both.
    if (!sent && !received)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  if (isStarted)
    MPI_Finalize();
  std::lock_guard lock(mutex);
  hasStopped = true;
  changed.notify_all();
}

/// Starts to send the queued messages; false if there were none. `sending`
/// keeps their bytes until MPI has sent them.
bool Ranks::sendAll() {
  std::deque<std::pair<int, std::string>> now;
  {
    std::lock_guard lock(mutex);
    now.swap(leaving);
  }
  for (auto &[to, bytes] : now) {
    sending.push_back({std::move(bytes)});
    Sending &one = sending.back();
    MPI_Isend(one.bytes.data(), int(one.bytes.size()), MPI_BYTE, to, 0,
              MPI_COMM_WORLD, &one.request);
  }
  while (!sending.empty()) {
    int isDone = 0;
    MPI_Test(&sending.front().request, &isDone, MPI_STATUS_IGNORE);
    if (!isDone)
      break;
    sending.pop_front();
  }
  return !now.empty();
}

/// Starts the sums that wait, in their order, and ends finishSums() when all
/// are done.
void Ranks::addUp() {
  std::lock_guard lock(mutex);
  if (adding.empty())
    return;
  bool areDone = true;
  for (Adding &one : adding) {
    if (!std::exchange(one.isStarted, true))
      MPI_Iallreduce(MPI_IN_PLACE, one.data, int(one.count), one.kind, MPI_SUM,
                     MPI_COMM_WORLD, &one.request);
    int isDone = 0;
    MPI_Test(&one.request, &isDone, MPI_STATUS_IGNORE);
    areDone = areDone && isDone;
  }
  if (!areDone)
    return;
  adding.clear();
  changed.notify_all();
}

/// Receives one message; false if there is none. Answers are called on worker
/// threads, all other messages wait in `came` for handOn().
bool Ranks::receive() {
  int isThere = 0, size = 0;
  MPI_Status from;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &isThere, &from);
  if (!isThere)
    return false;
  MPI_Get_count(&from, MPI_BYTE, &size);
  std::string bytes(size_t(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_BYTE, from.MPI_SOURCE, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  auto message = std::make_shared<Message>();
  ByteReader reader(bytes);
  reader(*message);
  if (!reader.ok())
    return true;
  if (message->kind != Kind::Answer) {
    came.emplace_back(from.MPI_SOURCE, std::move(*message));
    return true;
  }
  // Taking the call out of `calls` decides against expire() and drop(): one of
  // the three answers it.
  std::optional<Call> call;
  {
    std::lock_guard lock(mutex);
    if (auto found = calls.find(message->call); found != calls.end()) {
      call.emplace(std::move(found->second));
      calls.erase(found);
    }
  }
  if (call)
    workers->post([answered = call->answered, message] {
      answered(message->code
                   ? Result<Message>(Status(Code(message->code), message->text))
                   : Result<Message>(std::move(*message)));
    });
  return true;
}

/// Passes messages to the handler. Until this rank serves, they wait: a host
/// may be faster than its server.
void Ranks::handOn() {
  std::lock_guard lock(handing);
  while (handler && !came.empty()) {
    auto [from, message] = std::move(came.front());
    came.pop_front();
    handler(from, std::move(message));
  }
}

/// Ends the calls whose time limit has passed; a later answer finds no call.
void Ranks::expire() {
  std::vector<Call> late;
  {
    std::lock_guard lock(mutex);
    const TimePoint now = workers->now();
    for (auto call = calls.begin(); call != calls.end();)
      if (call->second.limit <= now) {
        late.push_back(std::move(call->second));
        call = calls.erase(call);
      } else {
        ++call;
      }
  }
  for (Call &call : late)
    workers->post([answered = std::move(call.answered)] {
      answered(
          Status(Code::DeviceLost, "the server did not answer in its time"));
    });
}

//===----------------------------------------------------------------------===//
// The contents of messages
//===----------------------------------------------------------------------===//

Reals remote::listOf(const DeviceRates &rates) {
  Reals list = {rates.bytesPerSecond, rates.linkBytesPerSecond,
                rates.linkLatencySeconds};
  for (const auto &[kind, rate] : rates.multipliesPerSecond) {
    list.push_back(double(kind));
    list.push_back(rate);
  }
  return list;
}

DeviceRates remote::ratesOf(const Reals &list) {
  if (list.size() < 3)
    return {};
  DeviceRates rates{{}, list[0], list[1], list[2]};
  for (size_t i = 3; i + 1 < list.size(); i += 2)
    for (ElementKind kind : allElementKinds)
      if (double(kind) == list[i])
        rates.multipliesPerSecond[kind] = list[i + 1];
  return rates;
}

uint64_t remote::numberOf(const Message &message, size_t index) {
  return index < message.numbers.size() ? uint64_t(message.numbers[index]) : 0;
}

static uint64_t checksumOf(const std::vector<std::string> &tensors) {
  HashOfParts hash;
  for (const std::string &tensor : tensors)
    hash.add(tensor);
  return hash.finish().low;
}

void remote::setTensors(Message &message,
                        const std::vector<TensorView> &views) {
  for (const TensorView &view : views)
    message.tensors.emplace_back(static_cast<const char *>(view.data),
                                 view.type->bytes());
  message.checksum = checksumOf(message.tensors);
}

Status remote::takeTensors(const Message &message,
                           const std::vector<TensorView> &views) {
  const std::vector<std::string> &tensors = message.tensors;
  if (tensors.size() != views.size())
    return failure(Code::ShapeMismatch, "a message has ", tensors.size(),
                   " tensors, it should have ", views.size());
  if (checksumOf(tensors) != message.checksum)
    return Status(Code::DeviceLost, "the tensors of a run came damaged");
  for (size_t i = 0; i < views.size(); ++i) {
    if (tensors[i].size() != views[i].type->bytes())
      return failure(Code::ShapeMismatch, "tensor ", i, " of a message has ",
                     tensors[i].size(), " bytes, it should have ",
                     views[i].type->text());
    if (!tensors[i].empty())
      std::memcpy(views[i].data, tensors[i].data(), tensors[i].size());
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<Link>> connect(const std::string &place) {
  Ranks &ranks = Ranks::instance();
  if (Status status = ranks.start(); !status.ok())
    return status;
  int rank = 0;
  const char *end = place.data() + place.size();
  auto [rest, error] = std::from_chars(place.data(), end, rank);
  if (error != std::errc() || rest != end || rank < 0 ||
      rank >= ranks.count() || rank == ranks.rank())
    return failure(Code::InvalidArgument, "place '", place,
                   "' should be the rank of another process of this job, which "
                   "has ",
                   ranks.count(), " and is begun by mpirun");
  return linkToRank(rank);
}

static Result<std::unique_ptr<LinkServer>> serve(const std::string &place,
                                                 RemoteService &service) {
  if (place != "here")
    return failure(Code::InvalidArgument, "place '", place,
                   "' should be here: a rank is told by mpirun");
  if (Status status = Ranks::instance().start(); !status.ok())
    return status;
  return serveRanks(service);
}

extern "C" [[gnu::visibility("default")]] const Transport glow_transport;
constinit const Transport glow_transport(connect, serve, joinRanks);

//===- Ranks.h - messages of an MPI job -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One thread, the MPI thread, makes all calls of MPI: it sends messages that
// other threads have queued, and passes received messages on. Each call of a
// host has a number, which its answer repeats. Messages between two ranks stay
// in order.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_TRANSPORTS_RANKS_H
#define GLOW_RUNTIME_REMOTE_TRANSPORTS_RANKS_H

#include "glow/Program/Serial.h"
#include "glow/Runtime/Remote.h"
#include <condition_variable>
#include <deque>
#include <map>
#include <mpi.h>
#include <optional>

namespace glow::remote {

/// The purpose of a message.
enum class Kind : uint64_t {
  Answer,
  Open,
  Ping,
  Measure,
  Begin, ///< the sizes and hash of a program; pieces follow, then Load
  Piece,
  Load,
  Run,
  Cancel,
  Unload,
  Close,
  Serves, ///< the rank has a device, and waits for hosts
  Bye     ///< the rank has ended
};

/// A message. All kinds have this form, and each uses some of its members.
struct Message {
  Kind kind = Kind::Answer;
  uint64_t call = 0, session = 0, program = 0;
  uint64_t code = 0; ///< of an answer
  std::string text;
  Ints numbers;
  Reals rates;
  std::vector<std::string> tensors;
  uint64_t checksum = 0; ///< of the tensors
};

template <typename Stream> void describe(Stream &stream, Message &message) {
  stream(message.kind, message.call, message.session, message.program,
         message.code, message.text, message.numbers, message.rates,
         message.tensors, message.checksum);
}

/// The callback of a call: receives the answer, or the reason why there is
/// none.
using Answered = std::function<void(Result<Message>)>;

/// This process among the ranks of its job.
class Ranks {
public:
  static Ranks &instance() {
    // Never destroyed: links may end after the destruction of static objects.
    static Ranks *ranks = new Ranks();
    return *ranks;
  }

  /// Fails with Code::Unsupported where MPI does not start.
  Status start();
  int rank() const { return mine; }
  int count() const { return all; }

  void send(int to, Message message);

  /// Sends a call; `answered` is called once, on any thread. A call without a
  /// limit waits without end. Returns its number.
  uint64_t call(int to, const void *link, Message message, Duration limit,
                Answered answered);
  /// Ends the calls of a link with Code::DeviceLost, on this thread.
  void drop(const void *link);

  /// Begins to add up tensors of f32 or f64 over all ranks, in place; each of
  /// them has fewer than 2^31 elements. One thread of a rank at a time calls
  /// it.
  void beginSums(std::span<const TensorView> tensors);
  /// Waits for all sums that have begun.
  void finishSums();

  /// Sets the handler of messages that are no answers. The MPI thread calls it,
  /// also for messages that came before. When this returns, the previous
  /// handler is not called any more.
  void serve(std::function<void(int from, Message)> handler);

private:
  struct Call {
    const void *link;
    TimePoint limit;
    Answered answered;
  };
  struct Sending {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Adding {
    void *data;
    int64_t count;
    MPI_Datatype kind;
    MPI_Request request = MPI_REQUEST_NULL;
    bool isStarted = false;
  };
  void work();
  bool sendAll();
  void addUp();
  bool receive();
  void handOn();
  void expire();
  void broadcast(Kind kind);
  void finish();

  int mine = 0, all = 1; // written by the MPI thread before start() returns
  const std::shared_ptr<Workers> workers = threadWorkers();
  std::deque<Sending> sending; // used by the MPI thread alone, like `came`
  std::deque<std::pair<int, Message>> came;

  std::mutex handing; // guards `handler`; held while it is called
  std::function<void(int, Message)> handler;

  std::mutex mutex; // guards the members below; free when answers are called
  std::condition_variable changed;
  std::optional<Status> started;
  std::deque<std::pair<int, std::string>> leaving;
  std::vector<Adding> adding; ///< sums that are not done
  std::map<uint64_t, Call> calls;
  uint64_t lastCall = 0;
  bool hasBegun = false, stops = false, hasStopped = false;
};

Reals listOf(const DeviceRates &rates);
DeviceRates ratesOf(const Reals &list);

/// A number of a message; 0 if it is absent.
uint64_t numberOf(const Message &message, size_t index);

/// Puts tensors and their checksum into a message.
void setTensors(Message &message, const std::vector<TensorView> &views);

/// Copies the tensors of a message into views of the same sizes. Fails with
/// Code::ShapeMismatch, and with Code::DeviceLost if they arrived damaged.
Status takeTensors(const Message &message,
                   const std::vector<TensorView> &views);

/// A link to the device of a rank.
std::unique_ptr<Link> linkToRank(int rank);

/// All ranks as a group.
Result<std::unique_ptr<ProcessGroup>> joinRanks();

/// Serves a device to other ranks, and ends the process by SIGTERM when each of
/// them has ended or serves, too.
std::unique_ptr<LinkServer> serveRanks(RemoteService &service);

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_RANKS_H

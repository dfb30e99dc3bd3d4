//===- Ranks.h - messages of an MPI job -------------------------*- C++ -*-===//
//
// One thread makes all calls of MPI: it sends what others left for it, and
// hands on what comes. Calls of a host have numbers, which their answers name;
// messages of two ranks stay in order.
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

/// What a message asks for.
enum class Kind : uint64_t {
  Answer,
  Open,
  Ping,
  Measure,
  Begin, ///< of a program: what will come; pieces follow, then Load
  Piece,
  Load,
  Run,
  Cancel,
  Unload,
  Close,
  Serves, ///< the rank has a device, and waits for hosts
  Bye     ///< the rank has ended
};

/// All messages have one form; each kind uses some of it.
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

/// The other side of a call: is told the answer, or why there is none.
using Answered = std::function<void(Result<Message>)>;

/// This process among the ranks of its job.
class Ranks {
public:
  static Ranks &instance() {
    // Never destroyed: links may end after what is static here.
    static Ranks *ranks = new Ranks();
    return *ranks;
  }

  /// Fails with Code::Unsupported where MPI does not start.
  Status start();
  int rank() const { return mine; }
  int count() const { return all; }

  void send(int to, Message message);

  /// Sends a call; `answered` is called once, on any thread. Without a limit
  /// it waits as long as it takes. Returns its number.
  uint64_t call(int to, const void *link, Message message, Duration limit,
                Answered answered);
  /// Gives up the calls of a link.
  void drop(const void *link);

  /// What messages that are no answers go to, on the one thread; those that
  /// came before, too. The handler from before is not called any more.
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
  void work();
  bool sendAll();
  bool receive();
  void handOn();
  void expire();
  void tellAll(Kind kind);
  void finish();

  int mine = 0, all = 1;
  const std::shared_ptr<Workers> workers = threadWorkers();
  std::deque<Sending> sending; // of the one thread, as the next
  std::deque<std::pair<int, Message>> came;

  std::mutex handing; // held while messages are handed on
  std::function<void(int, Message)> handler;

  std::mutex mutex; // guards what follows
  std::condition_variable changed;
  std::optional<Status> started;
  std::deque<std::pair<int, std::string>> leaving;
  std::map<uint64_t, Call> calls;
  uint64_t lastCall = 0;
  bool hasBegun = false, stops = false, hasStopped = false;
};

Reals listOf(const DeviceRates &rates);
DeviceRates ratesOf(const Reals &list);

/// A number of a message; 0 where it is not there.
uint64_t numberOf(const Message &message, size_t index);

/// Gives a message tensors, and their checksum.
void setTensors(Message &message, const std::vector<TensorView> &views);

/// Tensors of a message into views of the same sizes. Fails with
/// Code::ShapeMismatch, and with Code::DeviceLost if they came damaged.
Status takeTensors(const Message &message,
                   const std::vector<TensorView> &views);

/// A link to the device of a rank.
std::unique_ptr<Link> linkToRank(int rank);

/// Serves a device to other ranks, and ends the process by SIGTERM when each of
/// them has ended or serves, too.
std::unique_ptr<LinkServer> serveRanks(RemoteService &service);

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_RANKS_H

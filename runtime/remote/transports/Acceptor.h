//===- Acceptor.h - connections that a server takes -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// gRPC keeps a connection for seconds after it was closed, and has no limit on
// their number. So a thread of this class accepts connections. It gives a
// connection to gRPC when the first bytes are those of HTTP/2 and gRPC has few
// enough. All other connections are closed.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_TRANSPORTS_ACCEPTOR_H
#define GLOW_RUNTIME_REMOTE_TRANSPORTS_ACCEPTOR_H

#include "glow/Base/Status.h"
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace glow::remote {

/// Accepts connections on a thread of its own, which ends in the destructor.
class Acceptor {
public:
  /// The most connections that gRPC has at a time.
  static constexpr size_t mostConnections = 256;

  /// The most connections that have sent nothing yet, and the time limit of
  /// each.
  static constexpr size_t mostSilent = 256;
  static constexpr std::chrono::seconds longestSilence{2};

  /// Takes the descriptor of a connection, and closes it in the end. Called by
  /// the thread.
  using Take = std::function<void(int listener, int connection)>;

  /// Listens at HOST:PORT, port 0 for a free one, or unix:PATH. Fails with
  /// Code::InvalidArgument and the system's reason if it cannot, with
  /// Code::OutOfMemory without a thread.
  static Result<std::unique_ptr<Acceptor>> open(const std::string &place,
                                                Take take);
  ~Acceptor();
  Acceptor(const Acceptor &) = delete;

  /// The place, with the port that was found.
  const std::string &address() const { return text; }

private:
  struct Silent {
    int listener, file;
    std::chrono::steady_clock::time_point until;
  };
  struct Taken {
    int file;
    ino_t number; ///< inode of the socket: `file` may be reused
  };

  explicit Acceptor(Take take) : take(std::move(take)) {}
  Status listenAt(const std::string &place);
  Status listenAtPath(const std::string &path);
  Status listenAtPort(const std::string &host, const std::string &port);
  void acceptAll();
  void accept(int listener);
  bool handOver(const Silent &connection);
  bool hasCapacity();

  const Take take;
  std::string text, path; ///< the path is removed at the end
  std::vector<int> listeners;
  int stop = -1;
  std::thread thread;
  // Used by the thread alone, and by the destructor after it:
  std::list<Silent> silent;
  std::vector<Taken> taken;
};

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_ACCEPTOR_H

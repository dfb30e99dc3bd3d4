//===- Acceptor.cpp - connections that a server takes ---------------------===//
// SPDX-License-Identifier: MIT

#include "Acceptor.h"
#include "glow/Base/Threads.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace glow;
using namespace glow::remote;
using Clock = std::chrono::steady_clock;

/// The first bytes that an HTTP/2 client sends.
static constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

static Status cannotListen(const std::string &place, const char *why) {
  return failure(Code::InvalidArgument, "cannot listen at '", place,
                 "': ", why);
}

Result<std::unique_ptr<Acceptor>> Acceptor::open(const std::string &place,
                                                 Take take) {
  std::unique_ptr<Acceptor> made(new Acceptor(std::move(take)));
  if (Status status = made->listenAt(place); !status.ok())
    return status;
  made->stop = ::eventfd(0, EFD_CLOEXEC);
  if (made->stop < 0)
    return cannotListen(place, std::strerror(errno));
  Status status = beginThread(
      made->thread, [acceptor = made.get()] { acceptor->acceptAll(); });
  if (!status.ok())
    return status;
  return made;
}

Acceptor::~Acceptor() {
  // The thread ends first: until then `silent` and the descriptors are its own.
  if (thread.joinable()) {
    const uint64_t one = 1;
    (void)!::write(stop, &one, sizeof one);
    thread.join();
  }
  for (const Silent &connection : silent)
    ::close(connection.file);
  for (int listener : listeners)
    ::close(listener);
  if (stop >= 0)
    ::close(stop);
  if (!path.empty())
    ::unlink(path.c_str());
}

//===----------------------------------------------------------------------===//
// Listening
//===----------------------------------------------------------------------===//

Status Acceptor::listenAt(const std::string &place) {
  if (place.starts_with("unix:")) {
    text = place;
    return listenAtPath(place.substr(5));
  }
  const size_t colon = place.rfind(':');
  const std::string host = place.substr(0, colon);
  const bool isBracketed = host.starts_with("[") && host.ends_with("]");
  Status status =
      listenAtPort(isBracketed ? host.substr(1, host.size() - 2) : host,
                   place.substr(colon + 1));
  if (!status.ok())
    return cannotListen(place, status.message().c_str());
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(listeners[0], reinterpret_cast<sockaddr *>(&address), &size);
  const in_port_t port =
      address.ss_family == AF_INET6
          ? reinterpret_cast<sockaddr_in6 &>(address).sin6_port
          : reinterpret_cast<sockaddr_in &>(address).sin_port;
  text = host + ":" + std::to_string(ntohs(port));
  return Status();
}

/// Removes a socket that another process left.
static void removeUnused(const sockaddr_un &address) {
  struct stat found;
  if (::lstat(address.sun_path, &found) != 0 || !S_ISSOCK(found.st_mode))
    return;
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(probe, reinterpret_cast<const sockaddr *>(&address),
                sizeof address) != 0 &&
      errno == ECONNREFUSED)
    ::unlink(address.sun_path);
  ::close(probe);
}

Status Acceptor::listenAtPath(const std::string &given) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (given.size() >= sizeof address.sun_path)
    return cannotListen(text, "the path is too long");
  given.copy(address.sun_path, given.size());
  removeUnused(address);
  const int listener =
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  listeners.push_back(listener);
  if (::bind(listener, reinterpret_cast<sockaddr *>(&address),
             sizeof address) != 0)
    return cannotListen(text, std::strerror(errno));
  path = given;
  if (::listen(listener, SOMAXCONN) != 0)
    return cannotListen(text, std::strerror(errno));
  return Status();
}

/// Listens at all addresses of a host, with one port. For port 0 the first
/// address determines the port.
Status Acceptor::listenAtPort(const std::string &host,
                              const std::string &port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  if (int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found))
    return Status(Code::InvalidArgument, ::gai_strerror(error));
  in_port_t same = 0;
  int error = 0;
  for (addrinfo *one = found; one; one = one->ai_next) {
    const int listener =
        ::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int yes = 1;
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    in_port_t &wanted =
        one->ai_family == AF_INET6
            ? reinterpret_cast<sockaddr_in6 *>(one->ai_addr)->sin6_port
            : reinterpret_cast<sockaddr_in *>(one->ai_addr)->sin_port;
    if (wanted == 0)
      wanted = same;
    if (::bind(listener, one->ai_addr, one->ai_addrlen) != 0 ||
        ::listen(listener, SOMAXCONN) != 0) {
      error = errno;
      ::close(listener);
      continue;
    }
    ::getsockname(listener, one->ai_addr, &one->ai_addrlen);
    same = wanted;
    listeners.push_back(listener);
  }
  ::freeaddrinfo(found);
  return listeners.empty() ? Status(Code::InvalidArgument, std::strerror(error))
                           : Status();
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

/// The thread: waits for connections, for first bytes of silent ones, and for
/// the destructor to write `stop`.
void Acceptor::acceptAll() {
  std::vector<pollfd> events;
  while (true) {
    events.assign(1, {stop, POLLIN, 0});
    for (int listener : listeners)
      events.push_back({listener, POLLIN, 0});
    for (const Silent &connection : silent)
      events.push_back({connection.file, POLLIN, 0});
    // Silent connections have a time limit, which is checked every 100 ms.
    if (::poll(events.data(), events.size(), silent.empty() ? -1 : 100) < 0 &&
        errno != EINTR)
      return;
    if (events[0].revents)
      return;
    // In the order of `events`: accept() below appends to `silent`.
    size_t next = 1 + listeners.size();
    const Clock::time_point now = Clock::now();
    for (auto one = silent.begin(); one != silent.end(); ++next) {
      bool isOver = events[next].revents && handOver(*one);
      if (!isOver && one->until < now) {
        ::close(one->file);
        isOver = true;
      }
      one = isOver ? silent.erase(one) : std::next(one);
    }
    for (size_t i = 0; i < listeners.size(); ++i)
      if (events[1 + i].revents)
        accept(listeners[i]);
  }
}

void Acceptor::accept(int listener) {
  const int file =
      ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (file < 0) {
    // Without a free descriptor the connection stays in the kernel's queue.
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return;
  }
  // The oldest silent connection makes way for a new one.
  if (silent.size() >= mostSilent) {
    ::close(silent.front().file);
    silent.pop_front();
  }
  silent.push_back({listener, file, Clock::now() + longestSilence});
}

/// Gives a connection with first bytes to gRPC, or closes it; false if it has
/// sent nothing yet.
bool Acceptor::handOver(const Silent &connection) {
  char first[preface.size()];
  const ssize_t size =
      ::recv(connection.file, first, sizeof first, MSG_PEEK | MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR))
    return false;
  struct stat about;
  if (size <= 0 || !preface.starts_with({first, size_t(size)}) ||
      !hasCapacity() || ::fstat(connection.file, &about) != 0) {
    ::close(connection.file);
    return true;
  }
  const int yes = 1;
  ::setsockopt(connection.file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  taken.push_back({connection.file, about.st_ino});
  take(connection.listener, connection.file);
  return true;
}

/// Whether gRPC may have one more connection. Removes the connections from
/// `taken` that gRPC has closed: their descriptors are invalid or reused.
bool Acceptor::hasCapacity() {
  if (taken.size() < mostConnections)
    return true;
  std::erase_if(taken, [](const Taken &one) {
    struct stat about;
    return ::fstat(one.file, &about) != 0 || about.st_ino != one.number;
  });
  return taken.size() < mostConnections;
}

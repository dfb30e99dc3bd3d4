//===- ReportSocket.cpp - live report of a host ---------------------------===//
// SPDX-License-Identifier: MIT
//
// One thread answers one connection at a time, with a time limit. A client that
// connects and does not read delays the next client by a second, and never the
// host.
//
//===----------------------------------------------------------------------===//

#include "glow/Runtime/ReportSocket.h"
#include "glow/Base/Threads.h"
#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

using namespace glow;

namespace {

/// Owns a file descriptor.
class File {
public:
  explicit File(int number) : number(number) {}
  ~File() {
    if (number >= 0)
      ::close(number);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  explicit operator bool() const { return number >= 0; }
  operator int() const { return number; }

private:
  const int number;
};

} // namespace

/// Limits of readReport(): the bytes of a report, and the total time.
static constexpr size_t largestReport = size_t(1) << 26;
static constexpr std::chrono::seconds longestReport(10);

static std::string lastError() { return std::strerror(errno); }

static Result<sockaddr_un> addressOf(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return failure(Code::InvalidArgument, "the path of a socket, '", path,
                   "', has ", path.size(), " bytes, it should have 1 to ",
                   sizeof address.sun_path - 1);
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

static bool connectTo(int file, const sockaddr_un &address) {
  return ::connect(file, reinterpret_cast<const sockaddr *>(&address),
                   sizeof address) == 0;
}

static void limitTimes(int file, time_t seconds) {
  timeval limit{seconds, 0};
  ::setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ::setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

struct ReportSocket::State {
  State(std::string path, std::function<std::string()> report)
      : path(std::move(path)), report(std::move(report)),
        listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        stop(::eventfd(0, EFD_CLOEXEC)) {}
  ~State() {
    // The thread uses the descriptors: it ends before they are closed.
    if (thread.joinable()) {
      const uint64_t one = 1;
      (void)!::write(stop, &one, sizeof one);
      thread.join();
    }
    if (isBound)
      ::unlink(path.c_str());
  }

  Status listen();
  void answerAll();

  const std::string path;
  const std::function<std::string()> report;
  const File listener, stop;
  bool isBound = false;
  std::thread thread;
};

/// Removes a socket that another process left.
static void removeUnused(const std::string &path, const sockaddr_un &address) {
  struct stat found;
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode))
    return;
  File probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (probe && !connectTo(probe, address) && errno == ECONNREFUSED)
    ::unlink(path.c_str());
}

Status ReportSocket::State::listen() {
  Result<sockaddr_un> address = addressOf(path);
  if (!address)
    return address.status();
  if (!listener || !stop)
    return failure(Code::OutOfMemory, "no socket: ", lastError());
  removeUnused(path, *address);
  if (::bind(listener, reinterpret_cast<sockaddr *>(&*address),
             sizeof *address) != 0)
    return failure(Code::InvalidArgument, "cannot listen at '", path,
                   "': ", lastError());
  isBound = true;
  // Before `listen`, so that no other user can connect.
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0 ||
      ::listen(listener, 16) != 0)
    return failure(Code::InvalidArgument, "cannot listen at '", path,
                   "': ", lastError());
  return beginThread(thread, [this] { answerAll(); })
      .prefixed("'" + path + "': ");
}

/// The thread: waits for a connection, or for the destructor to write `stop`.
/// It calls `report`, which therefore needs to be thread-safe.
void ReportSocket::State::answerAll() {
  while (true) {
    pollfd events[] = {{listener, POLLIN, 0}, {stop, POLLIN, 0}};
    if (::poll(events, 2, -1) < 0 && errno != EINTR)
      return;
    if (events[1].revents)
      return;
    if (!events[0].revents)
      continue;
    File client(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!client)
      continue;
    limitTimes(client, 1);
    const std::string text = report();
    for (size_t at = 0; at < text.size();) {
      ssize_t sent =
          ::send(client, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0)
        break;
      at += size_t(sent);
    }
  }
}

ReportSocket::ReportSocket(std::unique_ptr<State> state)
    : state(std::move(state)) {}
ReportSocket::~ReportSocket() = default;

Result<std::unique_ptr<ReportSocket>>
ReportSocket::open(const std::string &path,
                   std::function<std::string()> report) {
  auto state = std::make_unique<State>(path, std::move(report));
  if (Status status = state->listen(); !status.ok())
    return status;
  return std::unique_ptr<ReportSocket>(new ReportSocket(std::move(state)));
}

Result<std::string> glow::readReport(const std::string &path) {
  Result<sockaddr_un> address = addressOf(path);
  if (!address)
    return address.status();
  File file(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  limitTimes(file, 2);
  if (!file || !connectTo(file, *address))
    return failure(Code::NotFound, "nothing listens at '", path,
                   "': ", lastError());
  std::string text;
  char part[4096];
  ssize_t size;
  const auto end = std::chrono::steady_clock::now() + longestReport;
  while ((size = ::recv(file, part, sizeof part, 0)) > 0) {
    text.append(part, size_t(size));
    if (text.size() > largestReport || std::chrono::steady_clock::now() > end)
      return failure(Code::InvalidArgument, "the program at '", path,
                     "' is no host of Glow: it has sent ", text.size(),
                     " bytes, and does not end");
  }
  if (size < 0 || text.empty())
    return failure(Code::NotFound, "the program at '", path,
                   "' sends no report: ", size < 0 ? lastError() : "it ended");
  return text;
}

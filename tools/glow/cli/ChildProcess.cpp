//===- ChildProcess.cpp - pieces of work, each in a process ---------------===//
// SPDX-License-Identifier: MIT

#include "ChildProcess.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace glow;
using namespace glow::tool;
using Clock = std::chrono::steady_clock;

static constexpr size_t mostOutput = 1 << 16;

namespace {

/// A child that runs, and this end of the pipe that it writes to.
struct Child {
  size_t piece;
  pid_t process;
  int pipe;
  Clock::time_point start;
  ChildResult result;
};

/// Keeps as many children as there may be.
class Children {
public:
  explicit Children(const ChildWork &work)
      : work(work), limit(std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(work.seconds))) {}

  void run() {
    for (size_t next = 0; next < work.count || !running.empty();) {
      while (next < work.count && running.size() < std::max(1u, work.jobs))
        start(next++);
      awaitOutput();
      std::erase_if(running, [&](Child &child) { return endIfDone(child); });
    }
  }

private:
  void start(size_t piece) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return fail(piece, "cannot make a pipe: ");
    // The child must not print this process's buffered output again.
    std::fflush(nullptr);
    pid_t process = ::fork();
    if (process == 0)
      runHere(piece, ends[1]);
    ::close(ends[1]);
    if (process > 0)
      return running.push_back({piece, process, ends[0], Clock::now(), {}});
    ::close(ends[0]);
    fail(piece, "cannot start a process: ");
  }

  [[noreturn]] void runHere(size_t piece, int output) {
    int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    int status = work.run(piece);
    std::fflush(nullptr);
    // The parent's destructors are the parent's.
    ::_exit(status);
  }

  void fail(size_t piece, const char *what) {
    work.ended(piece, failure(Code::Internal, what, std::strerror(errno)));
  }

  /// Waits until a child wrote, ended, or has no time left.
  void awaitOutput() {
    std::vector<pollfd> pipes;
    Clock::time_point first = Clock::now() + std::chrono::seconds(1);
    for (const Child &child : running) {
      pipes.push_back({child.pipe, POLLIN, 0});
      first = std::min(first, child.start + limit);
    }
    auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::max(first - Clock::now(), Clock::duration::zero()));
    ::poll(pipes.data(), pipes.size(), int(left.count()));
    for (size_t i = 0; i < pipes.size(); ++i)
      if (pipes[i].revents != 0)
        read(running[i]);
  }

  static void read(Child &child) {
    char buffer[4096];
    ssize_t got = ::read(child.pipe, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR)) {
      ::close(child.pipe);
      child.pipe = -1;
      return;
    }
    // Read on past the limit: a child must not wait for a full pipe.
    size_t room = mostOutput - child.result.output.size();
    child.result.output.append(
        buffer, std::min(room, size_t(std::max<ssize_t>(got, 0))));
  }

  /// A child is done when its end of the pipe is closed, or its time is up.
  bool endIfDone(Child &child) {
    child.result.timedOut =
        child.pipe >= 0 && Clock::now() >= child.start + limit;
    if (child.pipe >= 0 && !child.result.timedOut)
      return false;
    if (child.result.timedOut) {
      ::kill(child.process, SIGKILL);
      ::close(child.pipe);
    }
    int state = 0;
    while (::waitpid(child.process, &state, 0) < 0 && errno == EINTR)
      ;
    if (WIFSIGNALED(state))
      child.result.signal = WTERMSIG(state);
    else
      child.result.exitStatus = WEXITSTATUS(state);
    std::chrono::duration<double> seconds = Clock::now() - child.start;
    child.result.seconds = seconds.count();
    work.ended(child.piece, std::move(child.result));
    return true;
  }

  const ChildWork &work;
  Clock::duration limit;
  std::vector<Child> running;
};

} // namespace

std::string tool::reasonOf(const ChildResult &child, double seconds) {
  char text[64];
  if (child.timedOut) {
    std::snprintf(text, sizeof text, "no result within %g s", seconds);
    return text;
  }
  std::string reason;
  std::istringstream lines(child.output);
  for (std::string line; std::getline(lines, line);)
    if (!reason.empty()) {
      // The compiler's first note says of which node, and why.
      if (line.starts_with("  note: "))
        reason += ": " + line.substr(8);
      break;
    } else if (line.starts_with("FAILED: "))
      reason = line.substr(8);
    else if (line.starts_with("glow: error: "))
      reason = line.substr(13);
    else if (line.find("error: ") != std::string::npos)
      reason = line;
  if (child.signal == 0)
    return reason.empty() ? "it failed without a message" : reason;
  std::snprintf(text, sizeof text, "crashed with signal %d (%s)", child.signal,
                ::strsignal(child.signal));
  return reason.empty() ? text : text + (": " + reason);
}

void tool::runInChildren(const ChildWork &work) { Children(work).run(); }

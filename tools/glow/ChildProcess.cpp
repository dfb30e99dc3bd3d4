//===- ChildProcess.cpp - this program again, in another process ----------===//

#include "ChildProcess.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;
using Clock = std::chrono::steady_clock;

static constexpr size_t mostOutput = 1 << 16;

/// Starts the child with `output` as stdout and stderr; errno's number if it
/// cannot.
static int spawnSelf(const std::vector<std::string> &arguments, int output,
                     pid_t &child) {
  std::vector<char *> words = {const_cast<char *>("glow")};
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                   O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  int error = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr,
                            words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Reads until the child closes its end. False when time is up before.
static bool readUntil(int pipe, Clock::time_point deadline,
                      std::string &output) {
  char buffer[4096];
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    if (left.count() <= 0)
      return false;
    pollfd ready{pipe, POLLIN, 0};
    int timeout = int(std::min<int64_t>(left.count(), 1000));
    if (::poll(&ready, 1, timeout) <= 0)
      continue;
    ssize_t got = ::read(pipe, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR))
      return true;
    // Read on past the limit: a child must not wait for a full pipe.
    size_t room = mostOutput - output.size();
    output.append(buffer, std::min(room, size_t(std::max<ssize_t>(got, 0))));
  }
}

static int waitFor(pid_t child) {
  int state = 0;
  while (::waitpid(child, &state, 0) < 0 && errno == EINTR)
    ;
  return state;
}

Result<ChildResult> tool::runSelf(const std::vector<std::string> &arguments,
                                  double seconds) {
  // Closed on exec, so that children of other threads do not keep it open.
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failure(Code::Internal,
                   "cannot make a pipe: ", std::strerror(errno));
  pid_t child = 0;
  int error = spawnSelf(arguments, ends[1], child);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    return failure(Code::Internal,
                   "cannot start a process: ", std::strerror(error));
  }
  ChildResult result;
  Clock::time_point start = Clock::now();
  auto limit = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(seconds));
  result.timedOut = !readUntil(ends[0], start + limit, result.output);
  if (result.timedOut)
    ::kill(child, SIGKILL);
  int state = waitFor(child);
  ::close(ends[0]);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (WIFSIGNALED(state))
    result.signal = WTERMSIG(state);
  else
    result.exitStatus = WEXITSTATUS(state);
  return result;
}

//===- Progress.cpp - progress bar ----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A thread of its own looks at what is being done, which may take a while in
// code that knows of no terminal. It allocates nothing. A child process has no
// such thread, and may find the lock taken for ever: then nothing is shown.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Tool.h"
#include "glow/Base/Threads.h"
#include <atomic>
#include <mutex>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;
using Clock = std::chrono::steady_clock;

static std::mutex lineMutex;
static bool lineIsShown = false;

static bool isShown() {
  static const bool terminal = ::isatty(STDERR_FILENO);
  // In a file or a pipe, lines that replace one another are noise.
  return terminal && !isQuiet();
}

void tool::showProgress(const std::string &text) {
  if (!isShown())
    return;
  std::unique_lock lock(lineMutex, std::try_to_lock);
  if (!lock || (text.empty() && !lineIsShown))
    return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  lineIsShown = !text.empty();
}

static std::atomic<const char *> activity = nullptr;
static std::atomic<Clock::rep> activeSince = 0;

/// Until the process ends.
static void watchActivity() {
  bool shows = false;
  while (true) {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    const char *what = activity.load();
    auto since = Clock::time_point(Clock::duration(activeSince.load()));
    auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since)
            .count();
    std::unique_lock lock(lineMutex, std::try_to_lock);
    // Another line is there, which says more.
    if (!lock || (lineIsShown && !shows))
      continue;
    if (what && seconds >= 1)
      std::fprintf(stderr, "\r\033[K%s, %lld s", what,
                   static_cast<long long>(seconds));
    else if (shows)
      std::fputs("\r\033[K", stderr);
    shows = lineIsShown = what && seconds >= 1;
    std::fflush(stderr);
  }
}

tool::Activity::Activity(const char *what) : before(activity.load()) {
  activeSince = Clock::now().time_since_epoch().count();
  activity = what;
  if (!isShown())
    return;
  static std::once_flag once;
  // Without a thread nothing is shown.
  std::call_once(once, [] {
    std::thread watcher;
    if (beginThread(watcher, watchActivity).ok())
      watcher.detach();
  });
}

tool::Activity::~Activity() {
  activeSince = Clock::now().time_since_epoch().count();
  activity = before;
  if (!before)
    showProgress("");
}

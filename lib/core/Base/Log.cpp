//===- Log.cpp - diagnostics and progress of a process --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Log.h"
#include "glow/Base/MemoryFile.h"
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

using namespace glow;

namespace {
/// The sink of the process. Threads that still call a replaced sink keep it
/// alive.
struct Listener {
  std::mutex mutex;
  std::shared_ptr<const LogSink> sink; // null: stderr
};
} // namespace

static constinit std::atomic<LogLevel> mostHeard = LogLevel::Warning;
static thread_local ErrorsOfThread *keeper = nullptr;
static thread_local bool isReporting = false;

/// Is never freed: threads may log while the process ends.
static Listener &listener() {
  static auto *listener = new Listener;
  return *listener;
}

namespace {
/// Marks a thread as running a sink. The thread's errors then belong to the
/// sink's own work. A text that the sink logs is dropped: a sink that fails
/// would never end.
class Reporting {
public:
  Reporting() { isReporting = true; }
  ~Reporting() {
    isReporting = false;
    keeper = outer;
  }
  Reporting(const Reporting &) = delete;

private:
  ErrorsOfThread *outer = std::exchange(keeper, nullptr);
};
} // namespace

ErrorsOfThread::ErrorsOfThread() : outer(keeper) { keeper = this; }
ErrorsOfThread::~ErrorsOfThread() { keeper = outer; }

bool glow::isLogged(LogLevel level) {
  return level <= mostHeard.load(std::memory_order_relaxed);
}

void glow::setLog(LogLevel most, LogSink sink) {
  Listener &of = listener();
  std::lock_guard lock(of.mutex);
  of.sink = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  mostHeard = most;
}

void glow::logText(LogLevel level, std::string_view text) {
  if (level == LogLevel::Error && keeper) {
    keeper->text.append(text).append("\n");
    return;
  }
  if (isReporting || !isLogged(level))
    return;
  Listener &of = listener();
  std::shared_ptr<const LogSink> sink;
  {
    std::lock_guard lock(of.mutex);
    sink = of.sink;
  }
  if (sink) {
    Reporting reporting;
    return (*sink)(level, text);
  }
  // A single call, so that lines of several threads do not mix.
  std::string line = MemoryFile::withNames(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

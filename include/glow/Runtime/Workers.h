//===- Workers.h - the time and the threads of a host -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A host uses clocks, threads and waits only through this interface, so that a
// simulator can run it on one thread in simulated time.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_WORKERS_H
#define GLOW_RUNTIME_WORKERS_H

#include "glow/Base/Status.h"
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace glow {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock,
                                          std::chrono::nanoseconds>;

/// A call that is scheduled for a time; 0 is none.
enum class TimerId : uint64_t { None = 0 };

/// An event that one thread waits for, and that another thread or a task sets,
/// once.
class Event {
public:
  void set() {
    std::lock_guard lock(mutex);
    isThere = true;
    said.notify_all();
  }
  bool isSet() const {
    std::lock_guard lock(mutex);
    return isThere;
  }
  void wait() {
    std::unique_lock lock(mutex);
    said.wait(lock, [this] { return isThere; });
  }

private:
  mutable std::mutex mutex;
  std::condition_variable said;
  bool isThere = false;
};

/// Runs tasks, now or at a time. Its methods may be called from any thread,
/// also within a task, and never run a task before they return.
class Workers {
public:
  virtual ~Workers() = default;

  virtual TimePoint now() const = 0;

  /// Ensures that there is a thread for tasks and, if `hasTimers`, one for
  /// scheduled tasks. Fails with Code::OutOfMemory if the system gives none;
  /// posted tasks then wait until it does.
  virtual Status begin(bool hasTimers) { return Status(); }

  /// Runs `task` soon. Tasks may block; others run meanwhile.
  virtual void post(std::function<void()> task) = 0;

  /// Runs `task` at `time` or soon after, unless it is cancelled before.
  virtual TimerId postAt(TimePoint time, std::function<void()> task) = 0;

  /// Cancels a task that has not begun. A running or finished task is
  /// unaffected.
  virtual void cancel(TimerId timer) = 0;

  /// Waits for an event. The caller must hold no lock that a task may take.
  virtual void wait(Event &event) { event.wait(); }
};

/// A pool of threads, which start when there is work and no thread is idle.
/// There are at most `most`, and one for scheduled tasks; fewer, if the system
/// gives no more. The destructor drops tasks that have not begun and waits for
/// running ones.
std::shared_ptr<Workers> threadWorkers(unsigned most = 256);

} // namespace glow

#endif // GLOW_RUNTIME_WORKERS_H

//===- Workers.h - the time and the threads of a host -----------*- C++ -*-===//
//
// A host reads no clock, starts no thread and waits for nothing but through
// this, so that a simulator can run it on one thread in time of its own.
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

/// A call that is to be made at a time; 0 is none.
enum class TimerId : uint64_t { None = 0 };

/// What a thread waits for, and another one, or a task, says: once.
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

  /// Makes sure that there is a thread for tasks and, if `hasTimers`, one for
  /// those with a time. Fails with Code::OutOfMemory if the system gives none:
  /// a posted task then waits until it does.
  virtual Status begin(bool hasTimers) { return Status(); }

  /// Runs `task` soon. Tasks may block: others run meanwhile.
  virtual void post(std::function<void()> task) = 0;

  /// Runs `task` at `time` or soon after, unless it is cancelled before.
  virtual TimerId postAt(TimePoint time, std::function<void()> task) = 0;

  /// Drops a task that has not begun. One that has goes on, and one that is
  /// done stays so.
  virtual void cancel(TimerId timer) = 0;

  /// Waits for an event. No lock is held that a task may take.
  virtual void wait(Event &event) { event.wait(); }
};

/// Threads, which start when there is work and no thread is idle: at most
/// `most`, and one for what has a time; fewer, if the system gives no more.
/// Destroying it drops what has not begun and waits for what has.
std::shared_ptr<Workers> threadWorkers(unsigned most = 256);

} // namespace glow

#endif // GLOW_RUNTIME_WORKERS_H

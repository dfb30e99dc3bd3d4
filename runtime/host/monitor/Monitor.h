//===- Monitor.h - the lock of a host, and its deferred calls ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_MONITOR_MONITOR_H
#define GLOW_RUNTIME_HOST_MONITOR_MONITOR_H

#include "glow/Runtime/Model.h"
#include <mutex>
#include <optional>

namespace glow::runtime {

/// The lock, clock and deferred calls of a host. One lock guards all of its
/// layers. Calls to devices and callers are made without the lock: an Entry
/// takes the lock, and after it has freed the lock it makes the calls that were
/// deferred.
///
/// Timers and callbacks hold the monitor by weak pointers, so that a late
/// callback of a destroyed host does nothing.
class Monitor : public std::enable_shared_from_this<Monitor> {
public:
  explicit Monitor(HostOptions given);
  virtual ~Monitor() = default;

  /// Holds the lock of a host. The destructor gives work to devices with free
  /// capacity, frees the lock, and makes the deferred calls. The monitor lives
  /// until they are made. An Entry must not begin inside another one of the
  /// same thread.
  class Entry {
  public:
    explicit Entry(std::shared_ptr<Monitor> entered);
    explicit Entry(Monitor &entered) : Entry(entered.shared_from_this()) {}
    ~Entry();
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;

  private:
    std::shared_ptr<Monitor> monitor;
  };

  /// Defers a call until the Entry has freed the lock. It must not throw.
  void later(std::function<void()> call) { calls.push_back(std::move(call)); }

  /// The current time. The clock is read once per Entry, because reading it
  /// takes a good part of a short run.
  TimePoint now() {
    if (!moment)
      moment = workers->now();
    return *moment;
  }
  uint64_t random(); ///< the next number of a sequence fixed by the seed

  /// A call that does nothing once the host is destroyed; any thread makes it
  /// without the lock.
  template <typename Call> auto whileAlive(Call call) {
    return [weak = weak_from_this(), call = std::move(call)] {
      if (std::shared_ptr<Monitor> kept = weak.lock())
        call();
    };
  }

  /// Makes a call at a time, in an Entry, if the host and `object` exist then.
  /// A last reference to `object` is freed after the Entry.
  template <typename Object, typename Call>
  TimerId postAt(TimePoint time, std::weak_ptr<Object> object, Call call) {
    return workers->postAt(time,
                           [weak = weak_from_this(), object = std::move(object),
                            call = std::move(call)] {
                             std::shared_ptr<Monitor> monitor = weak.lock();
                             std::shared_ptr<Object> kept = object.lock();
                             if (!monitor || !kept)
                               return;
                             Entry entry(monitor);
                             call(kept);
                           });
  }

  const HostOptions options;
  const std::shared_ptr<Workers> workers;
  std::mutex mutex; ///< the lock of the host

  // The lock guards all members below.
  std::shared_ptr<StepObserver> observer;
  bool isClosed = false; ///< no request is admitted and no device recovered

private:
  /// Gives work to devices at the end of an Entry. It may defer calls.
  virtual void settle() = 0;

  std::optional<TimePoint> moment; ///< the time that this Entry has read
  uint64_t state;                  ///< state of the random numbers
  std::vector<std::function<void()>> calls;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_MONITOR_MONITOR_H

//===- Waiter.h - a thread that waits for its request -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_EXECUTOR_WAITER_H
#define GLOW_RUNTIME_HOST_EXECUTOR_WAITER_H

#include "base/SpinWait.h"
#include "glow/Base/Status.h"
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace glow::runtime {

struct Task;

/// Lets a thread wait for the answer to its request and meanwhile dispatch
/// tasks of the request to devices. A device that computes on the calling
/// thread then needs no other thread.
///
/// The waiting thread and the callback of the answer share it, as the thread
/// may wake and go on while answer() still runs.
class Waiter {
public:
  /// Gives a task to the thread; false if it has a task or the answer. Called
  /// under the lock of the host, which is taken before `mutex`.
  bool give(std::shared_ptr<Task> task) {
    {
      std::lock_guard lock(mutex);
      if (isBusy || isAnswered || next)
        return false;
      next = std::move(task);
      hasNews = true;
    }
    changed.notify_one();
    return true;
  }

  /// Ends wait(). Called once, without the lock of the host.
  void answer(Status status) {
    {
      std::lock_guard lock(mutex);
      result = std::move(status);
      isAnswered = true;
      hasNews = true;
    }
    changed.notify_one();
  }

  /// Runs tasks until there is an answer. Called by the waiting thread.
  template <typename Dispatch> Status wait(Dispatch dispatch) {
    std::unique_lock lock(mutex, std::defer_lock);
    while (true) {
      // Spins before it sleeps. The task or the answer is read under the
      // lock.
      spinWait([&] { return hasNews.load(std::memory_order_relaxed); });
      lock.lock();
      changed.wait(lock, [&] { return next || isAnswered; });
      if (!next)
        return std::move(result);
      std::shared_ptr<Task> task = std::move(next);
      next = nullptr;
      isBusy = true;
      hasNews = isAnswered;
      // Without the lock: dispatch may call answer().
      lock.unlock();
      dispatch(std::move(task));
      lock.lock();
      isBusy = false;
      lock.unlock();
    }
  }

private:
  std::mutex mutex; ///< guards the members below
  std::condition_variable changed;
  std::shared_ptr<Task> next; ///< given, not dispatched
  bool isBusy = false, isAnswered = false;
  std::atomic<bool> hasNews = false; ///< a task or the answer, for spinWait()
  Status result;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_EXECUTOR_WAITER_H

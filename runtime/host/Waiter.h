//===- Waiter.h - a thread that waits for its request -----------*- C++ -*-===//

#ifndef GLOW_RUNTIME_HOST_WAITER_H
#define GLOW_RUNTIME_HOST_WAITER_H

#include "base/Look.h"
#include "glow/Base/Status.h"
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace glow::runtime {

struct Task;

/// A thread that waits, and meanwhile hands tasks of its request to devices: a
/// device that computes on the thread that calls it then needs no other.
///
/// Shared by the thread and the answer, as the thread may wake and go on while
/// the answer is still inside.
class Waiter {
public:
  /// Leaves a task to the thread; false if it has one.
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

  void answer(Status status) {
    {
      std::lock_guard lock(mutex);
      result = std::move(status);
      isAnswered = true;
      hasNews = true;
    }
    changed.notify_one();
  }

  /// Runs tasks until there is an answer.
  template <typename HandOver> Status wait(HandOver handOver) {
    std::unique_lock lock(mutex, std::defer_lock);
    while (true) {
      look([&] { return hasNews.load(std::memory_order_relaxed); });
      lock.lock();
      changed.wait(lock, [&] { return next || isAnswered; });
      if (!next)
        return std::move(result);
      std::shared_ptr<Task> task = std::move(next);
      next = nullptr;
      isBusy = true;
      hasNews = isAnswered;
      lock.unlock();
      handOver(std::move(task));
      lock.lock();
      isBusy = false;
      lock.unlock();
    }
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::shared_ptr<Task> next;
  bool isBusy = false, isAnswered = false;
  std::atomic<bool> hasNews = false; ///< a task or the answer
  Status result;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_WAITER_H

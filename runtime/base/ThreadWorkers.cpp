//===- ThreadWorkers.cpp - tasks on threads -------------------------------===//
// SPDX-License-Identifier: MIT
//
// Task threads run posted tasks. One timer thread waits for the next time and
// moves due tasks to the task queue, so that a blocking task delays no timer.
// The timer thread runs no task itself.
//
//===----------------------------------------------------------------------===//

#include "SpinWait.h"
#include "glow/Base/Threads.h"
#include "glow/Runtime/Workers.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <pthread.h>
#include <set>
#include <vector>

using namespace glow;

namespace {

using Task = std::function<void()>;

/// The state that the threads share. Each thread holds a reference, and the
/// last thread to end frees it. `mutex` guards all members; atomic members may
/// also be read without it.
struct Shared {
  explicit Shared(unsigned most) : most(most) {}

  const unsigned most;
  std::mutex mutex;
  std::condition_variable work, time; ///< wake task threads, the timer thread
  bool stop = false;
  std::deque<Task> tasks;
  std::atomic<size_t> waiting = 0; ///< size of `tasks`, for the spin wait
  unsigned idle = 0;               ///< threads without a task, spinning or not
  bool isSpinning = false;         ///< one idle thread spins
  std::multimap<TimePoint, std::pair<TimerId, Task>> timers;
  std::map<TimerId, TimePoint> times; ///< key of each timer in `timers`
  uint64_t lastTimer = 0;
  std::vector<std::thread> threads;
  std::atomic<unsigned> taskThreads = 0; ///< never decreases
  std::atomic<bool> hasTimeThread = false;
};

TimePoint clockNow() { return std::chrono::steady_clock::now(); }

/// A spin wait for work without the lock; one thread at a time spins. The lock
/// is held when this is called and when it returns.
void spinForTasks(Shared &shared, std::unique_lock<std::mutex> &lock) {
  if (shared.isSpinning || shared.stop || !shared.tasks.empty())
    return;
  shared.isSpinning = true;
  lock.unlock();
  runtime::spinWait(
      [&] { return shared.waiting.load(std::memory_order_relaxed) != 0; });
  lock.lock();
  shared.isSpinning = false;
}

/// A task thread. Holds the lock except while it spins, sleeps or runs a task.
void runTasks(const std::shared_ptr<Shared> &shared) {
  std::unique_lock lock(shared->mutex);
  while (true) {
    ++shared->idle;
    spinForTasks(*shared, lock);
    shared->work.wait(lock,
                      [&] { return shared->stop || !shared->tasks.empty(); });
    --shared->idle;
    if (shared->stop)
      return;
    Task task = std::move(shared->tasks.front());
    shared->tasks.pop_front();
    shared->waiting = shared->tasks.size();
    lock.unlock();
    task();
    task = nullptr; // captured objects are freed without the lock
    lock.lock();
  }
}

/// Adds a thread that runs `work`; the lock is held.
template <typename Work>
Status addThread(const std::shared_ptr<Shared> &shared, Work work) {
  std::thread &thread = shared->threads.emplace_back();
  Status status = beginThread(thread, [shared, work] { work(shared); });
  if (!status.ok())
    shared->threads.pop_back();
  return status;
}

Status addTaskThread(const std::shared_ptr<Shared> &shared) {
  Status status = addThread(shared, runTasks);
  shared->taskThreads += status.ok();
  return status;
}

/// Adds a task to the queue, and a thread or a notification; the lock is held.
void push(const std::shared_ptr<Shared> &shared, Task task) {
  if (shared->stop)
    return;
  shared->tasks.push_back(std::move(task));
  shared->waiting = shared->tasks.size();
  // A notified thread counts as idle until it runs, hence the comparison with
  // the number of tasks.
  if (shared->idle < shared->tasks.size() &&
      shared->taskThreads < shared->most && addTaskThread(shared).ok())
    return;
  // A spinning thread finds a single task without a notification. If all
  // threads are busy, one of them runs the task later.
  if (!shared->isSpinning || shared->tasks.size() > 1)
    shared->work.notify_one();
}

/// The timer thread. Waits without the lock, and moves due tasks under it.
void runTimers(const std::shared_ptr<Shared> &shared) {
  std::unique_lock lock(shared->mutex);
  while (!shared->stop) {
    if (shared->timers.empty()) {
      shared->time.wait(lock);
      continue;
    }
    auto first = shared->timers.begin();
    if (first->first > clockNow()) {
      TimePoint until = first->first; // a copy: cancel() may erase the entry
      shared->time.wait_until(lock, until);
      continue;
    }
    shared->times.erase(first->second.first);
    Task task = std::move(first->second.second);
    shared->timers.erase(first);
    push(shared, std::move(task));
  }
}

/// Starts the timer thread, unless there is one; the lock is held.
Status beginTimes(const std::shared_ptr<Shared> &shared) {
  if (shared->hasTimeThread)
    return Status();
  Status status = addThread(shared, runTimers);
  shared->hasTimeThread = status.ok();
  return status;
}

class ThreadWorkers;

/// All workers of the process: a child of fork() has none of their threads. The
/// mutex is held across fork(), so that the child finds the set consistent.
struct All {
  All() { ::pthread_atfork(lock, unlock, renew); }
  static void lock();
  static void unlock();
  static void renew();

  std::mutex mutex;
  std::set<ThreadWorkers *> workers;
};

All &all() {
  static All *all = new All; // never freed: workers may be static objects
  return *all;
}

class ThreadWorkers final : public Workers {
public:
  explicit ThreadWorkers(unsigned most)
      : shared(std::make_shared<Shared>(most)) {
    std::lock_guard lock(all().mutex);
    all().workers.insert(this);
  }

  ~ThreadWorkers() override {
    {
      std::lock_guard lock(all().mutex);
      all().workers.erase(this);
    }
    // Tasks that have not begun are dropped. They are freed without the lock,
    // at the end of this function.
    std::vector<std::thread> threads;
    std::deque<Task> tasks;
    std::multimap<TimePoint, std::pair<TimerId, Task>> timers;
    {
      std::lock_guard lock(shared->mutex);
      shared->stop = true;
      threads.swap(shared->threads);
      tasks.swap(shared->tasks);
      timers.swap(shared->timers);
    }
    shared->work.notify_all();
    shared->time.notify_all();
    for (std::thread &thread : threads)
      // A task may hold the last reference to the owner of these workers: this
      // destructor then runs on a task thread, which cannot join itself.
      if (thread.get_id() == std::this_thread::get_id())
        thread.detach();
      else
        thread.join();
  }

  TimePoint now() const override { return clockNow(); }

  Status begin(bool hasTimers) override {
    // The usual case needs no lock: a thread that runs stays.
    if (shared->taskThreads != 0 && (!hasTimers || shared->hasTimeThread))
      return Status();
    std::lock_guard lock(shared->mutex);
    Status status;
    if (shared->taskThreads == 0 && !shared->stop)
      status = addTaskThread(shared);
    if (status.ok() && hasTimers && !shared->stop)
      status = beginTimes(shared);
    return status;
  }

  void post(Task task) override {
    std::lock_guard lock(shared->mutex);
    push(shared, std::move(task));
  }

  TimerId postAt(TimePoint time, Task task) override {
    std::lock_guard lock(shared->mutex);
    if (shared->stop)
      return TimerId::None;
    TimerId id{++shared->lastTimer};
    shared->times[id] = time;
    auto entry = shared->timers.emplace(time, std::pair(id, std::move(task)));
    // The timer thread must wake only for a new earliest time. A failure to
    // start it is ignored: the next timer tries again.
    if (shared->hasTimeThread && entry == shared->timers.begin())
      shared->time.notify_one();
    else
      (void)beginTimes(shared);
    return id;
  }

  void cancel(TimerId id) override {
    Task task; // declared first: freed after the lock
    std::lock_guard lock(shared->mutex);
    auto found = shared->times.find(id);
    if (found == shared->times.end())
      return;
    auto [entry, end] = shared->timers.equal_range(found->second);
    shared->times.erase(found);
    for (; entry != end; ++entry)
      if (entry->second.first == id) {
        task = std::move(entry->second.second);
        shared->timers.erase(entry);
        return;
      }
  }

  /// Begins anew in a child of fork(). The old state is leaked: destroying a
  /// condition variable waits for its waiters, and the child lacks the threads
  /// that wait on it.
  void renew() {
    static auto *kept = new std::vector<std::shared_ptr<Shared>>;
    kept->push_back(shared);
    shared = std::make_shared<Shared>(shared->most);
  }

private:
  std::shared_ptr<Shared> shared;
};

void All::lock() { all().mutex.lock(); }
void All::unlock() { all().mutex.unlock(); }
void All::renew() {
  for (ThreadWorkers *workers : all().workers)
    workers->renew();
  unlock();
}

} // namespace

std::shared_ptr<Workers> glow::threadWorkers(unsigned most) {
  return std::make_shared<ThreadWorkers>(most);
}

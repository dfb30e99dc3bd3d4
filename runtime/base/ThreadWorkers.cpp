//===- ThreadWorkers.cpp - tasks on threads -------------------------------===//
//
// Two monitors: tasks that run now, and those that have a time. One thread
// waits for the next time and hands over what is due, so that a task that
// blocks delays no timer.
//
//===----------------------------------------------------------------------===//

#include "Look.h"
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

/// What the threads share; the last of them to end frees it.
struct Shared {
  explicit Shared(unsigned most) : most(most) {}

  const unsigned most;
  std::mutex mutex;
  std::condition_variable work, time;
  bool stop = false;
  std::deque<Task> tasks;
  std::atomic<size_t> waiting = 0; ///< tasks, for a look without the lock
  unsigned idle = 0;               ///< threads, also the one that looks
  bool isLooking = false;          ///< one does not sleep yet
  std::multimap<TimePoint, std::pair<TimerId, Task>> timers;
  std::map<TimerId, TimePoint> times; ///< of the timers, to find them by
  uint64_t lastTimer = 0;
  std::vector<std::thread> threads;
  std::atomic<unsigned> taskThreads = 0; ///< as the next, for a look, too
  std::atomic<bool> hasTimeThread = false;
};

TimePoint clockNow() { return std::chrono::steady_clock::now(); }

/// Looks for work without the lock, one thread at a time.
void lookForTasks(Shared &shared, std::unique_lock<std::mutex> &lock) {
  if (shared.isLooking || shared.stop || !shared.tasks.empty())
    return;
  shared.isLooking = true;
  lock.unlock();
  runtime::look(
      [&] { return shared.waiting.load(std::memory_order_relaxed) != 0; });
  lock.lock();
  shared.isLooking = false;
}

void runTasks(const std::shared_ptr<Shared> &shared) {
  std::unique_lock lock(shared->mutex);
  while (true) {
    ++shared->idle;
    lookForTasks(*shared, lock);
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
    task = nullptr; // what it holds is freed without the lock
    lock.lock();
  }
}

/// Adds a thread that runs `work`.
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

void push(const std::shared_ptr<Shared> &shared, Task task) {
  if (shared->stop)
    return;
  shared->tasks.push_back(std::move(task));
  shared->waiting = shared->tasks.size();
  // A thread that was told of an earlier task counts as idle until it runs.
  if (shared->idle < shared->tasks.size() &&
      shared->taskThreads < shared->most && addTaskThread(shared).ok())
    return;
  // Without another thread a thread that is busy now runs it later.
  if (!shared->isLooking || shared->tasks.size() > 1)
    shared->work.notify_one();
}

void runTimers(const std::shared_ptr<Shared> &shared) {
  std::unique_lock lock(shared->mutex);
  while (!shared->stop) {
    if (shared->timers.empty()) {
      shared->time.wait(lock);
      continue;
    }
    auto first = shared->timers.begin();
    if (first->first > clockNow()) {
      TimePoint until = first->first; // the entry may go meanwhile
      shared->time.wait_until(lock, until);
      continue;
    }
    shared->times.erase(first->second.first);
    Task task = std::move(first->second.second);
    shared->timers.erase(first);
    push(shared, std::move(task));
  }
}

Status beginTimes(const std::shared_ptr<Shared> &shared) {
  if (shared->hasTimeThread)
    return Status();
  Status status = addThread(shared, runTimers);
  shared->hasTimeThread = status.ok();
  return status;
}

class ThreadWorkers;

/// All there are: a child of fork() has none of their threads.
struct All {
  All() { ::pthread_atfork(lock, unlock, renew); }
  static void lock();
  static void unlock();
  static void renew();

  std::mutex mutex;
  std::set<ThreadWorkers *> workers;
};

All &all() {
  static All *all = new All; // for workers of any age
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
      // A task may hold the last reference to what these are the workers of.
      if (thread.get_id() == std::this_thread::get_id())
        thread.detach();
      else
        thread.join();
  }

  TimePoint now() const override { return clockNow(); }

  Status begin(bool hasTimers) override {
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
    if (shared->hasTimeThread && entry == shared->timers.begin())
      shared->time.notify_one();
    else
      (void)beginTimes(shared); // or at the next one
    return id;
  }

  void cancel(TimerId id) override {
    Task task; // freed without the lock
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

  /// Begins anew in a child. What threads of the parent wait on cannot be
  /// destroyed: the system would wait for them for ever.
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

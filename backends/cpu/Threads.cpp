//===- Threads.cpp - threads that claim chunks ----------------------------===//

#include "Threads.h"
#include <chrono>
#include <sched.h>

using namespace glow::cpu;

/// How long a thread without work looks for more before it sleeps: a little
/// longer than what lies between two steps of a program.
static constexpr auto patience = std::chrono::microseconds(50);

static unsigned processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return unsigned(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

Threads::Threads(unsigned count) {
  if (count == 0)
    count = processors();
  for (unsigned thread = 1; thread < count; ++thread)
    workers.emplace_back([this, thread] { work(thread); });
}

Threads::~Threads() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void Threads::claim(unsigned thread) {
  for (;;) {
    int64_t begin = next.fetch_add(step, std::memory_order_relaxed);
    if (begin >= chunks)
      return;
    (*body)(begin, std::min(begin + step, chunks), thread);
  }
}

void Threads::run(int64_t count, const Body &what) {
  if (workers.empty() || count == 1)
    return what(0, count, 0);
  chunks = count;
  // Some eight claims a thread: enough to even out, few enough to be cheap.
  step = std::max<int64_t>(1, count / (8 * int64_t(this->count())));
  body = &what;
  next.store(0, std::memory_order_relaxed);
  open = true;
  {
    std::lock_guard lock(mutex);
    ++turn;
  }
  wake.notify_all();
  claim(0);
  // Who comes late finds it closed; only those at work are waited for.
  open = false;
  while (active)
    std::this_thread::yield();
}

void Threads::work(unsigned thread) {
  uint64_t seen = 0;
  for (;;) {
    auto asleepAt = std::chrono::steady_clock::now() + patience;
    while (turn == seen && !stopping &&
           std::chrono::steady_clock::now() < asleepAt)
      ;
    if (turn == seen) {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return stopping || turn != seen; });
    }
    if (stopping)
      return;
    seen = turn;
    ++active;
    if (open)
      claim(thread);
    --active;
  }
}

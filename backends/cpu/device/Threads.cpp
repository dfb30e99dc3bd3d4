//===- Threads.cpp - threads that claim chunks ----------------------------===//
// SPDX-License-Identifier: MIT
//
// A static split of the chunks waits for the slowest core; here a delayed
// thread delays no other. Data that another core wrote is as far away as memory
// if the two cores share no third-level cache. So a thread begins with its own
// part of the chunks, which is the same in each step. Claims that become
// smaller towards the end of a step gained nothing.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include <cstring>
#include <sched.h>
#include <thread>

using namespace glow;
using namespace glow::cpu;

/// The length of the spin wait of an idle thread before it sleeps: a little
/// longer than the gap between two steps of a program.
static constexpr auto patience = std::chrono::microseconds(50);

unsigned Threads::ofProcess() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return unsigned(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

/// Counts the generations of processes: a child of fork() has one more.
static std::atomic<uint64_t> generation = 0;
[[maybe_unused]] static const int watched =
    ::pthread_atfork(nullptr, nullptr, [] { ++generation; });

Threads::Threads(size_t count) : parts(count), process(generation) {}

/// In a child of fork() the object is leaked: destroying a condition variable
/// would wait for ever for the threads of the parent that wait on it.
void Threads::end(Threads *threads) {
  if (threads->process == generation)
    delete threads;
}

bool Threads::haveWorkers() const {
  return !workers.empty() && process == generation;
}

Threads::~Threads() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (pthread_t worker : workers)
    ::pthread_join(worker, nullptr);
}

Result<std::shared_ptr<Threads>> Threads::start(unsigned count) {
  std::shared_ptr<Threads> threads(
      new Threads(count ? count : std::max(1u, ofProcess())), end);
  if (Status status = threads->startWorkers(); !status.ok())
    return status;
  return threads;
}

Status Threads::startWorkers() {
  using Start = std::pair<Threads *, unsigned>;
  auto begin = [](void *of) -> void * {
    std::unique_ptr<Start> start(static_cast<Start *>(of));
    start->first->work(start->second);
    return nullptr;
  };
  workers.reserve(parts.size() - 1);
  for (unsigned thread = 1; thread < parts.size(); ++thread) {
    auto start = std::make_unique<Start>(this, thread);
    pthread_t worker;
    if (int error = ::pthread_create(&worker, nullptr, begin, start.get()))
      return failure(Code::OutOfMemory, "cannot start thread ", thread + 1,
                     " of ", parts.size(), ": ", std::strerror(error),
                     "; fewer may be had");
    (void)start.release(); // the thread has it
    workers.push_back(worker);
  }
  return Status();
}

void Threads::claim(unsigned thread) {
  std::chrono::steady_clock::time_point begun;
  if (worked)
    begun = std::chrono::steady_clock::now();
  bool hadChunks = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    // Its own part first, then the rest of the other parts.
    Part &part = parts[(thread + i) % parts.size()];
    for (;;) {
      int64_t begin = part.next.fetch_add(step, std::memory_order_relaxed);
      if (begin >= part.end)
        break;
      hadChunks = true;
      (*body)(begin, std::min(begin + step, part.end), thread);
    }
  }
  if (worked && hadChunks)
    (*worked)(begun, std::chrono::steady_clock::now());
}

void Threads::run(int64_t chunks, const Body &what, const Worked *observer) {
  if (chunks == 0)
    return;
  // While the workers serve another caller, this thread runs all chunks itself:
  // waiting would leave its processor idle.
  if (chunks == 1 || !haveWorkers() ||
      busy.exchange(true, std::memory_order_acquire))
    return what(0, chunks, 0);
  // About eight claims a thread: enough to balance, few enough to be cheap.
  step = std::max<int64_t>(1, chunks / (8 * int64_t(count())));
  body = &what;
  worked = observer;
  for (size_t i = 0; i < parts.size(); ++i) {
    int64_t begin = chunks * int64_t(i) / count();
    parts[i].next.store(begin, std::memory_order_relaxed);
    parts[i].end = chunks * int64_t(i + 1) / count();
  }
  // Parts and body are written before: a worker that sees `open` sees them,
  // too.
  open = true;
  {
    std::lock_guard lock(mutex);
    ++turn;
  }
  wake.notify_all();
  claim(0);
  // Order: close, then wait until no worker is active. A late worker finds it
  // closed and claims nothing.
  open = false;
  while (active)
    std::this_thread::yield();
  busy.store(false, std::memory_order_release);
}

void Threads::work(unsigned thread) {
  uint64_t seen = 0;
  for (;;) {
    auto asleepAt = std::chrono::steady_clock::now() + patience;
    // A spin wait, because waking a thread takes longer than most steps.
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
    // `active` is incremented before `open` is read: run() closes first and
    // then waits for `active`, so that no worker uses a body that is gone.
    ++active;
    if (open)
      claim(thread);
    --active;
  }
}

//===- Threads.cpp - threads that claim chunks ----------------------------===//
//
// A static split of the chunks waits for the slowest core; here a thread that
// is held up holds up no other. What another core wrote is as far away as
// memory where the two share no third-level cache, so a thread begins with a
// part of the chunks that is its own, and the same in each step. Claims that
// become smaller towards the end of a step won nothing.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include <cstring>
#include <sched.h>
#include <thread>

using namespace glow;
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

/// Counts the generations of processes: a child of fork() has one more.
static std::atomic<uint64_t> generation = 0;
[[maybe_unused]] static const int watched =
    ::pthread_atfork(nullptr, nullptr, [] { ++generation; });

Threads::Threads(size_t count) : parts(count), process(generation) {}

/// Neither what runs in the parent nor what it waits on can be destroyed in a
/// child: the system would wait for it for ever.
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
      new Threads(count ? count : std::max(1u, processors())), end);
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
    // Its own part first, then what others have left.
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

void Threads::run(int64_t chunks, const Body &what, const Worked *told) {
  if (chunks == 0)
    return;
  // To wait for them would leave this thread's processor idle.
  if (chunks == 1 || !haveWorkers() ||
      busy.exchange(true, std::memory_order_acquire))
    return what(0, chunks, 0);
  // Some eight claims a thread: enough to even out, few enough to be cheap.
  step = std::max<int64_t>(1, chunks / (8 * int64_t(count())));
  body = &what;
  worked = told;
  for (size_t i = 0; i < parts.size(); ++i) {
    int64_t begin = chunks * int64_t(i) / count();
    parts[i].next.store(begin, std::memory_order_relaxed);
    parts[i].end = chunks * int64_t(i + 1) / count();
  }
  // The parts are written before, and seen by whatever sees this.
  open = true;
  {
    std::lock_guard lock(mutex);
    ++turn;
  }
  wake.notify_all();
  claim(0);
  // A late thread finds it closed; only those at work are waited for.
  open = false;
  while (active)
    std::this_thread::yield();
  busy.store(false, std::memory_order_release);
}

void Threads::work(unsigned thread) {
  uint64_t seen = 0;
  for (;;) {
    auto asleepAt = std::chrono::steady_clock::now() + patience;
    // Without sleeping, since to wake a thread takes longer than most steps.
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
    // Before it asks: `run` closes first and then waits until none is active,
    // so that no thread claims what is gone.
    ++active;
    if (open)
      claim(thread);
    --active;
  }
}

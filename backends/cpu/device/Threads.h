//===- Threads.h - threads that claim chunks ------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_THREADS_H
#define GLOW_BACKENDS_CPU_DEVICE_THREADS_H

#include "glow/Base/Status.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace glow::cpu {

/// Threads that stay, and run what `run` is given together with its caller.
/// Each claims chunk after chunk of a part of its own, so that it reads what it
/// wrote in the step before, and then what is left of the others', so that one
/// that is held up holds up no other. They work for one caller at a time; a
/// second one meanwhile runs everything itself. In a child of fork() the caller
/// is alone as well, and waits for none when it lets go of them.
class Threads {
public:
  /// `count` threads including the caller; 0 for as many as there are
  /// processors this process may run on. Fails with Code::OutOfMemory where the
  /// system does not give as many.
  static Result<std::shared_ptr<Threads>> start(unsigned count);

  unsigned count() const { return unsigned(parts.size()); }

  /// Calls `body(begin, end, thread)` until every chunk below `chunks` was in
  /// one range, and returns when all are done: at once when there are none.
  /// `thread` is below `count()`; no two threads of a call have the same. Any
  /// thread may call it. Each thread that had chunks calls `worked` behind its
  /// last one, if it is not null, where there are several.
  using Body = std::function<void(int64_t begin, int64_t end, unsigned thread)>;
  using Worked = std::function<void(std::chrono::steady_clock::time_point begin,
                                    std::chrono::steady_clock::time_point end)>;
  void run(int64_t chunks, const Body &body, const Worked *worked = nullptr);

private:
  explicit Threads(size_t count);
  ~Threads();
  static void end(Threads *threads);
  Status startWorkers();
  bool haveWorkers() const;
  void work(unsigned thread);
  void claim(unsigned thread);

  /// Chunks side by side that a thread begins with.
  struct alignas(64) Part {
    std::atomic<int64_t> next = 0;
    int64_t end = 0;
  };
  std::vector<Part> parts; // one a thread
  std::vector<pthread_t> workers;
  const uint64_t process; // in which they are
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<uint64_t> turn = 0;   // counts calls of `run`
  std::atomic<unsigned> active = 0; // workers that may be in `claim`
  std::atomic<bool> open = false;   // whether chunks may be claimed
  std::atomic<bool> busy = false;   // whether they work for a caller
  std::atomic<bool> stopping = false;
  int64_t step = 1;
  const Body *body = nullptr;
  const Worked *worked = nullptr;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_THREADS_H

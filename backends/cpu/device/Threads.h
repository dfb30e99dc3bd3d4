//===- Threads.h - threads that claim chunks ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

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

/// Permanent threads that share the chunks of `run` with its caller. Each
/// thread first claims chunks of its own part, so that it reads data which it
/// wrote in the step before. Then it claims chunks that are left in other
/// parts, so that a delayed thread delays no other. The threads work for one
/// caller at a time; a second caller meanwhile runs all of its chunks itself.
/// In a child of fork() the caller is alone as well, and the destructor waits
/// for no thread.
class Threads {
public:
  /// `count` threads including the caller; 0 for as many as there are
  /// processors this process may run on. Fails with Code::OutOfMemory where the
  /// system does not give as many.
  static Result<std::shared_ptr<Threads>> start(unsigned count);
  /// The number of processors that this process may run on.
  static unsigned ofProcess();

  unsigned count() const { return unsigned(parts.size()); }

  /// Calls `body(begin, end, thread)` until every chunk below `chunks` was in
  /// one range, and returns when all are done: at once when there are none.
  /// `thread` is below `count()`, and differs between the threads of a call.
  /// Any thread may call `run`. If several threads take part and `worked` is
  /// not null, each thread that had chunks calls it after its last chunk.
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
  std::atomic<bool> open = false;   // chunks may be claimed
  std::atomic<bool> busy = false;   // the workers serve a caller
  std::atomic<bool> stopping = false;
  // Written by the caller that has set `busy`, before it sets `open`.
  int64_t step = 1;
  const Body *body = nullptr;
  const Worked *worked = nullptr;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_THREADS_H

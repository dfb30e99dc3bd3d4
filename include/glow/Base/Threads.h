//===- Threads.h - threads that the system may refuse -----------*- C++ -*-===//

#ifndef GLOW_BASE_THREADS_H
#define GLOW_BASE_THREADS_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

namespace glow {

/// Begins a thread that runs `work`, in `thread`, which has none before. Fails
/// with Code::OutOfMemory and the system's reason; `thread` then has none.
template <typename Work> Status beginThread(std::thread &thread, Work &&work) {
  try {
    thread = std::thread(std::forward<Work>(work));
    return Status();
  } catch (const std::system_error &error) {
    return failure(Code::OutOfMemory,
                   "cannot start a thread: ", error.code().message());
  } catch (const std::bad_alloc &) {
    return Status(Code::OutOfMemory, "no memory for another thread");
  }
}

/// How many calls of fork() lie between the process that loaded this code and
/// this one. A child has none of the threads of its parent: an object that
/// keeps the number of its birth knows by another one that its threads are not
/// there.
uint64_t forkCount();

} // namespace glow

#endif // GLOW_BASE_THREADS_H

//===- Threads.h - start of threads, with errors ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_THREADS_H
#define GLOW_BASE_THREADS_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

namespace glow {

/// Starts a thread that runs `work`, in `thread`, which must hold none. On
/// failure `thread` holds none; fails with Code::OutOfMemory and the system's
/// reason.
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

/// Number of fork() calls between the process that loaded this code and this
/// one. A child has no threads of its parent. An object stores the count when
/// it is constructed; a different count later shows that its threads are gone.
uint64_t forkCount();

} // namespace glow

#endif // GLOW_BASE_THREADS_H

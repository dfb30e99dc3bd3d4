//===- Exclusive.h - work that one thread at a time does --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_LIBGLOW_EXCLUSIVE_H
#define GLOW_TOOLS_LIBGLOW_EXCLUSIVE_H

#include "glow/Base/Status.h"
#include <atomic>
#include <mutex>
#include <thread>

namespace glow::capi {

/// A lock that is refused to the thread that holds it. A log function may call
/// the library in the middle of such work, and would wait for itself.
class Exclusive {
public:
  /// Runs `body` while no other thread is in here. Fails with
  /// Code::InvalidArgument and `refusal` where this thread is.
  template <typename Body>
  auto run(const std::string &refusal, Body body) -> decltype(body()) {
    if (owner == std::this_thread::get_id())
      return Status(Code::InvalidArgument, refusal);
    std::lock_guard lock(mutex);
    const Owner owned(owner);
    return body();
  }

private:
  struct Owner {
    explicit Owner(std::atomic<std::thread::id> &owner) : owner(owner) {
      owner = std::this_thread::get_id();
    }
    ~Owner() { owner = std::thread::id(); }
    Owner(const Owner &) = delete;
    std::atomic<std::thread::id> &owner;
  };

  std::mutex mutex;
  std::atomic<std::thread::id> owner = {};
};

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_EXCLUSIVE_H

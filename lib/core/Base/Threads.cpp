//===- Threads.cpp - start of threads, with errors ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Threads.h"
#include <atomic>
#include <pthread.h>

static std::atomic<uint64_t> count = 0;
[[maybe_unused]] static const int watched =
    ::pthread_atfork(nullptr, nullptr, [] { ++count; });

uint64_t glow::forkCount() { return count; }

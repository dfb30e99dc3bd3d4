//===- Monitor.cpp - the lock of a host, and its deferred calls -----------===//
// SPDX-License-Identifier: MIT

#include "Monitor.h"

using namespace glow;
using namespace glow::runtime;

Monitor::Monitor(HostOptions given)
    : options(std::move(given)),
      workers(options.workers ? options.workers : threadWorkers()),
      state(options.seed) {}

Monitor::Entry::Entry(std::shared_ptr<Monitor> entered)
    : monitor(std::move(entered)) {
  monitor->mutex.lock();
  monitor->moment.reset();
}

Monitor::Entry::~Entry() {
  // Work is given out under the lock: settle() may defer calls itself.
  monitor->settle();
  std::vector<std::function<void()>> calls;
  calls.swap(monitor->calls);
  monitor->mutex.unlock();
  // From here on another thread may hold the lock. A call may take it again.
  for (std::function<void()> &call : calls) {
    call();
    call = nullptr; // frees captured objects, which may be large
  }
}

uint64_t Monitor::random() {
  // SplitMix64.
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

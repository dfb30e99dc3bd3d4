//===- Core.cpp - the lock of a host, and its deferred calls --------------===//
// SPDX-License-Identifier: MIT

#include "Core.h"

using namespace glow;
using namespace glow::runtime;

Core::Core(HostOptions given)
    : options(std::move(given)),
      workers(options.workers ? options.workers : threadWorkers()),
      random(options.seed) {}

Core::Entry::Entry(std::shared_ptr<Core> entered) : core(std::move(entered)) {
  core->mutex.lock();
  core->moment.reset();
}

Core::Entry::~Entry() {
  // Work is given out under the lock: settle() may defer calls itself.
  core->settle();
  core->here = nullptr;
  std::vector<std::function<void()>> calls;
  calls.swap(core->calls);
  core->mutex.unlock();
  // From here on another thread may hold the lock. A call may take it again.
  for (std::function<void()> &call : calls) {
    call();
    call = nullptr; // frees captured objects, which may be large
  }
}

void Core::markDirty(Slot &slot) {
  if (!std::exchange(slot.isDirty, true))
    dirty.push_back(&slot);
}

void Core::settle() {
  // pump() may mark further devices, or the same device again.
  while (!dirty.empty()) {
    Slot &slot = *dirty.back();
    dirty.pop_back();
    slot.isDirty = false;
    executor.pump(slot);
  }
}

uint64_t Core::chance() {
  // SplitMix64.
  uint64_t z = random += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::shared_ptr<Model> Core::find(ModelId id) const {
  // A replaced version forwards to its newest version.
  auto newer = replaced.find(uint64_t(id));
  auto found =
      models.find(uint64_t(newer == replaced.end() ? id : newer->second));
  return found == models.end() ? nullptr : found->second;
}

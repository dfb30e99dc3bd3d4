//===- Run.cpp - the threads of a launch ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Blocks run one after the other. The threads of a block are fibers if they
// wait for each other: one of them runs up to a barrier, then another one that
// may, which the random order chooses.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <numeric>
#include <sys/mman.h>
#include <ucontext.h>

using namespace emulator;

namespace {

struct Fiber {
  enum State { Ready, Waiting, Done };
  State state = Ready;
  unsigned thread = 0;
  ucontext_t context{};
};

/// The launch that this thread of the host runs; null outside of one.
struct Running {
  const Kernel &kernel;
  const std::vector<uint64_t> &arguments;
  unsigned block = 0, thread = 0;
  Fiber *fiber = nullptr;
  ucontext_t scheduler{};
  sigjmp_buf end{};
  const void *address = nullptr;
};
thread_local Running *running = nullptr;

constexpr size_t stackBytes = 64 << 10;

/// The stacks of fibers, each below a page that no one may touch.
char *stackOf(size_t number) {
  static thread_local std::vector<char *> stacks;
  while (stacks.size() <= number) {
    void *got = ::mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED)
      wrong("this system has no memory for threads");
    ::mprotect(got, 4096, PROT_NONE);
    stacks.push_back(static_cast<char *>(got));
  }
  return stacks[number];
}

void runFiber() {
  running->kernel.call(running->arguments.data());
  running->fiber->state = Fiber::Done;
  ::swapcontext(&running->fiber->context, &running->scheduler);
}

/// Runs the threads of a block up to their ends, in any order.
Error runFibers(unsigned threads, std::mt19937_64 &random) {
  std::vector<Fiber> fibers(threads);
  for (unsigned i = 0; i < threads; ++i) {
    fibers[i].thread = i;
    ::getcontext(&fibers[i].context);
    fibers[i].context.uc_stack.ss_sp = stackOf(i);
    fibers[i].context.uc_stack.ss_size = stackBytes;
    fibers[i].context.uc_link = nullptr;
    ::makecontext(&fibers[i].context, runFiber, 0);
  }
  std::vector<Fiber *> ready;
  while (true) {
    ready.clear();
    for (Fiber &fiber : fibers)
      if (fiber.state == Fiber::Ready)
        ready.push_back(&fiber);
    if (ready.empty()) {
      const auto done = std::ranges::count(fibers, Fiber::Done, &Fiber::state);
      if (done == std::ptrdiff_t(fibers.size()))
        return Success;
      if (done != 0) {
        std::fprintf(stderr,
                     "emulated CUDA: threads wait at a barrier that others of "
                     "kernel '%s' never reach\n",
                     running->kernel.name.c_str());
        return LaunchTimeout;
      }
      for (Fiber &fiber : fibers)
        fiber.state = Fiber::Ready;
      continue;
    }
    std::shuffle(ready.begin(), ready.end(), random);
    for (Fiber *fiber : ready) {
      running->fiber = fiber;
      running->thread = fiber->thread;
      ::swapcontext(&running->scheduler, &fiber->context);
    }
  }
}

void handle(int signal, siginfo_t *info, void *) {
  if (!running) {
    std::signal(signal, SIG_DFL);
    return; // and again, with the default
  }
  running->address = info->si_addr;
  ::siglongjmp(running->end, 1);
}

/// Handles faults for as long as the object lives.
class Faults {
public:
  Faults() {
    stack.ss_sp = memory.data();
    stack.ss_size = memory.size();
    ::sigaltstack(&stack, &oldStack);
    struct sigaction action{};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &action, &oldSegv);
    ::sigaction(SIGBUS, &action, &oldBus);
  }
  ~Faults() {
    ::sigaction(SIGSEGV, &oldSegv, nullptr);
    ::sigaction(SIGBUS, &oldBus, nullptr);
    ::sigaltstack(&oldStack, nullptr);
  }

private:
  std::vector<char> memory = std::vector<char>(64 << 10);
  stack_t stack{}, oldStack{};
  struct sigaction oldSegv{}, oldBus{};
};

Error runBlocks(unsigned blocks, unsigned threads, std::mt19937_64 &random) {
  std::vector<unsigned> order(blocks), inside(threads);
  std::iota(order.begin(), order.end(), 0u);
  std::iota(inside.begin(), inside.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  for (unsigned block : order) {
    running->block = block;
    for (const std::shared_ptr<Allocation> &memory : running->kernel.shared)
      memory->forget();
    if (running->kernel.waits && settings().keepsBarriers) {
      if (Error error = runFibers(threads, random); error != Success)
        return error;
      continue;
    }
    std::shuffle(inside.begin(), inside.end(), random);
    for (unsigned thread : inside) {
      running->thread = thread;
      running->kernel.call(running->arguments.data());
    }
  }
  return Success;
}

} // namespace

extern "C" int emulatedThread() { return int(running->thread); }
extern "C" int emulatedBlock() { return int(running->block); }
extern "C" void emulatedBarrier() {
  Fiber *fiber = running->fiber;
  fiber->state = Fiber::Waiting;
  ::swapcontext(&fiber->context, &running->scheduler);
}

Error emulator::run(const Kernel &kernel,
                    const std::vector<uint64_t> &arguments,
                    std::array<unsigned, 3> blocks,
                    std::array<unsigned, 3> threads, std::mt19937_64 &random) {
  const Faults faults;
  Running launch{kernel, arguments};
  running = &launch;
  Error error = Success;
  if (sigsetjmp(launch.end, 1) == 0) {
    error = runBlocks(blocks[0], threads[0], random);
    for (const std::shared_ptr<Allocation> &memory : kernel.shared)
      if (error == Success && !memory->isIntact()) {
        std::fprintf(stderr,
                     "emulated CUDA: kernel '%s' writes beside the "
                     "memory of a block\n",
                     kernel.name.c_str());
        error = IllegalAddress;
      }
  } else {
    std::fprintf(stderr,
                 "emulated CUDA: kernel '%s' accesses %p, outside of all "
                 "memory, in thread %u of block %u\n",
                 kernel.name.c_str(), launch.address, launch.thread,
                 launch.block);
    error = IllegalAddress;
  }
  running = nullptr;
  return error;
}

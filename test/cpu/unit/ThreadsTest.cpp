//===- ThreadsTest.cpp - distribution of chunks to threads ----------------===//
// SPDX-License-Identifier: MIT

#include "device/Threads.h"
#include <array>
#include <gtest/gtest.h>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace glow;
using namespace glow::cpu;

namespace {

/// The caller waits for the other before it goes on.
TEST(Threads, BeginWithAPartOfTheirOwn) {
  std::shared_ptr<Threads> threads = Threads::start(2).take();
  std::array<std::atomic<int64_t>, 2> first = {-1, -1};
  std::array<std::atomic<int>, 40> times = {};
  threads->run(40, [&](int64_t begin, int64_t end, unsigned thread) {
    int64_t none = -1;
    first[thread].compare_exchange_strong(none, begin);
    while (first[1] < 0)
      ;
    for (int64_t chunk = begin; chunk < end; ++chunk)
      ++times[size_t(chunk)];
  });
  EXPECT_EQ(first[0], 0);
  EXPECT_EQ(first[1], 20);
  for (const std::atomic<int> &count : times)
    EXPECT_EQ(count, 1);
}

/// A thread that has time takes the other's part.
TEST(Threads, HoldUpNoOther) {
  std::shared_ptr<Threads> threads = Threads::start(2).take();
  std::atomic<int> done = 0;
  threads->run(16, [&](int64_t begin, int64_t end, unsigned thread) {
    // The first to have a part waits until the rest is done.
    if (thread == 1)
      while (done < 16 - (end - begin))
        ;
    done += int(end - begin);
  });
  EXPECT_EQ(done, 16);
}

/// All threads that had chunks report their own time.
TEST(Threads, TellWhenTheyWorked) {
  std::shared_ptr<Threads> threads = Threads::start(2).take();
  std::mutex mutex;
  std::set<std::thread::id> told;
  std::atomic<bool> both = false;
  const auto start = std::chrono::steady_clock::now();
  const Threads::Worked worked = [&](auto begin, auto end) {
    std::lock_guard lock(mutex);
    EXPECT_LE(start, begin);
    EXPECT_LE(begin, end);
    EXPECT_TRUE(told.insert(std::this_thread::get_id()).second);
  };
  auto body = [&](int64_t, int64_t, unsigned thread) {
    if (thread == 1)
      both = true;
    while (!both)
      ;
  };
  threads->run(40, body, &worked);
  EXPECT_EQ(told.size(), 2u);
  // One thread alone has the time of the call.
  threads->run(1, body, &worked);
  EXPECT_EQ(told.size(), 2u);
}

/// The exit status of a child that does `work`.
template <typename Work> int inChild(Work work) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(work());
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/// A thread that the system refuses is an error, and threads that began end.
TEST(Threads, MayNotBeHad) {
  EXPECT_EQ(inChild([] {
              struct rlimit few = {1, 1};
              ::setrlimit(RLIMIT_NPROC, &few);
              // Root has no limit; a user of its own has no other process.
              uid_t user = 60000 + uid_t(::getpid()) % 5000;
              if (::getuid() == 0 && ::setuid(user) != 0)
                return 2;
              Result<std::shared_ptr<Threads>> threads = Threads::start(4);
              bool isRight =
                  threads.status().code() == Code::OutOfMemory &&
                  threads.status().message().starts_with(
                      "cannot start thread 2 of 4: Resource temporarily");
              return isRight ? 0 : 1;
            }),
            0);
}

/// A forked child has no threads of its parent: waiting for one would hang.
TEST(Threads, AreLeftBehindByFork) {
  std::shared_ptr<Threads> threads = Threads::start(3).take();
  auto sum = [&] {
    std::atomic<int64_t> sum = 0;
    threads->run(100, [&](int64_t begin, int64_t end, unsigned) {
      for (int64_t i = begin; i < end; ++i)
        sum += i;
    });
    return sum.load();
  };
  EXPECT_EQ(sum(), 4950);
  EXPECT_EQ(inChild([&] {
              bool isRight = sum() == 4950;
              threads.reset();
              return isRight ? 0 : 1;
            }),
            0);
  EXPECT_EQ(sum(), 4950);
}

TEST(Threads, DoNothingForNoChunks) {
  for (unsigned count : {1u, 2u})
    Threads::start(count).take()->run(
        0, [](int64_t, int64_t, unsigned) { FAIL(); });
}

} // namespace

//===- ThreadsTest.cpp - which thread claims a chunk ----------------------===//

#include "device/Threads.h"
#include <array>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

/// The other's part is taken by the thread that has time.
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

/// The exit status of a child that does `work`.
template <typename Work> int inChild(Work work) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(work());
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/// What the system does not give is an error, and those that began end.
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

/// A child has none of its parent's threads: a wait for one hangs.
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

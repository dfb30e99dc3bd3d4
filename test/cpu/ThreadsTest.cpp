//===- ThreadsTest.cpp - who claims which chunks --------------------------===//

#include "Threads.h"
#include <array>
#include <gtest/gtest.h>

using namespace glow::cpu;

namespace {

/// The caller waits for the other before it goes on.
TEST(Threads, BeginWithAPartOfTheirOwn) {
  Threads threads(2);
  std::array<std::atomic<int64_t>, 2> first = {-1, -1};
  std::array<std::atomic<int>, 40> times = {};
  threads.run(40, [&](int64_t begin, int64_t end, unsigned thread) {
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

/// The other's part is taken by who has time.
TEST(Threads, HoldUpNobody) {
  Threads threads(2);
  std::atomic<int> done = 0;
  threads.run(16, [&](int64_t begin, int64_t end, unsigned thread) {
    // The first to have a part waits until the rest is done.
    if (thread == 1)
      while (done < 16 - (end - begin))
        ;
    done += int(end - begin);
  });
  EXPECT_EQ(done, 16);
}

} // namespace

//===- TimelineTest.cpp - when copies and instructions end ----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/Timeline.h"
#include "gtest/gtest.h"

using namespace glow;

TEST(Timeline, CopyTakesItsLatencyAndItsBytes) {
  Timeline timeline({{{1, 4, 10}}, {0}});
  timeline.wait(timeline.start(0, 32, {0}));
  EXPECT_EQ(timeline.now(), 18);
  timeline.wait(timeline.start(0, 0, {0}));
  EXPECT_EQ(timeline.now(), 28);
}

TEST(Timeline, ChannelCarriesOutOneCopyAfterTheOther) {
  Timeline timeline({{{1, 4, 10}}, {0}});
  timeline.start(0, 32, {0});
  timeline.wait(timeline.start(0, 32, {0}));
  EXPECT_EQ(timeline.now(), 36);
}

TEST(Timeline, CopiesShareTheBandwidthOfAMemory) {
  // Either alone takes 40 cycles before its first byte, and then 100.
  Timeline timeline({{{2, 16, 40}}, {16, 0}});
  unsigned one = timeline.start(0, 1600, {0});
  unsigned other = timeline.start(0, 1600, {0, 1});
  timeline.wait(one);
  timeline.wait(other);
  EXPECT_EQ(timeline.now(), 240);
}

TEST(Timeline, WhatRunsMeanwhileHidesACopy) {
  Timeline timeline({{{1, 4, 10}}, {0}});
  unsigned copy = timeline.start(0, 32, {0});
  timeline.run(12);
  timeline.wait(copy);
  EXPECT_EQ(timeline.now(), 18);
  timeline.run(5);
  EXPECT_EQ(timeline.computing(), 17);
  EXPECT_EQ(timeline.copying(), 18);
}

TEST(Timeline, EngineIsBusyUntilItsLastCopyEnds) {
  Timeline timeline({{{1, 4, 10}, {2, 4, 10}}, {0}});
  EXPECT_TRUE(timeline.hasIdleChannel(0));
  unsigned copy = timeline.start(0, 32, {0});
  timeline.start(0, 16, {0});
  timeline.start(1, 32, {0});
  EXPECT_FALSE(timeline.hasIdleChannel(0));
  EXPECT_TRUE(timeline.hasIdleChannel(1));
  EXPECT_EQ(timeline.busyUntil(0), 32);
  timeline.run(17);
  EXPECT_FALSE(timeline.hasEnded(copy));
  timeline.run(2);
  EXPECT_TRUE(timeline.hasEnded(copy));
  EXPECT_EQ(timeline.busyUntil(0), 32);
}

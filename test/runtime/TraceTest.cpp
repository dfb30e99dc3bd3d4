//===- TraceTest.cpp - steps and spans over time --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Trace.h"
#include <gtest/gtest.h>

using namespace glow;
using namespace std::chrono_literals;

TEST(Trace, IsChromeJson) {
  Trace trace;
  std::chrono::steady_clock::time_point start{};
  trace.stepDone({"conv1", "conv2d", start + 1ms, start + 3ms});
  trace.stepDone({"", "relu", start + 3ms, start + 3500us});
  EXPECT_EQ(trace.chromeJson(),
            "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
            "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, "
            "\"tid\": 1, \"args\": {\"name\": \"thread 1\"}},\n"
            "{\"name\": \"conv1\", \"cat\": \"conv2d\", \"ph\": \"X\", "
            "\"pid\": 1, \"tid\": 1, \"ts\": 0.000, \"dur\": 2000.000},\n"
            "{\"name\": \"relu\", \"cat\": \"relu\", \"ph\": \"X\", "
            "\"pid\": 1, \"tid\": 1, \"ts\": 2000.000, \"dur\": 500.000}\n"
            "]}\n");
}

TEST(Trace, MayBeEmpty) {
  EXPECT_EQ(Trace().chromeJson(),
            "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n]}\n");
}

// Models call nodes as they like.
TEST(Trace, NamesAreEscaped) {
  EXPECT_EQ(jsonText("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
}

//===- OpenLoopsTest.cpp - open sizes give what fixed sizes give ----------===//
// SPDX-License-Identifier: MIT

#include "OpenLoops.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace glow;
using namespace glow::cpu;
using namespace glow::cpu::test;

namespace {

/// The programs of a file, by their text.
std::vector<std::pair<std::string, std::string>> programsOf(const char *file) {
  std::vector<std::pair<std::string, std::string>> programs;
  std::string text =
      (*llvm::MemoryBuffer::getFile(file, /*IsText=*/true))->getBuffer().str();
  for (size_t at = text.find("\nloops "); at != std::string::npos;) {
    const size_t end = text.find("\nloops ", at + 1);
    std::string one = text.substr(at + 1, end - at);
    const size_t quote = one.find('"') + 1;
    programs.emplace_back(one.substr(quote, one.find('"', quote) - quote), one);
    at = end;
  }
  return programs;
}

/// Values of size variables: the least ones, the greatest ones, then random
/// ones.
Ints valuesOf(const std::vector<SizeVariable> &sizes, int number,
              std::mt19937 &random) {
  Ints values;
  for (const SizeVariable &size : sizes) {
    std::uniform_int_distribution<int64_t> any(size.low / size.multiple,
                                               size.high / size.multiple);
    values.push_back(number == 0   ? size.low
                     : number == 1 ? size.high
                                   : any(random) * size.multiple);
  }
  return values;
}

std::string textOf(const Ints &values) {
  std::string text;
  for (int64_t value : values)
    text += " " + std::to_string(value);
  return text;
}

std::optional<cpu::Target> targetOf(const std::string &processor) {
  CodeOptions options;
  options.settings = {
      {"cpu", processor}, {"vectors", "auto"}, {"optimize", "speed"}};
  cpu::Target target = cpu::Target::create(options).take();
  return target.checkHost().ok() ? std::optional(std::move(target))
                                 : std::nullopt;
}

void compare(const cpu::Target &target, const std::string &text, int runs) {
  auto open = LoopStep::make(target, text);
  ASSERT_TRUE(open) << "has no code";
  std::mt19937 random(7);
  for (int i = 0; i < runs; ++i) {
    const Ints values = valuesOf(open->sizes(), i, random);
    auto fixed = LoopStep::make(target, withSizes(text, open->sizes(), values));
    ASSERT_TRUE(fixed) << textOf(values);
    Buffers mine(*open, values, unsigned(i)), its(*open, values, unsigned(i));
    EXPECT_EQ(open->run(values, mine.pointers(), i % 2),
              fixed->run({}, its.pointers(), false))
        << textOf(values);
    ASSERT_EQ(mine.difference(its), "") << "for sizes" << textOf(values);
  }
}

void compareAll(const std::string &processor) {
  std::optional<cpu::Target> target = targetOf(processor);
  if (!target)
    GTEST_SKIP() << "this is no " << processor;
  for (const auto &[name, text] : programsOf(GLOW_TEST_OPEN_LOOPS)) {
    SCOPED_TRACE(name);
    compare(*target, text, 6);
  }
}

TEST(OpenLoops, Avx512) { compareAll("x86-64-v4"); }
TEST(OpenLoops, Avx2) { compareAll("x86-64-v3"); }

/// The median time of a run in nanoseconds, of two steps in turns.
std::array<double, 2> timesOf(const LoopStep &a, const LoopStep &b,
                              const Ints &values) {
  Buffers buffers(a, values, 1);
  const std::vector<char *> pointers = buffers.pointers();
  std::array<std::vector<double>, 2> times;
  for (int turn = 0; turn < 401; ++turn)
    for (int i = 0; i < 2; ++i) {
      auto begin = std::chrono::steady_clock::now();
      for (int run = 0; run < 20; ++run)
        (i ? b : a).run(values, pointers, false);
      std::chrono::duration<double, std::nano> time =
          std::chrono::steady_clock::now() - begin;
      times[size_t(i)].push_back(time.count() / 20);
    }
  for (std::vector<double> &list : times)
    std::sort(list.begin(), list.end());
  return {times[0][200], times[1][200]};
}

/// Prints how much slower the code for open sizes is.
TEST(OpenLoops, DISABLED_Times) {
  std::optional<cpu::Target> target = targetOf("x86-64-v4");
  if (!target)
    target = targetOf("x86-64-v3");
  for (const auto &[name, text] : programsOf(GLOW_TEST_OPEN_LOOPS)) {
    auto open = LoopStep::make(*target, text);
    std::mt19937 random(3);
    for (int i = 1; open && i < 4; ++i) {
      const Ints values = valuesOf(open->sizes(), i, random);
      auto fixed =
          LoopStep::make(*target, withSizes(text, open->sizes(), values));
      auto [mine, its] = timesOf(*open, *fixed, values);
      printf("%-18s %-14s open %8.0f ns, fixed %8.0f ns: %.2f\n", name.c_str(),
             textOf(values).c_str(), mine, its, mine / its);
    }
  }
}

} // namespace

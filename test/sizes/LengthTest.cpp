//===- LengthTest.cpp - sizes that a run gives ----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Status.h"
#include "glow/Program/Size.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace glow;

namespace {

const std::vector<SizeVariable> variables = {
    {"N", 1, 16, 1}, {"S", 8, 512, 8}, {"M", 0, 9, 1}};

Length lengthOf(std::string_view text) {
  Result<Length> length = Length::parse(text, variables);
  EXPECT_TRUE(bool(length)) << text;
  return length ? *length : Length();
}

std::string again(std::string_view text) { return lengthOf(text).text(); }

} // namespace

TEST(Length, EqualExpressionsHaveOneText) {
  EXPECT_EQ(again("N*4*S"), "4*N*S");
  EXPECT_EQ(again("4*S*N - N + 2"), "4*N*S - N + 2");
  EXPECT_EQ(again("(S + S)/2"), "S");
  EXPECT_EQ(again("N*S*4/(N*S)"), "4");
  EXPECT_EQ(again("(16*N + 8*S + 3)/4"), "4*N + 2*S");
  EXPECT_EQ(again("max(M, N)"), again("max(N, M)"));
  EXPECT_EQ(again("max(N, 17)"), "17");
  EXPECT_TRUE(lengthOf("8*(S/8)") == lengthOf("S"));
  // Sizes of images that a network halves, and doubles again.
  EXPECT_EQ(again("(((S + 1)/2 + 1)/2 + 1)/2"), "S/8");
  EXPECT_EQ(again("2*(S/8)"), "S/4");
  EXPECT_EQ(again("N*(S/4)*(S/2)/(8*N)"), "(S/8)*(S/8)");
  EXPECT_EQ(again("(N*S/2)*(S/8)/N - (S/8)*(S/2)"), "0");
  EXPECT_EQ(again("N*M/(4*N)"), "M/4");
  EXPECT_EQ(again("(N/2)/3"), "N/6");
  EXPECT_EQ(again("(N/2 + 1)/3"), "(N + 2)/6");
}

TEST(Length, RangesAndDivisors) {
  EXPECT_EQ(lengthOf("4*N + 2").range().low, 6);
  EXPECT_EQ(lengthOf("4*N + 2").range().high, 66);
  EXPECT_EQ(lengthOf("3*S").divisor(), 24);
  EXPECT_EQ(lengthOf("N - N").divisor(), 0);
}

TEST(Length, MistakesHaveAPosition) {
  for (auto [text, message] :
       {std::pair{"(N +", "at character 5 of '(N +': a number, or the name of "
                          "a size should be here"},
        {"N N", "at character 3 of 'N N': an operator should be here"},
        {"max(N", "at character 6 of 'max(N': ',' should be here"}})
    EXPECT_EQ(Length::parse(text, variables).status().message(), message);
  EXPECT_FALSE(bool(Length::parse(std::string(100000, '('), variables)));
}

/// Random expressions: values in a run, ranges, divisors and texts.
TEST(Length, ValuesAreThoseOfTheExpression) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const int64_t values[] = {int64_t(1 + random() % 16),
                              int64_t(8 + 8 * (random() % 64)),
                              int64_t(random() % 10)};
    std::function<std::pair<Length, int64_t>(int)> make =
        [&](int depth) -> std::pair<Length, int64_t> {
      const unsigned choice = depth == 0 ? random() % 4 : random() % 10;
      if (choice < 3)
        return {Length(variables[choice]), values[choice]};
      if (choice == 3) {
        const int64_t number = int64_t(random() % 9) - 2;
        return {Length(number), number};
      }
      auto [a, x] = make(depth - 1);
      auto [b, y] = make(depth - 1);
      switch (choice) {
      case 4:
        return {a + b, x + y};
      case 5:
        return {a - b, x - y};
      case 6:
        return {a * b, x * y};
      case 7:
        return {quotient(a, b), expr::divide(x, y)};
      case 8:
        return {greater(a, b), std::max(x, y)};
      default:
        return {lesser(a, b), std::min(x, y)};
      }
    };
    auto [length, expected] = make(3);
    EXPECT_EQ(length.at([&](const SizeVariable &variable) {
      return values[std::find(variables.begin(), variables.end(), variable) -
                    variables.begin()];
    }),
              expected)
        << length.text();
    EXPECT_LE(length.range().low, expected) << length.text();
    EXPECT_GE(length.range().high, expected) << length.text();
    const int64_t divisor = length.divisor();
    EXPECT_TRUE(divisor == 0 ? expected == 0 : expected % divisor == 0)
        << length.text();
    EXPECT_TRUE(lengthOf(length.text()) == length) << length.text();
  }
}

TEST(Length, ListsAreTexts) {
  const std::string text = "[4*N*S, 784, max(M, N)], M = 0..9, N = 1..16, "
                           "S = 8..512 by 8";
  Result<std::vector<Length>> list = parseLengths(text);
  ASSERT_TRUE(bool(list));
  EXPECT_EQ(lengthsText(*list), text);
  for (auto [wrong, message] :
       {std::pair{"N", "list 'N' should be in brackets, as in '[N, 784], N = "
                       "1..16'"},
        {"[N]", "at character 1 of 'N': a number, or the name of a size should "
                "be here"},
        {"[N], N = 1..16, N = 1..8", "size 'N' has two ranges"},
        {"[N], N = 16..1", "size 'N = 16..1' should have a range that is not "
                           "empty, without negative numbers"},
        {"[N], N = 1..16 by 8", "size 'N = 1..16 by 8' should have a range "
                                "from one multiple of 8 to another"},
        {"[N], N",
         "size 'N' should be as in 'N = 1..16' or 'S = 8..512 by 8'"}})
    EXPECT_EQ(parseLengths(wrong).status().message(), message);
}

TEST(Size, RangesDecideMostComparisons) {
  SizeDecisions decisions;
  const Size n(lengthOf("N")), s(lengthOf("S"));
  EXPECT_TRUE(n == n);
  EXPECT_TRUE(n < 17);
  EXPECT_FALSE(n == 17);
  EXPECT_TRUE(expr::modulo(s, 8) == 0);
  EXPECT_TRUE(expr::prod(Sizes{n, s, 4}) ==
              expr::multiply(expr::multiply(s, 4), n));
  EXPECT_TRUE(expr::canBroadcast(Sizes{n, 4}, Sizes{1, 4}));
  EXPECT_EQ(expr::broadcastShape(Sizes{n, 4}, Sizes{1, 4})[0].length().text(),
            "N");
  EXPECT_TRUE(decisions.conditions().empty());
}

TEST(Size, OtherComparisonsAreConditionsOfTheRun) {
  SizeDecisions decisions;
  const Size n(lengthOf("N")), s(lengthOf("S"));
  EXPECT_FALSE(n == s);
  EXPECT_TRUE(n <= expr::divide(s, 8));
  EXPECT_EQ(int64_t(n), 16);
  ASSERT_EQ(decisions.conditions().size(), 3u);
  EXPECT_EQ(decisions.conditions()[0].text(), "N != S");
  EXPECT_EQ(decisions.conditions()[1].text(), "N <= S/8");
  EXPECT_EQ(decisions.conditions()[2].text(), "N == 16");
}

TEST(Size, AProofMakesNoDecision) {
  SizeDecisions decisions;
  const Size n(lengthOf("N"));
  EXPECT_FALSE(isProven([&] { return n == 16; }));
  EXPECT_FALSE(isProven([&] { return !(n == 3); }));
  EXPECT_TRUE(isProven([&] { return n >= 1; }));
  EXPECT_TRUE(decisions.conditions().empty());
}

TEST(Size, ScopesHandOnWhatTheyCommit) {
  SizeDecisions outer;
  const Size n(lengthOf("N"));
  {
    SizeDecisions inner;
    EXPECT_TRUE(n == 16);
  }
  EXPECT_TRUE(outer.conditions().empty());
  {
    SizeDecisions inner;
    EXPECT_TRUE(n == 16);
    inner.commit();
  }
  EXPECT_EQ(outer.conditions().size(), 1u);
}

namespace {

std::vector<Binding> twoInputs() {
  Binding a{"a", {ElementKind::F32, {16, 3}}, {"N", ""}};
  Binding b{"b", {ElementKind::F32, {32, 512}}, {"", "S"}};
  a.lengths = {lengthOf("N"), 3};
  b.lengths = {lengthOf("2*N"), lengthOf("S")};
  return {a, b};
}

Status bind(SizeValues &values, Ints a, Ints b) {
  const TensorType types[] = {{ElementKind::F32, a}, {ElementKind::F32, b}};
  const TensorView views[] = {{nullptr, &types[0]}, {nullptr, &types[1]}};
  return values.bind(twoInputs(), views);
}

} // namespace

TEST(SizeValues, ComeFromInputs) {
  SizeValues values;
  ASSERT_TRUE(bind(values, {7, 3}, {14, 64}).ok());
  EXPECT_EQ(values.text(), "N = 7, S = 64");
  EXPECT_EQ(values.at(lengthOf("N*S + 1")), 449);
}

TEST(SizeValues, AllMistakesAreInOneMessage) {
  SizeValues values;
  EXPECT_EQ(
      bind(values, {17, 3}, {30, 12}).message(),
      "dimension 0 of input 'a' is 17, but 'N' should be from 1 to 16; "
      "dimension 1 of input 'b' is 12, but 'S' should be a multiple of 8; "
      "dimension 0 of input 'b' is 30, but 2*N is 34");
}

TEST(SizeValues, ConditionsAreCheckedForARun) {
  SizeValues values;
  ASSERT_TRUE(bind(values, {7, 3}, {14, 64}).ok());
  const SizeCondition holds{SizeCondition::Relation::Below, lengthOf("N"),
                            lengthOf("S"), ""};
  const SizeCondition fails{SizeCondition::Relation::Equal, lengthOf("N"), 16,
                            "slice-inside"};
  EXPECT_TRUE(values.check({holds}).ok());
  EXPECT_EQ(values.check({holds, fails}).message(),
            "sizes N = 7, S = 64: the program needs N == 16 [slice-inside]");
}

//===- Einsum.cpp - equations between the axes of tensors -----------------===//
// SPDX-License-Identifier: MIT
//
// "bij,bjk->bik": a letter is an axis, and "..." stands for all axes without a
// letter, counted from the last. Without "->" the result has the letters that
// occur once, in alphabetical order. An axis as a number is its letter, or -1,
// -2, ... from the last axis that "..." stands for. defs/functions/Einsum.td
// declares the functions.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Ints.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

using namespace glow;

namespace {

/// An equation, taken apart.
struct Equation {
  std::vector<std::string> operands;
  std::optional<std::string> result; ///< not there without "->"
};

} // namespace

static Equation parse(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  Equation equation;
  if (size_t arrow = text.find("->"); arrow != text.npos) {
    equation.result = text.substr(arrow + 2);
    text.resize(arrow);
  }
  for (size_t begin = 0, comma; begin <= text.size(); begin = comma + 1) {
    comma = std::min(text.find(',', begin), text.size());
    equation.operands.push_back(text.substr(begin, comma - begin));
  }
  return equation;
}

static int64_t letters(const std::string &term) {
  return std::ranges::count_if(term,
                               [](unsigned char c) { return std::isalpha(c); });
}

/// The number of axes that "..." stands for in an operand of this rank; nullopt
/// when the term does not fit the rank.
static std::optional<int64_t> unnamed(const std::string &term, int64_t rank) {
  size_t dots = term.find("...");
  bool wild = dots != term.npos;
  if (letters(term) + (wild ? 3 : 0) != int64_t(term.size()))
    return std::nullopt;
  int64_t left = rank - letters(term);
  return left == 0 || (wild && left > 0) ? std::optional(left) : std::nullopt;
}

/// The axes of a term, where "..." stands for `unnamed` axes.
static Ints axesOf(const std::string &term, int64_t unnamed) {
  Ints axes;
  for (size_t i = 0; i < term.size(); ++i)
    if (term[i] != '.') {
      axes.push_back(term[i]);
    } else if (term.compare(i, 3, "...") == 0) {
      for (int64_t k = -unnamed; k < 0; ++k)
        axes.push_back(k);
    }
  return axes;
}

/// The result that an equation without "->" implies.
static std::string usualResult(const Equation &equation) {
  std::map<char, int> uses;
  for (const std::string &term : equation.operands)
    for (char c : term)
      ++uses[c];
  std::string result = uses.contains('.') ? "..." : "";
  for (auto [letter, count] : uses)
    if (letter != '.' && count == 1)
      result += letter;
  return result;
}

static int64_t mostUnnamed(const Equation &equation, const Ints &ranks) {
  int64_t most = 0;
  for (size_t i = 0; i < std::min(ranks.size(), equation.operands.size()); ++i)
    most = std::max(most, unnamed(equation.operands[i], ranks[i]).value_or(0));
  return most;
}

namespace glow::expr {
bool einsumFits(const std::string &text, const Ints &ranks) {
  Equation equation = parse(text);
  if (equation.operands.size() != ranks.size())
    return false;
  Ints known;
  for (size_t i = 0; i < ranks.size(); ++i) {
    std::optional<int64_t> count = unnamed(equation.operands[i], ranks[i]);
    if (!count)
      return false;
    Ints axes = axesOf(equation.operands[i], *count);
    known.insert(known.end(), axes.begin(), axes.end());
  }
  std::string term = equation.result.value_or(usualResult(equation));
  size_t dots = term.find("...") == term.npos ? 0 : 3;
  Ints result = axesOf(term, mostUnnamed(equation, ranks));
  auto isKnown = [&](int64_t axis) {
    return std::ranges::find(known, axis) != known.end() &&
           std::ranges::count(result, axis) == 1;
  };
  return letters(term) + int64_t(dots) == int64_t(term.size()) &&
         std::ranges::all_of(result, isKnown);
}

Ints einsumAxes(const std::string &text, const Ints &ranks, int64_t term) {
  Equation equation = parse(text);
  size_t index = size_t(term);
  if (term < 0 || index > ranks.size())
    return {};
  if (index == ranks.size())
    return axesOf(equation.result.value_or(usualResult(equation)),
                  mostUnnamed(equation, ranks));
  if (index >= equation.operands.size())
    return {};
  const std::string &operand = equation.operands[index];
  return axesOf(operand, unnamed(operand, ranks[index]).value_or(0));
}

Ints einsumRepeated(const std::string &text, const Ints &ranks,
                    const Ints &sizes, int64_t operand) {
  Ints mine = einsumAxes(text, ranks, operand), repeated;
  if (operand >= int64_t(ranks.size()))
    return {};
  size_t first = 0, begin = 0;
  auto sizeAt = [&](size_t i) { return i < sizes.size() ? sizes[i] : 0; };
  for (int64_t i = 0; i < operand; ++i)
    first += size_t(ranks[size_t(i)]);
  for (size_t other = 0; other < ranks.size(); ++other) {
    Ints axes = einsumAxes(text, ranks, int64_t(other));
    for (size_t i = 0; int64_t(other) != operand && i < axes.size(); ++i)
      for (size_t k = 0; k < mine.size(); ++k)
        if (axes[i] == mine[k] && sizeAt(first + k) == 1 &&
            sizeAt(begin + i) != 1)
          repeated.push_back(int64_t(k));
    begin += size_t(ranks[other]);
  }
  return repeated;
}
} // namespace glow::expr

//===- Size.cpp - sizes while a node is checked ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Size.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace glow;
using Relation = SizeCondition::Relation;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

namespace {

/// The state of a thread.
struct Deciding {
  SizeDecisions *scope = nullptr;
  unsigned proofs = 0;      ///< calls of isProven that are open
  bool isUndecided = false; ///< a comparison since the innermost call began
  const char *label = "";
};

thread_local Deciding deciding;

} // namespace

void glow::labelConditions(const char *label) { deciding.label = label; }

SizeDecisions::SizeDecisions() : outside(std::exchange(deciding.scope, this)) {}
SizeDecisions::~SizeDecisions() { deciding.scope = outside; }

void SizeDecisions::commit() {
  for (SizeCondition &condition : kept)
    if (outside)
      outside->keep(std::move(condition));
  kept.clear();
}

void SizeDecisions::add(SizeCondition condition) {
  SizeDecisions *scope = deciding.scope;
  if (scope)
    scope->keep(std::move(condition));
}

void SizeDecisions::keep(SizeCondition condition) {
  addCondition(kept, std::move(condition));
}

SizeProof::SizeProof() : wasOpen(std::exchange(deciding.isUndecided, false)) {
  ++deciding.proofs;
}
SizeProof::~SizeProof() {
  --deciding.proofs;
  deciding.isUndecided |= wasOpen;
}
bool SizeProof::isOpen() const { return deciding.isUndecided; }

/// The outcome of a comparison that ranges do not decide is that of extents.
static bool decide(bool outcome, Relation holds, Relation otherwise,
                   const Length &left, const Length &right) {
  if (deciding.proofs > 0)
    deciding.isUndecided = true;
  else if (outcome)
    SizeDecisions::add({holds, left, right, deciding.label});
  else if (otherwise == Relation::Differ)
    SizeDecisions::add({otherwise, left, right, deciding.label});
  else
    SizeDecisions::add({otherwise, right, left, deciding.label});
  return outcome;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

expr::Size::Size(const Length &length)
    : number(length.range().high),
      varying(length.isFixed() ? nullptr
                               : std::make_shared<const Length>(length)) {}

int64_t expr::Size::decided() const {
  decide(true, Relation::Equal, Relation::Differ, *varying, Length(number));
  return number;
}

bool expr::areEqual(const Size &a, const Size &b) {
  const Length x = a.length(), y = b.length();
  const LengthRange difference = (x - y).range();
  if (difference.low > 0 || difference.high < 0)
    return false;
  if (difference.low == 0 && difference.high == 0)
    return true;
  // One order of the sides, so that a condition is kept once; numbers are
  // right.
  const bool isInOrder =
      x.isFixed() == y.isFixed() ? x.text() <= y.text() : y.isFixed();
  return decide(a.extent() == b.extent(), Relation::Equal, Relation::Differ,
                isInOrder ? x : y, isInOrder ? y : x);
}

bool expr::areSameLengths(const Size &a, const Size &b) {
  const LengthRange difference = (a.length() - b.length()).range();
  return difference.low == 0 && difference.high == 0;
}

bool expr::isBelow(const Size &a, const Size &b) {
  const Length x = a.length(), y = b.length();
  const LengthRange difference = (x - y).range();
  if (difference.high < 0 || difference.low >= 0)
    return difference.high < 0;
  return decide(a.extent() < b.extent(), Relation::Below, Relation::AtMost, x,
                y);
}

bool expr::isAtMost(const Size &a, const Size &b) {
  const Length x = a.length(), y = b.length();
  const LengthRange difference = (x - y).range();
  if (difference.high <= 0 || difference.low > 0)
    return difference.high <= 0;
  return decide(a.extent() <= b.extent(), Relation::AtMost, Relation::Below, x,
                y);
}

Size expr::addOfLengths(const Size &a, const Size &b) {
  return Size(a.length() + b.length());
}
Size expr::subtractOfLengths(const Size &a, const Size &b) {
  return Size(a.length() - b.length());
}
Size expr::multiplyOfLengths(const Size &a, const Size &b) {
  return Size(a.length() * b.length());
}
Size expr::divideOfLengths(const Size &a, const Size &b) {
  return Size(quotient(a.length(), b.length()));
}
Size expr::moduloOfLengths(const Size &a, const Size &b) {
  return Size(remainder(a.length(), b.length()));
}
Size expr::maxOfLengths(const Size &a, const Size &b) {
  return Size(greater(a.length(), b.length()));
}
Size expr::minOfLengths(const Size &a, const Size &b) {
  return Size(lesser(a.length(), b.length()));
}

Size expr::floorOfProduct(const Size &a, double factor) {
  if (!a.isFixed())
    for (int64_t by : {1, 2, 3, 4, 5, 8, 16, 32, 64})
      if (const double of = factor * double(by); of == std::floor(of) &&
                                                 std::abs(of) < 1e9 &&
                                                 of / double(by) == factor)
        return Size(quotient(a.length() * Length(int64_t(of)), by));
  return floorOfProduct(int64_t(a), factor);
}

double expr::ratioOfLengths(const Size &a, const Size &b) {
  auto isTimes = [](const Size &large, const Size &small) {
    return small.extent() != 0 && large.extent() % small.extent() == 0 &&
           large.length() ==
               small.length() * Length(large.extent() / small.extent());
  };
  if (isTimes(a, b) || isTimes(b, a))
    return ratio(a.extent(), b.extent());
  return ratio(int64_t(a), int64_t(b));
}

Size expr::truncatedOfLengths(const Size &a, const Size &b) {
  if (b < 0)
    return truncatedOfLengths(subtract(0, a), subtract(0, b));
  return a >= 0 ? divide(a, b) : subtract(0, divide(subtract(0, a), b));
}

Size expr::stepsUntil(const Size &from, const Size &end, const Size &step) {
  if (from.isFixed() && end.isFixed() && step.isFixed())
    return stepsUntil(from.extent(), end.extent(), step.extent());
  const int64_t by = step;
  if (by == 0)
    return 0;
  // The distance, rounded up to whole steps.
  const Size distance = by > 0 ? subtract(end, from) : subtract(from, end);
  const int64_t each = abs(by);
  return max(divide(add(distance, each - 1), each), 0);
}

Ints Sizes::extents() const {
  Ints result;
  for (const Size &size : *this)
    result.push_back(size.extent());
  return result;
}

bool Sizes::areFixed() const {
  return std::all_of(begin(), end(),
                     [](const Size &size) { return size.isFixed(); });
}

Sizes::operator Ints() const { return Ints(begin(), end()); }

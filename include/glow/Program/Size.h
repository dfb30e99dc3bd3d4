//===- Size.h - sizes while a node is checked -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Generated shape functions compute with Sizes: numbers, and lengths that a run
// gives (glow/Program/Length.h). A number costs no more than an integer.
//
// The ranges of lengths decide most comparisons for all runs. The outcome of
// any other comparison is that for the greatest lengths, the extents, and
// SizeDecisions keeps it as a condition of the run. The same holds for a length
// that is used as a number. So code that knows nothing of lengths is right, for
// runs whose lengths are the extents.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_SIZE_H
#define GLOW_PROGRAM_SIZE_H

#include "glow/Base/Functions.h"
#include "glow/Program/Length.h"
#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// Labels the conditions of the thread from now on; a literal.
void labelConditions(const char *label);

/// Collects the decisions of a thread about lengths while it exists. Scopes
/// nest; the innermost one collects. Without a scope, decisions are lost: only
/// for code that repeats decisions, such as a verifier.
class SizeDecisions {
public:
  SizeDecisions();
  ~SizeDecisions();
  SizeDecisions(const SizeDecisions &) = delete;
  SizeDecisions &operator=(const SizeDecisions &) = delete;

  /// Decisions since the scope began, each once, in the order of their making.
  const std::vector<SizeCondition> &conditions() const { return kept; }
  /// Hands the decisions on to the scope outside, if there is one.
  void commit();

  /// Adds a decision to the innermost scope of the thread.
  static void add(SizeCondition condition);

private:
  void keep(SizeCondition condition);

  std::vector<SizeCondition> kept;
  SizeDecisions *outside;
};

/// While it exists, comparisons of the thread that depend on a run make no
/// decision, but leave the proof open.
class SizeProof {
public:
  SizeProof();
  ~SizeProof();
  SizeProof(const SizeProof &) = delete;
  SizeProof &operator=(const SizeProof &) = delete;
  bool isOpen() const;

private:
  bool wasOpen;
};

/// Whether a condition holds in each run. A condition that depends on a run is
/// not proven.
template <typename Condition> bool isProven(Condition condition) {
  SizeProof proof;
  const bool holds = condition();
  return holds && !proof.isOpen();
}

namespace expr {

/// A number, or a length that a run gives.
class Size {
public:
  Size() : number(0) {}
  template <std::integral I> Size(I number) : number(int64_t(number)) {}
  explicit Size(const Length &length);

  bool isFixed() const { return !varying; }
  /// The number, or the greatest value of the length.
  int64_t extent() const { return number; }
  Length length() const { return varying ? *varying : Length(number); }
  /// The extent of a length that is the same in all runs: decides that.
  operator int64_t() const { return varying ? decided() : number; }

private:
  int64_t decided() const;

  int64_t number;
  std::shared_ptr<const Length> varying; ///< null for a number
};

bool areEqual(const Size &a, const Size &b);
bool isBelow(const Size &a, const Size &b);
bool isAtMost(const Size &a, const Size &b);

/// For overloads that take a Size and a number, or two Sizes.
template <typename A, typename B>
concept WithSize = (std::same_as<A, Size> || std::integral<A>) &&
                   (std::same_as<B, Size> || std::integral<B>) &&
                   (std::same_as<A, Size> || std::same_as<B, Size>);

#define GLOW_COMPARE(op, open)                                                 \
  template <typename A, typename B>                                            \
    requires WithSize<A, B>                                                    \
  bool operator op(const A &a, const B &b) {                                   \
    const Size x(a), y(b);                                                     \
    return x.isFixed() && y.isFixed() ? x.extent() op y.extent() : open;       \
  }
GLOW_COMPARE(==, areEqual(x, y))
GLOW_COMPARE(<, isBelow(x, y))
GLOW_COMPARE(>, isBelow(y, x))
GLOW_COMPARE(<=, isAtMost(x, y))
GLOW_COMPARE(>=, isAtMost(y, x))
#undef GLOW_COMPARE

#define GLOW_ARITHMETIC(name)                                                  \
  Size name##OfLengths(const Size &a, const Size &b);                          \
  template <typename A, typename B>                                            \
    requires WithSize<A, B>                                                    \
  Size name(const A &a, const B &b) {                                          \
    const Size x(a), y(b);                                                     \
    return x.isFixed() && y.isFixed() ? Size(name(x.extent(), y.extent()))     \
                                      : name##OfLengths(x, y);                 \
  }
GLOW_ARITHMETIC(add)
GLOW_ARITHMETIC(subtract)
GLOW_ARITHMETIC(multiply)
GLOW_ARITHMETIC(divide)
GLOW_ARITHMETIC(modulo)
GLOW_ARITHMETIC(max)
GLOW_ARITHMETIC(min)
#undef GLOW_ARITHMETIC
inline Size abs(const Size &a) { return max(a, subtract(0, a)); }
inline bool isFixed(const Size &a) { return a.isFixed(); }
/// The quotient, without a decision if it is whole, or one by a whole number,
/// in all runs.
double ratioOfLengths(const Size &a, const Size &b);
/// Rounds towards zero, as elements divide.
Size truncatedOfLengths(const Size &a, const Size &b);
template <typename A, typename B>
  requires WithSize<A, B>
double ratio(const A &a, const B &b) {
  return ratioOfLengths(a, b);
}
template <typename A, typename B>
  requires WithSize<A, B>
Size truncatedQuotient(const A &a, const B &b) {
  return truncatedOfLengths(a, b);
}
/// Decides, unless the factor is a fraction of few digits.
Size floorOfProduct(const Size &a, double factor);
Size stepsUntil(const Size &from, const Size &end, const Size &step);
bool areSameLengths(const Size &a, const Size &b);
/// Whether the sizes are equal in each run.
inline bool isSame(const Size &a, const Size &b) {
  return a.isFixed() && b.isFixed() ? a.extent() == b.extent()
                                    : areSameLengths(a, b);
}
/// Whether `a` is the number, in each run.
inline bool isNumber(const Size &a, int64_t number) {
  return a.isFixed() && a.extent() == number;
}

} // namespace expr

using expr::Size;

inline int64_t extentOf(const Size &size) { return size.extent(); }

/// A list of sizes, such as a shape.
class Sizes : public std::vector<Size> {
public:
  using vector::vector;
  Sizes(const std::vector<Size> &list) : vector(list) {}
  Sizes(const Ints &numbers) : vector(numbers.begin(), numbers.end()) {}

  Ints extents() const;
  bool areFixed() const;
  /// The extents of lengths that are the same in all runs: decides that.
  operator Ints() const;
};
inline bool operator==(const Sizes &a, const Sizes &b) {
  return static_cast<const std::vector<Size> &>(a) ==
         static_cast<const std::vector<Size> &>(b);
}
inline bool operator==(const Sizes &a, const Ints &b) { return a == Sizes(b); }

namespace expr {

template <> struct ListOf<Size> {
  using Type = Sizes;
};

/// Numbers, sizes and lists of them, one after the other.
template <typename... T> Sizes sizes(const T &...parts) {
  Sizes result;
  [[maybe_unused]] auto add = [&](const auto &part) {
    if constexpr (requires { part.begin(); })
      result.insert(result.end(), part.begin(), part.end());
    else
      result.push_back(part);
  };
  (add(parts), ...);
  return result;
}

} // namespace expr

} // namespace glow

#endif // GLOW_PROGRAM_SIZE_H

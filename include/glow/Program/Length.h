//===- Length.h - sizes that a run gives ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A dimension of a tensor has an extent, its static upper bound, and a length,
// its size in a run. A Length is an expression of integers and of size
// variables. Expressions are polynomials of variables and of the quotients,
// maxima and minima that no polynomial describes. Equal polynomials are equal
// Lengths, so that a reshape of [N, 4, S] to [N, 4 * S] is known to fit.
//
// Arithmetic beyond 64 bits sets expr::hasOverflowed, as on numbers
// (glow/Base/Functions/Numbers.h).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_LENGTH_H
#define GLOW_PROGRAM_LENGTH_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glow {

template <typename T> class Result;

/// A size variable: an open dimension of the inputs, or a number that a node
/// computes. Variables are equal if all members are.
struct SizeVariable {
  std::string name;     ///< letters, digits, `_` and `.`; no digit first
  int64_t low = 0;      ///< least value of a run; not negative
  int64_t high = 0;     ///< greatest value
  int64_t multiple = 1; ///< positive divisor of all values

  /// "N = 1..16", or "S = 8..512 by 8"; `parse` reads it. The bounds are
  /// multiples of the divisor.
  std::string text() const;
  static Result<SizeVariable> parse(std::string_view text);
  bool operator==(const SizeVariable &) const = default;
};

/// Bounds of an expression over all runs, both included. A bound beyond 64 bits
/// is the least or the greatest number.
struct LengthRange {
  int64_t low, high;
};

class Length {
public:
  struct Atom;

  Length(int64_t value = 0) : constant(value) {}
  explicit Length(SizeVariable variable);

  /// Whether the length is the same in all runs.
  bool isFixed() const { return terms.empty(); }
  /// The number of a fixed length.
  int64_t fixed() const;
  /// The variable that the length is; null for any other length.
  const SizeVariable *variable() const;
  LengthRange range() const;
  /// A positive divisor of all values: 1 if no other is known, 0 for 0.
  int64_t divisor() const;

  /// "4*N*S + 2", "(N + 1)/2", "max(N, M)"; `/` rounds down. `parse` reads it.
  std::string text() const;
  /// Reads an expression of `variables`. Fails with Code::InvalidArgument, with
  /// the position in the text.
  static Result<Length> parse(std::string_view text,
                              const std::vector<SizeVariable> &variables);

  /// The value in a run, in which `valueOf` gives the values of variables.
  int64_t at(const std::function<int64_t(const SizeVariable &)> &valueOf) const;
  /// Calls `visit` with each variable, perhaps several times.
  void
  visitVariables(const std::function<void(const SizeVariable &)> &visit) const;

  /// A step that computes the expression on a stack: it pushes a number or a
  /// variable, or replaces the last two values by their result.
  struct Step {
    enum Op { Number, Variable, Add, Multiply, Quotient, Greater, Lesser } op;
    int64_t number = 0;
    SizeVariable variable{};
  };
  void visitSteps(const std::function<void(const Step &)> &visit) const;

  bool operator==(const Length &other) const;

  friend Length operator+(const Length &a, const Length &b);
  friend Length operator-(const Length &a, const Length &b);
  friend Length operator*(const Length &a, const Length &b);
  /// Round towards minus infinity; 0 for a divisor of 0.
  friend Length quotient(const Length &a, const Length &b);
  friend Length remainder(const Length &a, const Length &b);
  friend Length greater(const Length &a, const Length &b);
  friend Length lesser(const Length &a, const Length &b);

private:
  using Atoms = std::vector<std::shared_ptr<const Atom>>;
  /// A product of atoms, which are in order of their texts.
  struct Term {
    int64_t factor;
    Atoms atoms;
  };
  static Length ofAtom(Atom atom);
  static Atom quotientAtom(const Length &a, const Length &b);
  static int order(const Atoms &a, const Atoms &b);
  void add(int64_t factor, Atoms atoms);
  void add(const Length &other, int64_t factor);

  int64_t constant = 0;
  std::vector<Term> terms{}; ///< in order; factors are not 0
};

/// A condition of a run: the relation of two lengths.
struct SizeCondition {
  enum class Relation : uint8_t { Equal, Differ, Below, AtMost };
  Relation relation;
  Length left, right;
  std::string label{}; ///< the requirement of a record that needs it, or ""

  /// "N == 16", "N < S".
  std::string text() const;
  bool holds(int64_t leftValue, int64_t rightValue) const;
  /// Whether the relation is the same, whatever needs it.
  bool operator==(const SizeCondition &other) const {
    return relation == other.relation && left == other.left &&
           right == other.right;
  }
};

/// A list of lengths and its variables: "[N, 4*S], N = 1..16, S = 8..512 by 8".
/// Equal lists have equal texts. `parseLengths` reads it; it fails with
/// Code::InvalidArgument, with the part that is wrong.
std::string lengthsText(const std::vector<Length> &lengths);
Result<std::vector<Length>> parseLengths(std::string_view text);

} // namespace glow

#endif // GLOW_PROGRAM_LENGTH_H

//===- Formula.h - fused nodes as text --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
//   formula   := [call {`;` call}]
//   call      := mnemonic `(` [argument {`,` argument}] `)`
//   argument  := `x` number      an operand
//              | `t` number      the result of an earlier call
//              | `none`          an absent operand
//              | number          a constant, or the value of an attribute
//              | kind            the value of an attribute
//              | `[` [number {`,` number}] `]`   the same, of a list
//              | `'` characters `'`              the same, of a text
//
// The last call is the result; an empty formula gives x0. Calls are Pointwise
// nodes. Formulas of `cpu_fused_loops` may also call nodes of index notation.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_FORMULA_H
#define GLOW_GRAPH_FORMULA_H

#include "glow/Base/ElementKind.h"
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glow {

struct Formula {
  /// An operand: x0, x1...
  struct Input {
    size_t index;
    bool operator==(const Input &) const = default;
  };
  /// The result of a call: t0, t1...
  struct Value {
    size_t index;
    bool operator==(const Value &) const = default;
  };
  /// An optional operand that is absent.
  struct Absent {
    bool operator==(const Absent &) const = default;
  };
  /// The value of a text attribute; it contains no quote.
  struct Text {
    std::string characters;
    bool operator==(const Text &) const = default;
  };
  using Numbers = std::vector<double>;
  using Argument =
      std::variant<Input, Value, double, ElementKind, Absent, Text, Numbers>;

  struct Call {
    std::string mnemonic;
    std::vector<Argument> arguments;
  };
  std::vector<Call> calls;

  /// Parses a formula. Nothing for a text that is no formula; `wrong` then gets
  /// the reason with its position in the text.
  static std::optional<Formula> parse(std::string_view text,
                                      std::string *wrong = nullptr);

  /// Number of operands that the formula needs: one more than the highest that
  /// it reads.
  size_t inputs() const;

  /// Limit on the calls of a fused formula. Fusion rebuilds a formula whenever
  /// it grows, and its code is one function.
  static constexpr size_t mostCalls = 64;
  bool mayPrecede(const Formula &next) const {
    return calls.size() + next.calls.size() <= mostCalls;
  }

  std::string text() const;
};

} // namespace glow

#endif // GLOW_GRAPH_FORMULA_H

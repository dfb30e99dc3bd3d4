//===- Formula.h - chains of Pointwise nodes as text ----------*- C++ -*-===//
//
//   formula   := [call {`;` call}]
//   call      := mnemonic `(` argument {`,` argument} `)`
//   argument  := `x` number      an operand
//              | `t` number      the result of an earlier call
//              | number          a constant, or the value of an attribute
//              | kind            the value of an attribute
//
// The last call is the result; an empty formula gives x0.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_COMMON_FORMULA_H
#define GLOW_BACKENDS_CPU_COMMON_FORMULA_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Status.h"
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glow::cpu {

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
  using Argument = std::variant<Input, Value, double, ElementKind>;

  struct Call {
    std::string mnemonic;
    std::vector<Argument> arguments;
  };
  std::vector<Call> calls;

  /// Fails with Code::InvalidArgument, showing the place in the text. `inputs`
  /// is how many operands there are.
  static Result<Formula> parse(std::string_view text, size_t inputs);

  /// No longer one is made of two: its text is read anew whenever it grows, and
  /// its code is one function.
  static constexpr size_t mostCalls = 64;
  bool mayPrecede(const Formula &next) const {
    return calls.size() + next.calls.size() <= mostCalls;
  }

  std::string text() const;

  /// The formula that first computes `*this` and then `next`, whose operand
  /// `place` is the result of `*this`. Operands of `*this` come first and keep
  /// their numbers; the others of `next` follow in their order.
  Formula then(const Formula &next, size_t inputs, size_t place) const;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_FORMULA_H

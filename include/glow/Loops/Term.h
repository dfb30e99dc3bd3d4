//===- Term.h - expression trees of index notation --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Subscripts, conditions and values as trees over the indices of a statement.
// Attributes and fixed sizes are already numbers, so trees are folded as they
// are made, and an index knows its bounds. A size that a run gives is a leaf
// that knows its range. Equal trees are shared and compared by address.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_TERM_H
#define GLOW_LOOPS_TERM_H

#include "glow/Base/Ints.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace glow::loops {

class Program;
struct Node;

/// Type of a tree's value.
enum class Form : uint8_t {
  Index,   ///< an integer of 64 bits
  Boolean, ///< a boolean
  Element  ///< a number in the computation kind of the statement
};

enum class Op : uint8_t {
  Number, ///< `integer` or, as an element, `real`
  Index,  ///< index number `integer`
  Size,   ///< the value of size variable number `integer` in a run
  Load,   ///< an element of tensor `integer`; the operands are subscripts
  Add,
  Subtract,
  Multiply,
  Divide,    ///< indices round down; elements divide as their kind does
  Modulo,    ///< for indices, with the sign of the divisor
  Remainder, ///< for elements, with the sign of the dividend
  Negate,
  Less,
  LessEqual,
  Equal,
  Both,
  Either,
  Not,
  Select,  ///< the second operand if the first holds, else the third
  Convert, ///< index or boolean to element, or either to boolean
  Call,    ///< ScalarFunction record `name`, on elements
  Formula  ///< on elements; `name` is its text (glow/Graph/Formula.h)
};

/// Result of a load outside of its tensor.
enum class Outside : uint8_t {
  Never, ///< the bounds keep the load inside
  Skips, ///< drop the term; an assignment takes the other value
  Zero,
  Fails ///< end the run with an error
};

/// A pointer to a tree, or null.
class Term {
public:
  Term() = default;
  explicit Term(const Node *node) : node(node) {}
  const Node *operator->() const { return node; }
  const Node &operator*() const { return *node; }
  explicit operator bool() const { return node; }
  bool operator==(const Term &) const = default;
  const Node *get() const { return node; }

private:
  const Node *node = nullptr;
};

/// A list of indices or of subscripts.
struct Terms : llvm::SmallVector<Term, 4> {
  using SmallVector::SmallVector;
};

/// A set of indices of a program, a bit for each.
__extension__ using IndexSet = unsigned __int128;

struct Node {
  Op op;
  Form form;
  Outside outside = Outside::Never;
  int64_t integer = 0;
  double real = 0;
  std::string name{};
  Terms operands{};

  Program *program = nullptr;
  IndexSet indices = 0; ///< indices in the tree
  int64_t low = 0;      ///< minimum of an index value
  int64_t high = 0;     ///< and its maximum

  bool isNumber() const { return op == Op::Number; }
  bool isNumber(int64_t value) const {
    return isNumber() && form == Form::Index && integer == value;
  }
  /// Not for a program with more indices than bits, which gets no code.
  bool dependsOn(unsigned index) const {
    return index < 8 * sizeof indices && (indices >> index & 1);
  }
};

/// Makes an operation on trees of one program, and folds it. The result is an
/// index if all operands are; otherwise indices are converted to elements.
Term make(Op op, llvm::ArrayRef<Term> operands);
/// The greater of two integers or elements, or the less.
Term greatest(Term a, Term b, bool isGreatest = true);
Term asElement(Term term);
Term asBoolean(Term term);

/// Whether the tree loads an element.
bool hasLoad(Term term);

} // namespace glow::loops

#endif // GLOW_LOOPS_TERM_H

//===- Term.h - what a statement of index notation computes -----*- C++ -*-===//
//
// Subscripts, conditions and values as trees over the indices of a statement.
// Sizes and attributes are numbers by then, so that a tree is folded as it is
// made, and an index knows its bounds. Equal trees are one: their addresses
// are compared.
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

/// What a tree gives.
enum class Form : uint8_t {
  Index,  ///< an integer of 64 bits
  Truth,  ///< holds or does not
  Element ///< a number of the kind that the statement computes in
};

enum class Op : uint8_t {
  Number, ///< `integer` or, as an element, `real`
  Index,  ///< index number `integer`
  Load,   ///< an element of tensor `integer`; the operands are subscripts
  Add,
  Subtract,
  Multiply,
  Divide,    ///< of indices rounded down; of elements as the kind divides
  Modulo,    ///< of indices, with the sign of the divisor
  Remainder, ///< of elements, with the sign of the dividend
  Negate,
  Less,
  LessEqual,
  Equal,
  Both,
  Either,
  Not,
  Select,  ///< the second where the first holds, else the third
  Convert, ///< an index or a truth as an element, or either as a truth
  Call,    ///< `name`, a ScalarFunction record's, of elements
  Formula  ///< of elements: `name` is its text (glow/Graph/Formula.h)
};

/// What a load gives outside of its tensor.
enum class Outside : uint8_t {
  Never, ///< it is inside by its bounds
  Skips, ///< the term does not count; what is assigned is the other value
  Zero,
  Fails ///< the run ends
};

/// A tree. Null stands for none.
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

struct Node {
  Op op;
  Form form;
  Outside outside = Outside::Never;
  int64_t integer = 0;
  double real = 0;
  std::string name{};
  Terms operands{};

  Program *program = nullptr;
  uint64_t indices = 0; ///< a bit for each index that it depends on
  int64_t low = 0;      ///< of an index, what it is at least
  int64_t high = 0;     ///< and at most

  bool isNumber() const { return op == Op::Number; }
  bool isNumber(int64_t value) const {
    return isNumber() && form == Form::Index && integer == value;
  }
  /// Not of a program with more indices than bits, which has no code.
  bool dependsOn(unsigned index) const {
    return index < 64 && (indices >> index & 1);
  }
};

/// An operation on trees of one program, folded. Indices stay such where all
/// operands are; beside an element they become elements.
Term make(Op op, llvm::ArrayRef<Term> operands);
Term asElement(Term term);
Term asTruth(Term term);

/// Whether an element stands in the tree.
bool hasLoad(Term term);

} // namespace glow::loops

#endif // GLOW_LOOPS_TERM_H

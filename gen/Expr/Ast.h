//===- Ast.h - expressions and statements of the record language ----------===//
// SPDX-License-Identifier: MIT
//
// One small infix language serves every field of the records: shapes,
// requirements, scalar formulas, index notation, rules, imports, legality.
// docs/Language.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_EXPR_AST_H
#define GLOW_GEN_EXPR_AST_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <memory>
#include <string>
#include <vector>

namespace glow::gen {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// A node of the syntax tree. `at` points into the buffer of the .td file, so
/// that a message can put its caret there; null for made-up expressions.
struct Expr {
  enum class Kind {
    Integer,   // text: the digits
    Real,      // text: the digits
    Text,      // text: what stands between the quotes
    Name,      // text: the name, dotted ones (`d.out`) included
    Call,      // text: the callee; children: arguments; labels: their names
    Binary,    // text: the operator; two children
    Unary,     // text: `-` or `!`; one child
    Subscript, // children: what is indexed, then the indices
    List,      // children: the elements
    Spread,    // `*list` in a subscript; one child
    Each,      // `[x + y for x, y in xs, ys]`; labels: the names; children: the
               // element, then the lists
  };
  Kind kind;
  std::string text;
  std::vector<ExprPtr> children;
  std::vector<std::string> labels;
  const char *at = nullptr;

  bool isName(llvm::StringRef name) const {
    return kind == Kind::Name && text == name;
  }
};

/// Whether the expression is a number as written, with or without a sign.
bool isLiteral(const ExprPtr &expr);

ExprPtr makeExpr(Expr::Kind kind, llvm::StringRef text,
                 std::vector<ExprPtr> children = {}, const char *at = nullptr);
ExprPtr makeInteger(int64_t value);
ExprPtr makeName(const llvm::Twine &name);
ExprPtr makeBinary(llvm::StringRef op, ExprPtr lhs, ExprPtr rhs);
ExprPtr makeCall(llvm::StringRef callee, std::vector<ExprPtr> arguments);

/// The operands of a chain of `&&`, from the left; any other expression is its
/// own only operand.
std::vector<ExprPtr> conjunctsOf(const ExprPtr &expr);

/// Whether a name stands somewhere in the expression.
bool mentions(const ExprPtr &expr, llvm::StringRef name);

/// The expression with `name` replaced by `value` everywhere.
ExprPtr substitute(const ExprPtr &expr, llvm::StringRef name, ExprPtr value);
/// The expression with names replaced by what they stand for, all at once.
ExprPtr substitute(const ExprPtr &expr, const llvm::StringMap<ExprPtr> &values);

/// How a person would write it: `lhs + exp(rhs)`.
std::string textOf(const ExprPtr &expr);

/// The range of an index: `over r < kernel`; or a part of its size between
/// bounds, in which elements may stand: `over starts[b] <= r < starts[b + 1]`.
struct IndexRange {
  std::string name;
  bool spread = false;
  ExprPtr extent;       // of one with bounds, its size
  bool isGiven = false; // the extent; else that of a place where it stands
  ExprPtr low, high;    // both or neither
  const char *at = nullptr;

  bool hasBounds() const { return low != nullptr; }
};

/// `scan index from 0 { statements }`: they hold for one value of the index,
/// all of them, before the next; with `index < extent` for so many.
struct Scan {
  std::string index;
  bool backwards = false; // `to 0`
  ExprPtr condition;      // of `to 0 if condition`, else from 0; may be null
  ExprPtr extent;         // as given, or the size where the index stands
  bool isGiven = false;   // the former
  const char *at = nullptr;
};

/// `target op value`; a call on its own (`require(...)`), which has no targets;
/// or `for names in lists { body }`.
struct Statement {
  std::vector<ExprPtr> targets; // names, or one subscript in index notation
  std::string op;               // "=", "+=", "max=", ...; empty for a call
  ExprPtr value;                // null for a loop
  // Of index notation alone: `target op value else otherwise over ranges`.
  ExprPtr otherwise; // may be null
  std::vector<IndexRange> ranges;
  std::shared_ptr<const Scan> scan; // that it stands in; may be null
  std::vector<std::string> present; // operands that are known to be there
  std::vector<std::string> names;   // that `for` binds; else empty
  std::vector<ExprPtr> lists;       // one a name
  std::vector<Statement> body;      // of the loop
  const char *at = nullptr;

  bool isLoop() const { return !names.empty(); }
};

/// The expressions that an indexed statement reads: its value, and the bounds
/// of its ranges.
std::vector<ExprPtr> readBy(const Statement &statement);
/// The bounds alone.
std::vector<ExprPtr> boundsOf(const Statement &statement);
/// The range that the statement gives an index; null for one without.
const IndexRange *rangeOf(const Statement &statement, llvm::StringRef index);

/// The values of the statements, in order, loops' lists and bodies included.
std::vector<ExprPtr> valuesOf(const std::vector<Statement> &statements);

/// The names that the statements assign to, loops' bodies included.
std::vector<ExprPtr> targetsOf(const std::vector<Statement> &statements);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_AST_H

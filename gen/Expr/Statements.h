//===- Statements.h - assignments and loops, in C++ -----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_STATEMENTS_H
#define GLOW_GEN_EXPR_STATEMENTS_H

#include "Expr/Type.h"
#include "llvm/Support/raw_ostream.h"

namespace glow::gen {

/// Writes statements as C++: a variable for each assignment, a loop for each
/// `for`. Derived classes emit the expressions.
class StatementEmitter {
public:
  virtual ~StatementEmitter() = default;

  virtual void statement(const Statement &statement);
  void statements(const std::vector<Statement> &all) {
    for (const Statement &one : all)
      statement(one);
  }
  Scope &names() { return scope; }

protected:
  StatementEmitter(const llvm::Record &record, Scope scope,
                   llvm::raw_ostream &os)
      : record(record), scope(std::move(scope)), stream(&os) {}

  /// Writes the statements that the expression needs; returns its type and C++.
  virtual TypedCode emit(const ExprPtr &expr) = 0;
  /// A call on its own.
  virtual void call(const Statement &statement) = 0;
  /// Several names on the left.
  virtual void unpack(const Statement &statement) = 0;

  /// Writes what a loop over lists needs, as far as the shortest goes, and
  /// gives the names their elements; returns the C++ that opens the loop.
  std::string openLoop(const std::vector<std::string> &names,
                       llvm::ArrayRef<ExprPtr> lists);
  /// Gives a name a value from here on.
  void assign(llvm::StringRef name, const TypedCode &value);
  /// A new variable of C++.
  std::string fresh(llvm::StringRef prefix = "t");
  [[noreturn]] void fail(const ExprPtr &at, const llvm::Twine &message) const;
  llvm::raw_ostream &os() { return *stream; }

  const llvm::Record &record;
  Scope scope;
  llvm::raw_ostream *stream;

private:
  void loop(const Statement &statement);
  unsigned counter = 0;
};

/// The type of an element of a list, and of a list of such elements.
std::optional<Type> elementType(Type list);
std::optional<Type> listType(Type element);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_STATEMENTS_H

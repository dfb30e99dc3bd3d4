//===- Parser.h - from text in a record to a syntax tree ------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_PARSER_H
#define GLOW_GEN_EXPR_PARSER_H

#include "Expr/Ast.h"
#include "llvm/ADT/Twine.h"
#include <optional>

namespace llvm {
class Record;
}

namespace glow::gen {

/// Ends ClassGen with `message`, with a caret where `at` points in a .td file,
/// or at the record when `at` is null.
[[noreturn]] void fatalAt(const char *at, const llvm::Record &record,
                          const llvm::Twine &message);

/// Where `text` stands in the .td file: the first literal that it begins behind
/// the place of `record`, else the first place at all; null when there is none.
const char *positionOf(llvm::StringRef text, const llvm::Record &record);

/// Reads the language. The text is a copy of a literal of `record`; positions
/// are found again in the .td file. Every error ends ClassGen with a caret.
///
/// Where the record has a field `with`, a name that it gives stands for what it
/// is given: a number, an expression (a text), or a node or function to call.
class Parser {
public:
  Parser(llvm::StringRef text, const llvm::Record &record);
  /// `text` is a part of `literal`.
  Parser(llvm::StringRef text, llvm::StringRef literal,
         const llvm::Record &record);

  ExprPtr expression() { return binary(1); }
  /// Parses statements of rules, gradients, imports and functions: assignments
  /// to names, loops, and calls on their own.
  std::vector<Statement> statements();
  /// Parses statements of index notation: one target each, with `else` and
  /// `over`. Statements of a scan follow one after the other.
  std::vector<Statement> indexed();
  /// Parses values of samples: `name = value;`.
  std::vector<Statement> values();

  bool eat(llvm::StringRef token);
  bool peek(llvm::StringRef token);
  void expect(llvm::StringRef token);
  bool atEnd();
  void expectEnd();
  bool peekName();
  std::string name();
  /// A word that is not part of a longer one.
  bool eatWord(llvm::StringRef word);
  bool peekWord(llvm::StringRef word);
  [[noreturn]] void fail(const llvm::Twine &message,
                         const char *where = nullptr);
  const char *here();

private:
  ExprPtr primary();
  ExprPtr number();
  ExprPtr text();
  ExprPtr call(std::string callee, const char *at);
  ExprPtr named(const std::string &name, const char *at);
  ExprPtr list(const char *at);
  void bindings(std::vector<std::string> &names, std::vector<ExprPtr> &lists,
                const char *at);
  Statement statement();
  Statement indexedStatement();
  std::shared_ptr<const Scan> scanHead();
  Statement valueStatement();
  std::vector<Statement> sequence(Statement (Parser::*one)(),
                                  llvm::StringRef last = "");
  std::vector<IndexRange> ranges();
  IndexRange range();
  bool peekRanged();
  void refuseClauses();
  Statement loop(Statement begun);
  /// The expression that `with` of the record gives a name; null without one.
  ExprPtr given(llvm::StringRef name);
  ExprPtr unary();
  ExprPtr binary(int lowest);
  ExprPtr subscriptItem();
  void skipSpace();
  std::optional<std::string> assignment();
  const char *inFile(const char *where) const;

  /// Refuses what is so deep that walks over the syntax tree, which are
  /// recursive, would have no stack left.
  void checkDepth(unsigned depth, const char *at);

  unsigned nesting = 0; // of expressions that are being read
  std::string owned;
  const char *cursor, *end;
  const char *base; // of the text in the .td file; null when it is empty
  bool isEscaped = false;
  std::vector<std::string> open; // names of `with` that are being read
  const llvm::Record &record;
};

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_PARSER_H

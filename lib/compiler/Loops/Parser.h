//===- Parser.h - programs from text ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_COMPILER_LOOPS_PARSER_H
#define GLOW_LIB_COMPILER_LOOPS_PARSER_H

#include "Lexer.h"
#include "glow/Loops/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace glow::loops {

/// Parses the programs of a text. Functions that return a bool or a tree return
/// false or null after reporting an error.
class Parser {
public:
  using Report = llvm::function_ref<void(const char *, const llvm::Twine &)>;
  Parser(llvm::StringRef text, Report report)
      : tokens(tokensOf(text)), report(report) {}

  std::optional<std::vector<NamedProgram>> run();

private:
  // Tokens.
  const Token &token() const { return tokens[next]; }
  bool fail(const llvm::Twine &message) { return failAt(token(), message); }
  bool failAt(const Token &at, const llvm::Twine &message);
  bool isOn(llvm::StringRef word) const { return token().is(word); }
  bool take(llvm::StringRef word);
  bool isAtEnd() const {
    return token().kind == Token::End || token().kind == Token::Wrong;
  }
  bool expect(llvm::StringRef word);
  bool expectName(llvm::StringRef &name, llvm::StringRef what);
  bool expectInteger(int64_t &number, llvm::StringRef what);
  bool expectLength(Length &length, llvm::StringRef what);
  bool listOf(llvm::StringRef close, llvm::function_ref<bool()> one);

  // Programs.
  bool parseProgram();
  bool parseSize();
  bool parseTensor();
  bool parseScan();
  bool parseStatement();
  bool parseUpdate();
  bool addIndices();
  bool addTerms(size_t from);
  bool addIndex(const Token &at, llvm::StringRef name, const Length &length);
  bool parseLet();
  bool parseOver();
  bool parseBounds();
  bool parsePlan();
  bool parsePart(PlanEntry &entry);
  bool parseCombine(ReductionKind &combine);

  // Trees.
  Term parseValue() { return parseBinary(0); }
  Term parseBinary(unsigned level);
  Term parseUnary();
  Term parsePrimary();
  Term parseNumber(bool isNegative);
  Term parseName();
  Term parseLoad(llvm::StringRef name, bool asIndex);
  Term parseCall(llvm::StringRef name);
  Term parseFormula();
  Term parseIndexForm(llvm::StringRef form);
  bool parseSubscripts(unsigned tensor, Terms &subscripts, Outside *outside);
  Term checked(Term term);

  /// The size of a tree with its shared parts written out, and the depth of its
  /// operations.
  struct TreeSize {
    size_t words = 1, depth = 1;
  };
  TreeSize sizeOf(Term term);

  std::vector<Token> tokens;
  size_t next = 0;
  Report report;
  bool hasFailed = false;
  std::vector<NamedProgram> programs;
  Program *program = nullptr;
  llvm::StringMap<unsigned> tensors;
  llvm::StringMap<Term> names;         ///< indices, lets and variables in scope
  llvm::StringMap<Term> sizeVariables; ///< by their names
  llvm::DenseMap<const Node *, TreeSize> sizes;
  size_t nesting = 0; ///< depth within the value being parsed
  int64_t bytes = 0;
};

/// A token's text in messages.
std::string shown(const Token &token);

} // namespace glow::loops

#endif // GLOW_LIB_COMPILER_LOOPS_PARSER_H

//===- Lexer.h - the tokens of a program's text -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_COMPILER_LOOPS_LEXER_H
#define GLOW_LIB_COMPILER_LOOPS_LEXER_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace glow::loops {

struct Token {
  enum Kind { Name, Integer, Real, String, Symbol, End, Wrong } kind;
  llvm::StringRef text; ///< a string without its quotes

  bool is(llvm::StringRef word) const {
    return (kind == Name || kind == Symbol) && text == word;
  }
};

/// All tokens of a text, without blanks and comments. The last token is an End
/// or, where a character begins no token, a Wrong token.
std::vector<Token> tokensOf(llvm::StringRef text);

} // namespace glow::loops

#endif // GLOW_LIB_COMPILER_LOOPS_LEXER_H

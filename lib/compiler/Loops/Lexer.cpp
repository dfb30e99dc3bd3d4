//===- Lexer.cpp - the tokens of a program's text -------------------------===//
// SPDX-License-Identifier: MIT

#include "Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow::loops;
using llvm::StringRef;

static bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

/// A name may have points inside.
static StringRef nameAt(StringRef text) {
  size_t end = 0;
  while (end < text.size() &&
         (isNamePart(text[end]) || (text[end] == '.' && end + 1 < text.size() &&
                                    isNamePart(text[end + 1]))))
    ++end;
  return text.take_front(end);
}

/// The characters of a number from the first digit on: "12", "1.5", "1e-05".
static Token numberAt(StringRef text) {
  size_t end = std::min(text.find_if_not(llvm::isDigit), text.size());
  auto skipDigits = [&](size_t from) {
    return std::min(text.find_if_not(llvm::isDigit, from), text.size());
  };
  bool isReal = false;
  if (end + 1 < text.size() && text[end] == '.' &&
      llvm::isDigit(text[end + 1])) {
    isReal = true;
    end = skipDigits(end + 1);
  }
  size_t exponent = end + 1;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    if (exponent < text.size() &&
        (text[exponent] == '-' || text[exponent] == '+'))
      ++exponent;
    if (exponent < text.size() && llvm::isDigit(text[exponent])) {
      isReal = true;
      end = skipDigits(exponent);
    }
  }
  return {isReal ? Token::Real : Token::Integer, text.take_front(end)};
}

/// A string from its quote on. A backslash escapes the next character.
static Token stringAt(StringRef text) {
  for (size_t end = 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '"')
      return {Token::String, text.slice(1, end)};
    end += text[end] == '\\';
  }
  return {Token::Wrong, text.take_front(1)};
}

static Token symbolAt(StringRef text) {
  for (StringRef two : {"<=", ">=", "==", "!=", "&&", "||", "+=", "*=", ".."})
    if (text.starts_with(two))
      return {Token::Symbol, text.take_front(2)};
  bool isSymbol = StringRef("{}[](),:=<>+-*/%!").contains(text.front());
  return {isSymbol ? Token::Symbol : Token::Wrong, text.take_front(1)};
}

static Token tokenAt(StringRef text) {
  if (text.empty())
    return {Token::End, text};
  if (isNameStart(text.front()))
    return {Token::Name, nameAt(text)};
  if (llvm::isDigit(text.front()))
    return numberAt(text);
  return text.front() == '"' ? stringAt(text) : symbolAt(text);
}

static StringRef withoutBlanks(StringRef text) {
  for (;;) {
    text = text.ltrim();
    if (!text.starts_with("//"))
      return text;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

std::vector<Token> glow::loops::tokensOf(StringRef text) {
  std::vector<Token> tokens;
  for (text = withoutBlanks(text);; text = withoutBlanks(text)) {
    tokens.push_back(tokenAt(text));
    const Token &token = tokens.back();
    if (token.kind == Token::End || token.kind == Token::Wrong)
      return tokens;
    text = text.substr(size_t(token.text.end() - text.data()) +
                       (token.kind == Token::String));
  }
}

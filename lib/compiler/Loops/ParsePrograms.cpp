//===- ParsePrograms.cpp - programs from text -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Parser.h"

using namespace glow;
using namespace glow::loops;
using llvm::StringRef;
using llvm::Twine;

/// An upper bound of the bytes of all tensors of a program.
static constexpr int64_t mostBytes = int64_t(1) << 62;

bool Parser::parseTensor() {
  const Token &at = token();
  StringRef name, kind;
  if (!expectName(name, "the name of a tensor") || !expect(":"))
    return false;
  if (tensors.contains(name))
    return failAt(at, "'" + name + "' is already a tensor of the program");
  const Token &kindAt = token();
  if (!expectName(kind, "an element kind"))
    return false;
  std::optional<ElementKind> known = elementKindNamed(kind);
  if (!known)
    return failAt(kindAt, "'" + kind + "' is no element kind");
  Sizes sizes;
  int64_t size = int64_t(byteSize(*known));
  auto one = [&] {
    Length length;
    if (!expectLength(length, "a size"))
      return false;
    const int64_t extent = std::max<int64_t>(length.range().high, 1);
    size = size > mostBytes || __builtin_mul_overflow(size, extent, &size)
               ? mostBytes + 1
               : size;
    sizes.push_back(Size(length));
    return true;
  };
  if (!expect("[") || !listOf("]", one))
    return false;
  Tensor tensor = tensorOf(*known, sizes, name);
  if (size > mostBytes || (bytes += size) > mostBytes)
    return failAt(at, "the tensors have more than 2^62 bytes");
  if (take("at")) {
    int64_t place;
    if (!expect("byte") || !expectInteger(place, "the place of the tensor"))
      return false;
    tensor.place = place;
  }
  tensors[name] = program->addTensor(std::move(tensor));
  return true;
}

/// A string with its escapes replaced: a backslash before a character or two
/// hexadecimal digits.
static std::string unescaped(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned code;
    if (text[i] != '\\' || i + 1 == text.size())
      result += text[i];
    else if (!text.substr(i + 1, 2).getAsInteger(16, code) &&
             text.substr(i + 1, 2).size() == 2)
      result += char(code), i += 2;
    else
      result += text[++i];
  }
  return result;
}

/// Parses a size variable: `S = 8..512 by 8`.
bool Parser::parseSize() {
  const Token &at = token();
  StringRef name;
  SizeVariable variable;
  if (!expectName(name, "the name of a size") || !expect("="))
    return false;
  if (isReserved(name) || sizeVariables.contains(name))
    return failAt(at, "'" + name + "' is already " +
                          (isReserved(name) ? "a word of the language"
                                            : "a size of the program"));
  const Token &range = token();
  if (!expectInteger(variable.low, "the least value of '" + name.str() + "'") ||
      !expect("..") ||
      !expectInteger(variable.high,
                     "the greatest value of '" + name.str() + "'"))
    return false;
  if (take("by") &&
      !expectInteger(variable.multiple, "the divisor of '" + name.str() + "'"))
    return false;
  if (variable.low > variable.high || variable.multiple < 1)
    return failAt(range, "no value is in the range of '" + name + "'");
  variable.name = name.str();
  sizeVariables[name] = program->size(variable);
  return true;
}

bool Parser::parseProgram() {
  if (!expect("loops"))
    return false;
  programs.push_back({"", std::make_unique<Program>(std::vector<Tensor>())});
  program = programs.back().program.get();
  tensors.clear();
  sizeVariables.clear();
  sizes.clear();
  bytes = 0;
  if (token().kind == Token::String)
    programs.back().name = unescaped(tokens[next++].text);
  StringRef kind;
  if (!expect("in"))
    return false;
  const Token &at = token();
  if (!expectName(kind, "the kind in which the program computes"))
    return false;
  std::optional<ElementKind> known = elementKindNamed(kind);
  if (!known || isSmall(*known))
    return failAt(at, "'" + kind + "' is no kind to compute in");
  program->computes = *known;
  if (!expect("{"))
    return false;
  if (take("sizes"))
    do
      if (!parseSize())
        return false;
    while (take(","));
  names = sizeVariables;
  while (take("tensor"))
    if (!parseTensor())
      return false;
  while (!take("}"))
    if (take("scan") ? !parseScan() : !parseStatement())
      return false;
  return true;
}

std::optional<std::vector<NamedProgram>> Parser::run() {
  while (token().kind != Token::End)
    if (!parseProgram())
      return std::nullopt;
  return std::move(programs);
}

std::optional<std::vector<NamedProgram>> loops::parsePrograms(
    StringRef text,
    llvm::function_ref<void(const char *, const Twine &)> report) {
  return Parser(text, report).run();
}

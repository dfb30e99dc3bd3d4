//===- Patterns.cpp - regular expressions in texts ------------------------===//
// SPDX-License-Identifier: MIT
//
// RE2 takes time proportional to the text, whatever the pattern is, and no
// stack.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/OneLine.h"
#include "glow/HostOperators/Functions.h"
#include "glow/Values/Texts.h"
#include <re2/re2.h>

using namespace glow;
using re2::RE2;
using Pattern = std::unique_ptr<RE2>;
using Texts = std::vector<std::string>;

/// A text of any length, shortened for a message.
static std::string shortened(const std::string &text) {
  constexpr size_t most = 60;
  return text.size() > most ? text.substr(0, most) + "..." : text;
}

/// Compiles a pattern. `longest` selects the longest match at a position, not
/// the first.
static Result<Pattern> patternOf(const std::string &text, bool longest) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_longest_match(longest);
  auto pattern = std::make_unique<RE2>(text, options);
  if (pattern->ok())
    return pattern;
  return failure(
      Code::InvalidArgument, "pattern '", shortened(text),
      "' is no regular expression of RE2: ", shortened(pattern->error()));
}

Status glow::host::regexFullMatch(HostCall &call) {
  Result<const Strings *> in = call.strings(0);
  if (!in)
    return in.status();
  Result<Pattern> pattern =
      patternOf(call.attribute<std::string>("pattern", ""), false);
  if (!pattern)
    return pattern.status();
  Result<Tensor> result = Tensor::zeros({ElementKind::Bool, (*in)->shape});
  if (!result)
    return result.status();
  for (size_t i = 0; i < (*in)->elements.size(); ++i)
    result->elements<bool>()[i] = RE2::FullMatch((*in)->elements[i], **pattern);
  return call.setOutput(0, std::move(result));
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// The number of UTF-8 characters of a text; -1 if it is no UTF-8.
static int64_t charactersIn(std::string_view text) {
  int64_t count = 0;
  for (; !text.empty(); ++count) {
    size_t length = characterLength(text);
    if (!length)
      return -1;
    text.remove_prefix(length);
  }
  return count;
}

namespace {

using Token = std::string_view;

/// Splits the texts of a node into tokens.
class Tokens {
public:
  Status read(const HostCall &call);

  /// The tokens of a UTF-8 text, in order.
  std::vector<Token> of(Token text) const;

private:
  Status readPatterns(const HostCall &call);
  void split(Token text, const RE2 &separator, std::vector<Token> &to) const;
  void search(Token text, std::vector<Token> &to) const;
  void add(Token token, std::vector<Token> &to) const {
    if (charactersIn(token) >= fewest)
      to.push_back(token);
  }

  int64_t fewest = 1; ///< characters of a token
  bool everyCharacter = false;
  std::vector<Pattern> separators; ///< one after the other
  Pattern token;                   ///< or what a token is
};

} // namespace

Status Tokens::read(const HostCall &call) {
  for (const char *name : {"mark", "mincharnum", "pad_value"})
    if (!call.hasAttribute(name))
      return failure(Code::InvalidArgument, "attribute '", name,
                     "' is missing");
  fewest = call.attribute<int64_t>("mincharnum", 1);
  if (fewest < 1)
    return failure(Code::InvalidArgument, "mincharnum ", fewest,
                   " should be positive");
  return readPatterns(call);
}

Status Tokens::readPatterns(const HostCall &call) {
  const auto separating =
      call.attribute<std::vector<std::string>>("separators", {});
  const auto whole = call.attribute<std::string>("tokenexp", "");
  if (separating.empty() == whole.empty())
    return failure(Code::InvalidArgument, "one of attributes 'separators' and "
                                          "'tokenexp' must be given");
  everyCharacter = separating.size() == 1 && separating[0].empty();
  if (everyCharacter && fewest > 1)
    return failure(Code::InvalidArgument, "mincharnum ", fewest,
                   " leaves no token of one character each");
  if (everyCharacter)
    return Status();
  for (const std::string &text : separating) {
    if (text.empty())
      return failure(Code::InvalidArgument, "a separator is empty");
    Result<Pattern> pattern = patternOf(text, true);
    if (!pattern)
      return pattern.status();
    separators.push_back(pattern.take());
  }
  if (!separating.empty())
    return Status();
  Result<Pattern> pattern = patternOf(whole, true);
  if (pattern)
    token = pattern.take();
  return pattern.status();
}

/// Finds `pattern` in a text from `at` on, and moves `at` behind the match. If
/// the match is empty, `at` moves by one more character, so that a search ends.
static bool find(const RE2 &pattern, Token text, size_t &at, Token &found) {
  re2::StringPiece match;
  if (at >= text.size() ||
      !pattern.Match({text.data(), text.size()}, at, text.size(),
                     RE2::UNANCHORED, &match, 1))
    return false;
  found = Token(match.data(), match.size());
  const size_t begin = size_t(match.data() - text.data());
  at = begin +
       (found.empty() ? characterLength(text.substr(begin)) : found.size());
  return !found.empty() || at > begin;
}

void Tokens::split(Token text, const RE2 &separator,
                   std::vector<Token> &to) const {
  size_t start = 0, at = 0;
  for (Token found; find(separator, text, at, found); start = at)
    add(text.substr(start, size_t(found.data() - text.data()) - start), to);
  add(text.substr(start), to);
}

void Tokens::search(Token text, std::vector<Token> &to) const {
  size_t at = 0;
  for (Token found; find(*token, text, at, found);)
    add(found, to);
}

std::vector<Token> Tokens::of(Token text) const {
  std::vector<Token> tokens;
  if (token) {
    search(text, tokens);
    return tokens;
  }
  for (; everyCharacter && !text.empty();
       text.remove_prefix(characterLength(text)))
    tokens.push_back(text.substr(0, characterLength(text)));
  if (everyCharacter)
    return tokens;
  tokens = {text};
  for (const Pattern &separator : separators) {
    std::vector<Token> parts;
    for (Token part : tokens)
      split(part, *separator, parts);
    tokens = std::move(parts);
  }
  return tokens;
}

/// Adds the tokens of each text, then padding up to the width of the row.
static Status addRows(const HostCall &call, const Tokens &tokens,
                      const Texts &texts, size_t width, TextList &to) {
  const bool mark = call.attribute<int64_t>("mark", 0) != 0;
  const auto pad = call.attribute<std::string>("pad_value", "");
  Status status;
  auto add = [&](std::string token) {
    if (status.ok())
      status = to.add(std::move(token));
  };
  for (const std::string &text : texts) {
    const std::vector<Token> row = tokens.of(text);
    if (mark)
      add("\x02");
    for (Token token : row)
      add(std::string(token));
    if (mark)
      add("\x03");
    for (size_t i = row.size() + (mark ? 2 : 0); i < width && status.ok(); ++i)
      add(pad);
  }
  return status;
}

Status glow::host::tokenizer(HostCall &call) {
  Result<const Strings *> in = call.strings(0);
  if (!in)
    return in.status();
  Tokens tokens;
  if (Status status = tokens.read(call); !status.ok())
    return status;
  Ints shape = (*in)->shape;
  if (shape.empty() || shape.size() > 2)
    return failure(Code::ShapeMismatch, "input 0 is ", call.input(0)->text(),
                   ", it should have one or two dimensions");
  const Texts &texts = (*in)->elements;
  if (texts.empty())
    return call.setOutput(0, Strings{shape, {}});
  size_t width = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    // Tokens are counted in characters, which only UTF-8 has.
    if (charactersIn(texts[i]) < 0)
      return failure(Code::InvalidArgument, "element ", i, " is not UTF-8");
    if (Status room = MemoryBudget::check(texts[i].size() * sizeof(Token) * 2);
        !room.ok())
      return room;
    // Texts are split twice. The first pass only finds the width of the result:
    // lists of all tokens could take several times the memory of the texts.
    width = std::max(width, tokens.of(texts[i]).size());
  }
  TextList result;
  if (width && call.attribute<int64_t>("mark", 0))
    width += 2;
  shape.push_back(int64_t(width));
  Status status =
      width ? addRows(call, tokens, texts, width, result) : Status();
  return status.ok() ? call.setOutput(0, Strings{shape, result.take()})
                     : status;
}

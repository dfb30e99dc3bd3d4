//===- AddedTokens.cpp - tokens that are found before words ---------------===//
// SPDX-License-Identifier: MIT

#include "AddedTokens.h"
#include "Fields.h"
#include "Unicode.h"

using namespace glow;
using namespace glow::tokenizer;

AddedTokens::Token AddedTokens::read(const Fields &of) const {
  of.allow({"id", "content", "single_word", "lstrip", "rstrip", "normalized",
            "special"});
  const std::string content = of.text("content");
  return {content,
          content,
          of.number("id"),
          of.flag("single_word"),
          of.flag("lstrip"),
          of.flag("rstrip"),
          of.flag("normalized"),
          of.flag("special")};
}

AddedTokens::AddedTokens(const Fields &file, const Model &model,
                         const Normalizer &normalizer) {
  const Vocabulary &vocabulary = model.vocabulary();
  std::vector<Trie::Entry> spelled, normalized;
  TokenId next = TokenId(vocabulary.size());
  for (const Fields &of : file.objects("added_tokens")) {
    Token token = read(of);
    if (!of.ok())
      return;
    if (token.content.empty())
      of.fail("content", "a text of at least one character");
    if (idOf(token.content))
      of.fail("content", "a token that is added once");
    // The format's library ignores the field, and counts.
    const TokenId id = vocabulary.idOf(token.content).value_or(next);
    if (token.id != id)
      of.fail("id", std::to_string(id) + ", the id of the token in the model, "
                                         "or the next free one");
    next = std::max(next, id + 1);
    if (token.isNormalized && normalizer)
      if (Status status = normalizer(token.text); !status.ok())
        of.fail(status);
    const size_t index = tokens.size();
    std::vector<Trie::Entry> &all = token.isNormalized ? normalized : spelled;
    if (std::ranges::find(all, token.text, &Trie::Entry::first) != all.end())
      of.fail("content", "different from other tokens in its normalized form");
    if (!token.text.empty())
      all.emplace_back(token.text, index);
    byContent.emplace(token.content, index);
    byId.emplace(id, index);
    tokens.push_back(std::move(token));
  }
  asSpelled = Trie(std::move(spelled));
  asNormalized = Trie(std::move(normalized));
}

std::optional<TokenId> AddedTokens::idOf(std::string_view token) const {
  auto found = byContent.find(token);
  if (found == byContent.end())
    return std::nullopt;
  return tokens[found->second].id;
}

const std::string *AddedTokens::tokenOf(TokenId id) const {
  auto found = byId.find(id);
  return found == byId.end() ? nullptr : &tokens[found->second].text;
}

bool AddedTokens::isSpecial(std::string_view token) const {
  auto found = byContent.find(token);
  return found != byContent.end() && tokens[found->second].isSpecial;
}

/// The begin of the last character of a text that is not empty.
static size_t lastCharacter(std::string_view text) {
  size_t at = text.size() - 1;
  while (at > 0 && (uint8_t(text[at]) & 0xc0) == 0x80)
    --at;
  return at;
}

static bool endsWithWord(std::string_view text) {
  if (text.empty())
    return false;
  size_t at = lastCharacter(text);
  return isWord(nextCharacter(text, at));
}

static bool beginsWithWord(std::string_view text) {
  size_t at = 0;
  return !text.empty() && isWord(nextCharacter(text, at));
}

/// The length of a text without the spaces at its end.
static size_t withoutSpaces(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t at = lastCharacter(text.substr(0, end));
    const size_t begin = at;
    if (!isSpace(nextCharacter(text, at)))
      break;
    end = begin;
  }
  return end;
}

static size_t behindSpaces(std::string_view text, size_t at) {
  for (size_t next = at;
       at < text.size() && isSpace(nextCharacter(text, next));)
    at = next;
  return at;
}

void AddedTokens::divideBy(const Trie &trie, const Piece &piece,
                           Pieces &pieces) const {
  const std::string_view text = piece.text;
  size_t done = 0;
  auto push = [&](size_t begin, size_t end,
                  std::optional<TokenId> token = std::nullopt) {
    if (begin < end || token)
      pieces.push_back({std::string(text.substr(begin, end - begin)),
                        piece.isFirst && begin == 0, token});
  };
  for (size_t at = 0; at < text.size();) {
    size_t length = 0, index = 0;
    if (trie.begins(text[at]))
      trie.forPrefixes(text.substr(at), [&](size_t found, size_t of) {
        length = found, index = of;
      });
    if (length == 0) {
      ++at;
      continue;
    }
    const Token &token = tokens[index];
    size_t begin = at, end = at + length;
    at = end;
    if (token.singleWord && (endsWithWord(text.substr(0, begin)) ||
                             beginsWithWord(text.substr(end))))
      continue;
    if (token.left)
      begin = std::max(withoutSpaces(text.substr(0, begin)), done);
    if (token.right)
      end = behindSpaces(text, end);
    // The spaces behind the last token may be this token.
    begin = std::max(begin, done), end = std::max(end, begin);
    push(done, begin);
    push(begin, end, token.id);
    done = end;
  }
  push(done, text.size());
}

Status AddedTokens::divide(std::string_view text, const Normalizer &normalizer,
                           Pieces &pieces) const {
  Pieces parts;
  divideBy(asSpelled, {std::string(text), true}, parts);
  for (Piece &part : parts) {
    if (part.token) {
      pieces.push_back(std::move(part));
      continue;
    }
    if (normalizer)
      if (Status status = normalizer(part.text); !status.ok())
        return status;
    divideBy(asNormalized, part, pieces);
  }
  return Status();
}

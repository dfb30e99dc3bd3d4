//===- Unigram.cpp - the likeliest tokens of a word -----------------------===//
// SPDX-License-Identifier: MIT
//
// Kudo, "Subword Regularization" (2018): the scores of tokens are logarithms of
// probabilities, and the sum over a word is as large as possible. The forward
// pass keeps the best token that ends at each byte (Viterbi).
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "Model.h"
#include "Trie.h"
#include "Unicode.h"
#include <cmath>

using namespace glow;
using namespace glow::tokenizer;

namespace {

/// The best tokens up to a byte of the word.
struct Best {
  double score = 0;
  size_t begin =
      std::string_view::npos; ///< begin of the last token; npos: none
  TokenId id = 0;
};

class Unigram final : public Model {
public:
  explicit Unigram(const Fields &of);

  Status encode(std::string_view word, std::vector<TokenId> &to) const override;

private:
  void readVocabulary(const Fields &of);
  Status noUnknown(std::string_view text) const;
  /// Appends the id of a text that is one token, or of unknown characters.
  Status append(std::string_view text, std::vector<TokenId> &to) const;

  std::vector<double> scores; ///< by id
  Trie trie;
  double unknownScore = 0;
  std::optional<TokenId> unknown;
  bool hasBytes;
};

} // namespace

Unigram::Unigram(const Fields &of) {
  of.allow({"unk_id", "byte_fallback", "vocab"});
  hasBytes = of.flagOr("byte_fallback", false);
  if (of.has("unk_id"))
    unknown = of.number("unk_id");
  if (of.ok())
    readVocabulary(of);
  if (unknown && *unknown >= scores.size())
    of.fail("unk_id",
            "below " + std::to_string(scores.size()) + ", the size of vocab");
}

void Unigram::readVocabulary(const Fields &of) {
  // An unknown character is less likely than each token.
  constexpr double penalty = 10;
  const Json *list = of.find("vocab");
  if (!list || !list->is_array())
    return of.fail("vocab", "a list of tokens and their scores");
  std::vector<Trie::Entry> entries;
  double least = INFINITY;
  for (const Json &entry : *list) {
    const auto id = TokenId(scores.size());
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
        !entry[1].is_number())
      return of.fail(failure(Code::InvalidArgument, of.place(), ".vocab[", id,
                             "] should be a token and its score, as [\"a\", "
                             "-1.5]"));
    std::string token = entry[0].get<std::string>();
    scores.push_back(entry[1].get<double>());
    least = std::min(least, scores.back());
    if (!token.empty())
      entries.emplace_back(token, id);
    theVocabulary.add(std::move(token), id);
  }
  unknownScore = least - penalty;
  trie = Trie(std::move(entries));
}

Status Unigram::noUnknown(std::string_view text) const {
  return failure(Code::InvalidArgument, "there is no token for ", shown(text),
                 ", and unk_id is null");
}

Status Unigram::encode(std::string_view word, std::vector<TokenId> &to) const {
  thread_local std::vector<Best> best;
  best.assign(word.size() + 1, Best());
  auto improve = [&](size_t begin, size_t end, TokenId id, double score) {
    const double sum = best[begin].score + score;
    if (best[end].begin == word.npos || sum > best[end].score)
      best[end] = {sum, begin, id};
  };
  for (size_t at = 0; at < word.size();) {
    const size_t begin = at;
    nextCharacter(word, at);
    bool hasCharacter = false;
    trie.forPrefixes(word.substr(begin), [&](size_t length, TokenId id) {
      improve(begin, begin + length, id, scores[id]);
      hasCharacter |= begin + length == at;
    });
    if (!hasCharacter && !unknown)
      return noUnknown(word.substr(begin, at - begin));
    if (!hasCharacter)
      improve(begin, at, *unknown, unknownScore);
  }
  // Adjacent unknown characters are one token.
  std::vector<std::string_view> tokens;
  bool isOpen = false;
  for (size_t end = word.size(); end > 0;) {
    const auto [score, begin, id] = best[end];
    const bool isUnknown = id == unknown;
    const std::string_view token = word.substr(begin, end - begin);
    if (isUnknown && isOpen)
      tokens.back() = {token.data(), token.size() + tokens.back().size()};
    else
      tokens.push_back(token);
    isOpen = isUnknown;
    end = begin;
  }
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token)
    if (Status status = append(*token, to); !status.ok())
      return status;
  return Status();
}

Status Unigram::append(std::string_view text, std::vector<TokenId> &to) const {
  if (std::optional<TokenId> id = theVocabulary.idOf(text))
    to.push_back(*id);
  else if (hasBytes && appendBytes(theVocabulary, text, to))
    return Status();
  else if (unknown)
    to.push_back(*unknown);
  else
    return noUnknown(text);
  return Status();
}

std::unique_ptr<const Model> tokenizer::unigramOf(const Fields &of) {
  return std::make_unique<Unigram>(of);
}

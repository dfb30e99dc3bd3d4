//===- AddedTokens.h - tokens that are found before words -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_ADDEDTOKENS_H
#define GLOW_LIB_TOKENIZER_ADDEDTOKENS_H

#include "Model.h"
#include "Normalizer.h"
#include "PreTokenizer.h"
#include "Trie.h"
#include <map>

namespace glow::tokenizer {

/// The tokens of the field "added_tokens". They are found in a text as they
/// are spelled, or in its normalized form, and are not divided further.
class AddedTokens {
public:
  AddedTokens() = default;
  /// `file` has the field; `normalizer` may be empty.
  AddedTokens(const Fields &file, const Model &model,
              const Normalizer &normalizer);

  /// Divides a text at the tokens, and normalizes the parts between them.
  Status divide(std::string_view text, const Normalizer &normalizer,
                Pieces &pieces) const;

  std::optional<TokenId> idOf(std::string_view token) const;
  /// The text of a token; null if no added token has the id.
  const std::string *tokenOf(TokenId id) const;
  bool isSpecial(std::string_view token) const;

private:
  struct Token {
    std::string content, text; ///< as in the file; in a text
    TokenId id;
    bool singleWord, left, right, isNormalized, isSpecial;
  };

  Token read(const Fields &of) const;
  /// Appends the parts of a piece, by tokens of one kind.
  void divideBy(const Trie &trie, const Piece &piece, Pieces &pieces) const;

  std::vector<Token> tokens;
  TextMap<size_t> byContent;      ///< indices of `tokens`
  std::map<TokenId, size_t> byId; ///< the same
  Trie asSpelled, asNormalized;   ///< the same
};

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_ADDEDTOKENS_H

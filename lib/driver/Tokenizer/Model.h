//===- Model.h - ids of words -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_MODEL_H
#define GLOW_LIB_TOKENIZER_MODEL_H

#include "glow/Tokenizer/Tokenizer.h"
#include <memory>
#include <unordered_map>

namespace glow::tokenizer {

class Fields;

/// Hashes texts for maps that are searched by a part of another text.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
template <typename T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// Tokens and their ids.
class Vocabulary {
public:
  void add(std::string token, TokenId id);

  /// The number of entries, of which several may have one token.
  size_t size() const { return count; }
  std::optional<TokenId> idOf(std::string_view token) const;
  /// Null if no token has the id.
  const std::string *tokenOf(TokenId id) const;

private:
  size_t count = 0;
  TextMap<TokenId> ids;
  std::unordered_map<TokenId, const std::string *> tokens; ///< keys of `ids`
};

/// Appends the ids of the tokens `<0xHH>` for the bytes of a text. Appends none
/// and returns false if a byte has no token.
bool appendBytes(const Vocabulary &vocabulary, std::string_view text,
                 std::vector<TokenId> &to);

/// A model of a file: byte pairs or unigrams.
class Model {
public:
  virtual ~Model() = default;

  /// Appends the ids of a word, which is not empty. Fails with
  /// Code::InvalidArgument if a character has no token.
  virtual Status encode(std::string_view word,
                        std::vector<TokenId> &to) const = 0;

  const Vocabulary &vocabulary() const { return theVocabulary; }

protected:
  Vocabulary theVocabulary;
};

/// Reads the field "model". Never null.
std::unique_ptr<const Model> modelOf(const Fields &of);
std::unique_ptr<const Model> bpeOf(const Fields &of);
std::unique_ptr<const Model> unigramOf(const Fields &of);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_MODEL_H

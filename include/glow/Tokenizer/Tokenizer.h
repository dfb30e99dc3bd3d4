//===- Tokenizer.h - text to ids, and back ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Tokenizers of language models, as `tokenizer.json` describes them: the format
// of the Hugging Face `tokenizers` library, version 1.0. docs/Tokenizer.md
// lists the supported parts. Ids and texts equal those of that library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOKENIZER_TOKENIZER_H
#define GLOW_TOKENIZER_TOKENIZER_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

using TokenId = uint32_t;

/// A tokenizer. Copies share one description, which never changes; several
/// threads may use it at once.
class Tokenizer {
public:
  static constexpr uint64_t largestFile = uint64_t(256) << 20; ///< in bytes

  /// Reads the contents of a `tokenizer.json`. Any bytes are accepted. Fails
  /// with Code::InvalidArgument for a malformed file, and with
  /// Code::Unsupported for a part that is not supported; the message has the
  /// field, its value and the supported values. A file larger than
  /// `largestFile` is refused. Memory is bounded by the size of the file.
  static Result<Tokenizer> parse(std::string_view json);

  /// The ids of a text. `special` adds the tokens of the post-processor, such
  /// as those for the begin of a text. Special tokens that stand in the text
  /// are always recognised. Fails with Code::InvalidArgument if the text is not
  /// UTF-8, or has a character for which the vocabulary has no token.
  Result<std::vector<TokenId>> encode(std::string_view text,
                                      bool special = true) const;

  /// The text of ids, which is UTF-8: bytes that are no character become
  /// U+FFFD. `special` keeps the text of special tokens. Fails with
  /// Code::NotFound for an id without a token.
  Result<std::string> decode(std::span<const TokenId> ids,
                             bool special = false) const;

  /// The token of an id, as the file spells it; nothing if there is none.
  std::optional<std::string> tokenOf(TokenId id) const;
  /// The id of a token, as the file spells it; nothing if there is none.
  std::optional<TokenId> idOf(std::string_view token) const;

private:
  friend class TextStream;
  struct Parts;
  explicit Tokenizer(std::shared_ptr<const Parts> parts);

  std::shared_ptr<const Parts> parts;
};

/// The text of ids while they arrive. The texts that `take` and `finish`
/// return, joined, equal `Tokenizer::decode` of all ids.
class TextStream {
public:
  explicit TextStream(const Tokenizer &tokenizer, bool special = false);
  TextStream(TextStream &&) noexcept;
  ~TextStream();

  /// Adds an id and returns the text that no later id can change. Bytes of an
  /// incomplete character wait. Fails as `Tokenizer::decode`; the stream is
  /// then as before.
  Result<std::string> take(TokenId id);

  /// Ends the text and returns its rest. The stream begins again.
  Result<std::string> finish();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace glow

#endif // GLOW_TOKENIZER_TOKENIZER_H

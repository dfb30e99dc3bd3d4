//===- PreTokenizer.h - division of a text into words -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_PRETOKENIZER_H
#define GLOW_LIB_TOKENIZER_PRETOKENIZER_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace glow::tokenizer {

class Fields;

/// A part of a text.
struct Piece {
  std::string text;
  bool isFirst; ///< whether the text begins with it
  std::optional<uint32_t> token =
      std::nullopt; ///< its id; only of an added token
};
using Pieces = std::vector<Piece>;

/// Divides pieces that are no added tokens. Empty pieces are dropped. Fails if
/// a regular expression takes too many steps.
using PreTokenizer = std::function<Status(Pieces &pieces)>;

PreTokenizer preTokenizerOf(const Fields &of);

/// The option that Metaspace has in two forms: whether a blank is put before
/// each piece, the first one or none.
enum class PrependScheme { Always, First, Never };
PrependScheme prependSchemeOf(const Fields &of);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_PRETOKENIZER_H

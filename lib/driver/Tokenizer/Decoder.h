//===- Decoder.h - texts of tokens ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_DECODER_H
#define GLOW_LIB_TOKENIZER_DECODER_H

#include "glow/Base/Status.h"
#include <memory>
#include <string>
#include <vector>

namespace glow::tokenizer {

class Fields;

/// A part of the text of a token, on its way through the steps. Fragments of a
/// token follow one another.
struct Fragment {
  std::string text;
  bool begins = true, ends = true; ///< whether the token does
};
using Fragments = std::vector<Fragment>;

/// A step that changes the texts of tokens, and has the state between two.
class DecoderStep {
public:
  virtual ~DecoderStep() = default;
  virtual std::unique_ptr<DecoderStep> copy() const = 0;

  /// Takes a fragment, and appends the fragments that no later one can change.
  /// Fails if a regular expression takes too many steps.
  virtual Status take(Fragment fragment, Fragments &to) = 0;
  /// Appends the rest behind the last token.
  virtual Status finish(Fragments &to) = 0;
};
using DecoderSteps = std::vector<std::unique_ptr<DecoderStep>>;

/// The steps of a decoder, before the first token. A Sequence has several.
DecoderSteps decoderOf(const Fields &of);
/// The step of a file without a decoder: blanks between tokens.
DecoderSteps joiningDecoder();

DecoderSteps copyOf(const DecoderSteps &steps);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_DECODER_H

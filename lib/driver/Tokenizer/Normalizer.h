//===- Normalizer.h - texts before they are divided -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_NORMALIZER_H
#define GLOW_LIB_TOKENIZER_NORMALIZER_H

#include "glow/Base/Status.h"
#include <functional>
#include <string>

namespace glow::tokenizer {

class Fields;

/// Changes a text, which stays UTF-8. Fails if a regular expression takes too
/// many steps.
using Normalizer = std::function<Status(std::string &text)>;

Normalizer normalizerOf(const Fields &of);

/// Replaces characters as the table of a SentencePiece model says, which is the
/// field "precompiled_charsmap" in base64.
Normalizer charsmapOf(const Fields &of);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_NORMALIZER_H

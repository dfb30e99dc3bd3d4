//===- PostProcessor.h - tokens around a text -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_POSTPROCESSOR_H
#define GLOW_LIB_TOKENIZER_POSTPROCESSOR_H

#include "glow/Tokenizer/Tokenizer.h"
#include <functional>

namespace glow::tokenizer {

class Fields;

/// Adds special tokens to the ids of a text.
using PostProcessor = std::function<void(std::vector<TokenId> &ids)>;

PostProcessor postProcessorOf(const Fields &of);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_POSTPROCESSOR_H

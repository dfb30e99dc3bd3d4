//===- RegexSyntax.h - regular expressions of Oniguruma ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_REGEXSYNTAX_H
#define GLOW_LIB_TOKENIZER_REGEXSYNTAX_H

#include "glow/Base/Status.h"
#include <string>
#include <string_view>

namespace glow::tokenizer {

/// An expression for PCRE2, with its options UTF, UCP and MULTILINE, that
/// matches as `regex` does in Oniguruma. Classes of characters differ between
/// the two and are spelled out. Syntax whose meaning differs otherwise is
/// refused with Code::Unsupported; mistakes of both remain in the result.
Result<std::string> syntaxOfPcre2(std::string_view regex);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_REGEXSYNTAX_H

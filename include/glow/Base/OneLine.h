//===- OneLine.h - any text, for a terminal ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_ONELINE_H
#define GLOW_BASE_ONELINE_H

#include <string>
#include <string_view>

namespace glow {

/// `text` as one line that is safe to print on a terminal: names in models may
/// be any bytes. Line ends become blanks, and are dropped at the end. Other
/// control characters and bytes that are not UTF-8 become escapes such as
/// "\x1b".
std::string oneLine(std::string_view text);

/// Length of the UTF-8 character at the start of a text; 0 if the text does not
/// start with one.
size_t characterLength(std::string_view text);

} // namespace glow

#endif // GLOW_BASE_ONELINE_H

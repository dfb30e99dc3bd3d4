//===- OneLine.h - any text, for a terminal ---------------------*- C++ -*-===//

#ifndef GLOW_BASE_ONELINE_H
#define GLOW_BASE_ONELINE_H

#include <string>
#include <string_view>

namespace glow {

/// `text` as one line that a terminal shows as it is: names in models are any
/// bytes. Ends of lines within are blanks, and gone at the end; other control
/// characters, and bytes that are no UTF-8, are shown as "\x1b".
std::string oneLine(std::string_view text);

/// The length of the character of UTF-8 that a text begins with; 0 if it begins
/// with none.
size_t characterLength(std::string_view text);

} // namespace glow

#endif // GLOW_BASE_ONELINE_H

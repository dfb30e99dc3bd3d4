//===- Nearest.h - what a misspelt word may have meant ----------*- C++ -*-===//

#ifndef GLOW_BASE_NEAREST_H
#define GLOW_BASE_NEAREST_H

#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// The word of `known` that takes the fewest letters inserted, removed,
/// replaced or swapped with the next to be made of `word`, the first of equal
/// ones; "" if those are more than a third of its letters, and more than one.
std::string nearest(std::string_view word,
                    const std::vector<std::string> &known);

/// For the end of a message: "; did you mean 'bench'?", or "".
std::string didYouMean(std::string_view word,
                       const std::vector<std::string> &known);

} // namespace glow

#endif // GLOW_BASE_NEAREST_H

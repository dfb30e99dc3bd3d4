//===- ChangedText.h - text with a few mistakes in it -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_FUZZ_CHANGEDTEXT_H
#define GLOW_TEST_FUZZ_CHANGEDTEXT_H

#include <random>
#include <string>
#include <string_view>

namespace glow {

/// The text of a module with one to three changes, the same for the same state
/// of `random`: a number, a type, the name of a buffer, a word or a character
/// is another, a size is another one everywhere, or a line is gone, twice
/// there, or elsewhere. Values of constants stay as they are, mostly.
std::string changedText(std::string_view text, std::mt19937 &random);

} // namespace glow

#endif // GLOW_TEST_FUZZ_CHANGEDTEXT_H
